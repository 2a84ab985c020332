/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `openssl speed` says of two hosts, and costs that are carried from one to the other by it. */
#include "record/costs.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/file.h"

#define FILE_LIMIT ((size_t)1 << 20)
#define TOKENS_MAX 16

/* Within this much the same library on another CPU is met; what a signature costs is most of a
 * handshake, but the key exchange and the kernel are not in it. */
#define UNCERTAIN 0.2

static const struct {
    const char *key;      /* the scenario's word */
    const char *rsa;      /* bits in `rsa 2048 bits` and `+F2:` */
    const char *named;    /* `256 bits ecdsa (nistp256)`, `253 bits EdDSA (Ed25519)` */
    const char *machine;  /* how a line of -mr begins */
    const char *argument; /* of `openssl speed` */
} kinds[LS_SPEED_KEYS] = {
    {"rsa-2048", "2048", NULL, NULL, "rsa2048"},
    {"rsa-3072", "3072", NULL, NULL, "rsa3072"},
    {"rsa-4096", "4096", NULL, NULL, "rsa4096"},
    /* The curves' numbers are those of every version from 1.1.1 on. */
    {"ecdsa-p256", NULL, "(nistp256)", "+F4:3:256:", "ecdsap256"},
    {"ecdsa-p384", NULL, "(nistp384)", "+F4:4:384:", "ecdsap384"},
    {"ecdsa-p521", NULL, "(nistp521)", "+F4:5:521:", "ecdsap521"},
    {"ed25519", NULL, "(Ed25519)", "+F6:0:253:Ed25519:", "ed25519"},
};

const char *ls_openssl_speed_key(size_t i)
{
    return i < LS_SPEED_KEYS ? kinds[i].key : NULL;
}

void ls_openssl_speed_clear(struct ls_openssl_speed *speed)
{
    free(speed->version);
    speed->version = NULL;
}

/* A whole number with a point and no sign, as every version prints it whatever the locale. */
static bool read_number(const char *text, char end_at, double *out)
{
    double value = 0, worth = 1;
    bool digits = false, point = false;

    for (; *text != '\0' && *text != end_at; text++) {
        if (*text == '.' && !point) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9') {
            return false;
        }
        digits = true;
        worth = point ? worth / 10 : worth;
        value = point ? value + (*text - '0') * worth : value * 10 + (*text - '0');
    }
    *out = value;
    return digits && value > 0 && value < 1e12;
}

/* Cuts a line at its blanks. */
static size_t cut(char *line, char *tokens[TOKENS_MAX])
{
    size_t count = 0;
    char *rest;

    for (char *token = strtok_r(line, " \t\r", &rest); token != NULL && count < TOKENS_MAX;
         token = strtok_r(NULL, " \t\r", &rest)) {
        tokens[count++] = token;
    }
    return count;
}

/* "rsa 2048 bits 0.000388s 0.000023s 2576.9 43878.0": the first number that is no time. Newer
 * versions have more of both. */
static bool of_table(char **tokens, size_t count, size_t *kind, double *per_s)
{
    const bool rsa = count >= 5 && strcmp(tokens[0], "rsa") == 0 && strcmp(tokens[2], "bits") == 0;
    const bool named = count >= 6 && strcmp(tokens[1], "bits") == 0 &&
                       (strcmp(tokens[2], "ecdsa") == 0 || strcmp(tokens[2], "EdDSA") == 0);

    for (size_t i = 0; (rsa || named) && i < LS_SPEED_KEYS; i++) {
        const char *word = rsa ? kinds[i].rsa : kinds[i].named;

        if (word == NULL || strcmp(tokens[rsa ? 1 : 3], word) != 0) {
            continue;
        }
        *kind = i;
        for (size_t t = rsa ? 3 : 4; t < count; t++) {
            if (read_number(tokens[t], '\0', per_s)) {
                return true;
            }
        }
    }
    return false;
}

/* "+F2:2:2048:2306.122449:37692.000000" */
static bool of_machine(const char *line, size_t *kind, double *per_s)
{
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        const char *begin = kinds[i].machine;

        if (begin != NULL && strncmp(line, begin, strlen(begin)) == 0) {
            *kind = i;
            return read_number(line + strlen(begin), ':', per_s);
        }
        if (kinds[i].rsa != NULL && strncmp(line, "+F2:", 4) == 0) {
            const char *bits = strchr(line + 4, ':');
            const size_t length = strlen(kinds[i].rsa);

            if (bits != NULL && strncmp(bits + 1, kinds[i].rsa, length) == 0 &&
                bits[1 + length] == ':') {
                *kind = i;
                return read_number(bits + 1 + length + 1, ':', per_s);
            }
        }
    }
    return false;
}

/* "version: 3.0.19", "OpenSSL 1.1.1w  11 Sep 2023", "LibreSSL 3.8.2": another library keeps its
 * name, so that no version of it is taken for one of OpenSSL's. */
static const char *version_in(char **tokens, size_t count, char *out, size_t size)
{
    const bool is_libre = count >= 2 && strcmp(tokens[0], "LibreSSL") == 0;

    if (count < 2 ||
        !(is_libre || strcmp(tokens[0], "OpenSSL") == 0 || strcmp(tokens[0], "version:") == 0) ||
        !isdigit((unsigned char)tokens[1][0])) {
        return NULL;
    }
    (void)snprintf(out, size, "%s%.40s", is_libre ? "LibreSSL " : "", tokens[1]);
    return out;
}

static enum ls_code take_version(struct ls_openssl_speed *out, const char *version,
                                 const char *path, int line, struct ls_error *err)
{
    if (out->version != NULL && strcmp(out->version, version) != 0) {
        return ls_error_set_at(err, path, line, 0,
                               "OpenSSL %s after %s: the output of one host and one version is "
                               "wanted",
                               version, out->version);
    }
    if (out->version == NULL && !text_copy(&out->version, version)) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read %s", path);
    }
    return LS_OK;
}

static enum ls_code take_line(struct ls_openssl_speed *out, char *text, const char *path, int line,
                              struct ls_error *err)
{
    char *tokens[TOKENS_MAX], version[64];
    double per_s;
    size_t kind, count;
    bool found = of_machine(text, &kind, &per_s);

    if (!found) {
        count = cut(text, tokens);
        if (version_in(tokens, count, version, sizeof version) != NULL) {
            return take_version(out, version, path, line, err);
        }
        found = of_table(tokens, count, &kind, &per_s);
    }
    if (found && out->sign_per_s[kind] >= 0) {
        return ls_error_set_at(err, path, line, 0,
                               "a second line of %s: the output of one host and one run is wanted",
                               kinds[kind].key);
    }
    if (found) {
        out->sign_per_s[kind] = per_s;
    }
    return LS_OK;
}

enum ls_code ls_openssl_speed_parse(struct ls_openssl_speed *out, const char *path,
                                    const char *text, size_t size, struct ls_error *err)
{
    char *copy = malloc(size + 1);
    enum ls_code code = LS_OK;
    bool any = false;
    int line = 0;

    *out = (struct ls_openssl_speed){0};
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        out->sign_per_s[i] = -1;
    }
    if (copy == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read %s", path);
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    for (char *rest = copy; code == LS_OK && rest != NULL;) {
        char *one = strsep(&rest, "\n");

        code = take_line(out, one, path, ++line, err);
    }
    free(copy);
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        any = any || out->sign_per_s[i] >= 0;
    }
    if (code == LS_OK && !any) {
        code = ls_error_set_at(err, path, 0, 0,
                               "no line of a signature in it: the output of `openssl speed rsa "
                               "ecdsa eddsa` is wanted");
    }
    if (code != LS_OK) {
        ls_openssl_speed_clear(out);
    }
    return code;
}

enum ls_code ls_openssl_speed_load(struct ls_openssl_speed *out, const char *path,
                                   struct ls_error *err)
{
    char *text;
    size_t size;
    enum ls_code code = ls_file_read(path, FILE_LIMIT, &text, &size, err);

    *out = (struct ls_openssl_speed){0};
    if (code == LS_OK) {
        code = ls_openssl_speed_parse(out, path, text, size, err);
        free(text);
    }
    return code;
}

/* A core there against one here; not above 0 with the reason in err. */
static double ratio_of(const char *key, const struct ls_openssl_speed *here,
                       const struct ls_openssl_speed *there, const char *path, struct ls_error *err)
{
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        if (strcmp(kinds[i].key, key) != 0) {
            continue;
        }
        if (there->sign_per_s[i] < 0) {
            (void)ls_error_set_at(err, path, 0, 0,
                                  "no line of %s: run `openssl speed %s` there and add what it "
                                  "prints",
                                  key, kinds[i].argument);
            return -1;
        }
        if (here->sign_per_s[i] < 0) {
            (void)ls_error_set_at(err, path, 0, 0,
                                  "the host that was measured has no `openssl speed %s` of its own "
                                  "for %s: run loginstorm calibrate there again, or state a factor",
                                  kinds[i].argument, key);
            return -1;
        }
        return there->sign_per_s[i] / here->sign_per_s[i];
    }
    (void)ls_error_set_at(err, path, 0, 0,
                          "`openssl speed` has no line of %s: state a factor, or measure a "
                          "handshake there with loginstorm calibrate",
                          key);
    return -1;
}

static void divide(double *ns, double speed)
{
    *ns = *ns < 0 ? *ns : *ns / speed;
}

static void divide_spread(struct ls_spread *spread, double speed)
{
    divide(&spread->mean_ns, speed);
    for (size_t i = 0; spread->count > 0 && i < LS_SPREAD_POINTS; i++) {
        spread->points_ns[i] = (int64_t)llround((double)spread->points_ns[i] / speed);
    }
}

/* The gateway's CPU alone: neither the users' devices nor the network are another's. */
static void divide_row(struct ls_cost *row, double speed)
{
    for (size_t i = 0; i < row->at_count; i++) {
        struct ls_cost_at *at = &row->at[i];

        divide(&at->cpu_ns, speed);
        divide(&at->user_ns, speed);
        divide(&at->system_ns, speed);
        divide(&at->tls_ns, speed);
        divide(&at->cpu_low_ns, speed);
        divide(&at->cpu_high_ns, speed);
        divide_spread(&at->hello, speed);
        divide_spread(&at->finish, speed);
    }
}

static enum ls_code same_version(const struct ls_openssl_speed *here,
                                 const struct ls_openssl_speed *there, const char *path,
                                 struct ls_error *err)
{
    if (there->version == NULL) {
        return ls_error_set_at(err, path, 0, 0,
                               "it names no version of OpenSSL: put what `openssl version` prints "
                               "there before it");
    }
    if (here->version == NULL) {
        return ls_error_set_at(err, path, 0, 0,
                               "the host that was measured has no `openssl speed` of its own: run "
                               "loginstorm calibrate there again where openssl is installed, or "
                               "state a factor");
    }
    if (strcmp(here->version, there->version) != 0) {
        return ls_error_set_at(err, path, 0, 0,
                               "OpenSSL %.40s there and %.40s here: between two libraries the "
                               "ratio says nothing of the CPU; measure a handshake there with "
                               "loginstorm calibrate",
                               there->version, here->version);
    }
    return LS_OK;
}

static enum ls_code set_translation(struct ls_costs *costs, const char *text, struct ls_error *err)
{
    char *words = NULL;

    if (costs->translation == NULL) {
        words = strdup(text);
    } else if (asprintf(&words, "%s, then %s", costs->translation, text) < 0) {
        words = NULL;
    }
    if (words == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    free(costs->translation);
    costs->translation = words;
    costs->low *= 1 - UNCERTAIN;
    costs->high *= 1 + UNCERTAIN;
    return LS_OK;
}

enum ls_code ls_costs_translate(struct ls_costs *costs, const struct ls_openssl_speed *here,
                                const struct ls_openssl_speed *there, const char *there_path,
                                struct ls_error *err)
{
    char text[400];
    size_t used;
    enum ls_code code;

    here = here == NULL ? &costs->openssl : here;
    code = same_version(here, there, there_path, err);
    used = (size_t)snprintf(text, sizeof text, "by openssl speed %.40s of both hosts (",
                            code == LS_OK ? here->version : "");
    for (size_t i = 0; code == LS_OK && i < costs->count; i++) {
        const char *key = costs->rows[i].key;
        const double ratio = ratio_of(key, here, there, there_path, err);
        bool told = false;

        for (size_t before = 0; before < i; before++) {
            told = told || strcmp(costs->rows[before].key, key) == 0;
        }
        code = ratio > 0 ? LS_OK : LS_EINPUT;
        if (code == LS_OK && !told && used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s x %.3g",
                                     i > 0 ? ", " : "", key, ratio);
        }
    }
    if (code == LS_OK) {
        (void)snprintf(text + (used < sizeof text - 2 ? used : sizeof text - 2), 2, ")");
        code = set_translation(costs, text, err);
    }
    for (size_t i = 0; code == LS_OK && i < costs->count; i++) {
        divide_row(&costs->rows[i], ratio_of(costs->rows[i].key, here, there, there_path, err));
    }
    return code;
}

enum ls_code ls_costs_scale(struct ls_costs *costs, double speed, struct ls_error *err)
{
    char text[64];
    enum ls_code code;

    if (!(speed >= 0.001 && speed <= 1000)) {
        return ls_error_set(err, LS_EINPUT,
                            "a CPU %g times as fast is out of range (0.001 to 1000)", speed);
    }
    if (fabs(speed - 1) < 1e-9) {
        return LS_OK;
    }
    (void)snprintf(text, sizeof text, "by a factor of %.6g", speed);
    code = set_translation(costs, text, err);
    if (code == LS_OK) {
        costs->factor /= speed;
    }
    return code;
}
