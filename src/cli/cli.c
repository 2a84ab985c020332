/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/cli.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/print.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"

const struct command commands[] = {
    {"run", "SCENARIO", "plays a scenario against the embedded gateway, once per certificate",
     "  loginstorm run scenarios/smoke.yaml\n"
     "  loginstorm run scenarios/morning-peak.yaml --users 3500 --out results/3500\n"
     "  loginstorm run monday.yaml --set gateway.workers=2 --injectors 2 --format json > "
     "monday.json\n",
     command_run, false, NULL},
    {"simulate", "SCENARIO",
     "plays it in virtual time on the farm that it describes, many mornings of it",
     "  loginstorm simulate scenarios/gateway-failure.yaml\n"
     "  loginstorm simulate monday.yaml --set farm.gateways=3 --replications 1000\n"
     "  loginstorm simulate monday.yaml --costs results/measured/result.json --format csv > "
     "monday.csv\n"
     "  loginstorm simulate scenarios/morning-peak.yaml --injectors 1\n",
     command_simulate, false, NULL},
    {"plan", "SCENARIO",
     "the smallest farm that meets the targets, for each certificate, and what today's carries",
     "  loginstorm plan scenarios/plan-rollout.yaml\n"
     "  loginstorm plan monday.yaml --users 9000 --set farm.spare=1 --out results/plan\n"
     "  loginstorm plan monday.yaml --costs gateway-costs.json --format json > plan.json\n",
     command_plan, false, help_plan},
    {"check", "SCENARIO", "validates a scenario, shows it with all defaults and its schedule",
     "  loginstorm check monday.yaml\n"
     "  loginstorm check monday.yaml --set arrivals.shape=uniform\n"
     "  loginstorm check - < monday.yaml > as-it-will-run.yaml\n",
     command_check, false, NULL},
    {"report", "RESULT", "shows a stored result again, in any format",
     "  loginstorm report results/monday-morning-20261130-0755\n"
     "  loginstorm report results/monday-morning-20261130-0755/result.json --format csv\n",
     command_report, false, NULL},
    {"compare", "RESULT",
     "sets certificates side by side, with changes, intervals and what to make of them",
     "  loginstorm run scenarios/morning-peak.yaml --repeat 5 --out results/peak\n"
     "  loginstorm compare results/peak\n"
     "  loginstorm compare results/rsa results/p256 results/p384/result.json\n"
     "  loginstorm compare results/before results/after --force --format csv > changes.csv\n",
     command_compare, true, help_compare},
    {"merge", "RESULT", "makes one result of the shards of a storm, as one machine would have it",
     "  loginstorm merge results/shard-*-of-4 --out results/monday\n"
     "  loginstorm merge a/shard b/shard --format json > monday.json\n",
     command_merge, true, help_merge},
    {"import", "LOG", "makes a curve file of other systems' logs, to play that morning again",
     "  loginstorm import access.log.2.gz access.log.1 --url 'POST /login' -z Europe/Paris -o "
     "week.csv\n"
     "  loginstorm import logins.csv --time-key 'Logon Time' -z Europe/Paris -d 2026-11-30 > "
     "monday.csv\n"
     "  loginstorm import - -z Europe/Paris -o monday.csv < logins.json\n",
     command_import, true, help_import},
    {"fit", "CURVE", "finds the built-in arrivals that describe a recorded curve",
     "  loginstorm fit scenarios/curves/recorded-monday.csv\n"
     "  loginstorm fit week.csv --day worst --window 08:00-09:00\n",
     command_fit, false, NULL},
    {"request", "SCENARIO",
     "makes private keys and what a CA (ADCS too) signs, for its certificates",
     "  loginstorm request monday.yaml --out certs\n"
     "  loginstorm request monday.yaml --set populations.0.tls.server_name=gw.corp.example\n",
     command_request, false, NULL},
    {"calibrate", "[SCENARIO]",
     "measures what a handshake costs a gateway on this host, or your own, as a cost profile",
     "  loginstorm calibrate\n"
     "  loginstorm calibrate monday.yaml --rounds 5 -o costs.json\n"
     "  loginstorm calibrate --quick -o - > costs.json\n"
     "  loginstorm calibrate gateway.yaml --rates 50,100,200,400 -o gateway-costs.json\n",
     command_calibrate, false, help_calibrate},
    {"gateway", NULL, "runs the embedded gateway alone, for other clients",
     "  loginstorm gateway --key rsa-4096 --trust /tmp/issuer.pem\n"
     "  curl --cacert /tmp/issuer.pem https://localhost:8443/bytes/6000 -o /dev/null\n"
     "  ab -n 1000 -c 20 https://127.0.0.1:8443/\n",
     command_gateway, false, help_gateway},
    {NULL, NULL, NULL, NULL, NULL, false, NULL},
};

static int usage(const char *command, const struct ls_error *err)
{
    (void)fprintf(stderr, "loginstorm%s%s: error: %s; see `loginstorm%s%s --help`\n",
                  command == NULL ? "" : " ", command == NULL ? "" : command, err->text,
                  command == NULL ? "" : " ", command == NULL ? "" : command);
    return ls_code_status(LS_EUSAGE);
}

static int unknown_command(const char *name, const char *nearest)
{
    struct ls_error err;

    if (nearest != NULL) {
        (void)ls_error_set(&err, LS_EUSAGE, "there is no command \"%.100s\"; did you mean \"%s\"?",
                           name, nearest);
    } else {
        (void)ls_error_set(&err, LS_EUSAGE, "there is no command \"%.100s\"", name);
    }
    return usage(NULL, &err);
}

/* A write to a closed pipe or a full disk that only shows at the end must not pass for success. */
static int finish(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        struct ls_error err = {0};

        (void)ls_error_set_errno(&err, LS_EWRITE, "cannot write to standard output");
        return status == 0 ? print_error(&err) : status;
    }
    return status;
}

static int dispatch(int argc, char **argv)
{
    struct options options;
    struct ls_error err;
    const char *nearest = NULL;
    const struct command *command = command_find(argv[1], &nearest);

    if (command == NULL) {
        return unknown_command(argv[1], nearest);
    }
    if (options_parse(&options, command, argc - 1, argv + 1, &err) != LS_OK) {
        return usage(command->name, &err);
    }
    if (options.help) {
        options_help(command, stdout);
        return 0;
    }
    return command->run(&options);
}

/* A standard stream that was closed would be the next file's descriptor, and what is meant for a
 * reader would land in it. The wrong direction makes every use of it fail as that of a closed one
 * does. */
static void hold_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

#define STATUS_OF_LIMIT 70 /* ls_code_status(LS_ELIMIT), which a signal's handler may not ask for */

/* libuv aborts where it cannot go on, for want of memory or descriptors. That is no crash that somebody
 * should look into, but a limit of this machine's, and is to be told as one. */
static void on_abort(int number)
{
    static const char text[] =
        "loginstorm: error: the event loop or the C library gave up, as they do when memory or "
        "descriptors run out (see `ulimit -v` and `ulimit -n`)\n";

    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(STATUS_OF_LIMIT);
}

int ls_cli_main(int argc, char **argv)
{
    hold_standard_streams();
    (void)signal(SIGABRT, on_abort);
    (void)setlocale(LC_CTYPE, "");
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* so that the write fails, and is told */
    if (argc < 2) {
        options_overview(stderr);
        return ls_code_status(LS_EUSAGE);
    }
    if (strcmp(argv[1], LS_STORM_INJECTOR_COMMAND) == 0) {
        return ls_storm_injector_main();
    }
    if (strcmp(argv[1], LS_STORM_WORKER_COMMAND) == 0) {
        return ls_storm_worker_main();
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        options_overview(stdout);
        return finish(0);
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("loginstorm %s, %s (%s)\n", LS_VERSION, ls_tls_library(), ls_tls_build());
        return finish(0);
    }
    return finish(dispatch(argc, argv));
}
