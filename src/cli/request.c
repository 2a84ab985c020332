/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loginstorm request: private keys and what a CA is to sign, a set of files for each certificate. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/print.h"
#include "cli/request.h"
#include "loginstorm/file.h"
#include "loginstorm/tls.h"

enum { KEY, CSR, INF, FILES };
static const char *const endings[FILES] = {"key", "csr", "inf"};

struct paper {
    const struct ls_certificate *certificate;
    const char **names; /* NULL-ended; of the scenario */
    char word[96];      /* of the file names */
    char *text[FILES];  /* NULL where there is no such file */
    bool written[FILES];
};

struct papers {
    const struct ls_scenario *scenario;
    char folder[PATH_MAX];
    struct paper *paper;
    size_t count;
};

static void path_of(const struct papers *papers, const struct paper *paper, const char *ending,
                    char *out, size_t size)
{
    (void)snprintf(out, size, "%s/%s.%s", papers->folder, paper->word, ending);
}

/* "RSA 4096" -> "rsa-4096": ASCII letters and digits, for any file system and command line. */
static void file_word(const char *name, char *out, size_t size)
{
    size_t used = 0;

    for (const char *c = name; *c != '\0' && used + 2 < size; c++) {
        if ((unsigned char)*c < 128 && isalnum((unsigned char)*c)) {
            out[used++] = (char)tolower((unsigned char)*c);
        } else if (used > 0 && out[used - 1] != '-') {
            out[used++] = '-';
        }
    }
    while (used > 0 && out[used - 1] == '-') {
        used--;
    }
    out[used] = '\0';
}

/* The certificate's own server name, or all that the populations ask for, each once. */
static enum ls_code gather_names(struct paper *paper, const struct ls_scenario *scenario,
                                 struct ls_error *err)
{
    size_t count = 0;

    paper->names = calloc(scenario->populations_count + 2, sizeof *paper->names);
    if (paper->names == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a certificate's names");
    }
    if (paper->certificate->server_name != NULL) {
        paper->names[0] = paper->certificate->server_name;
        return LS_OK;
    }
    for (size_t i = 0; i < scenario->populations_count; i++) {
        const char *name = scenario->populations[i].tls.server_name;
        size_t at = 0;

        while (at < count && strcmp(paper->names[at], name) != 0) {
            at++;
        }
        if (at == count) {
            paper->names[count++] = name;
        }
    }
    return LS_OK;
}

/* Nobody's name: what a scenario says that names none. A CA must not be asked to sign it. */
static enum ls_code check_names(const struct paper *paper, struct ls_error *err)
{
    const struct ls_certificate *certificate = paper->certificate;

    for (const char **name = paper->names; *name != NULL; name++) {
        if (strcmp(*name, LS_SERVER_NAME_DEFAULT) == 0) {
            return ls_error_set_at(
                err, certificate->origin, certificate->line, certificate->column,
                "%.60s: no server_name says which name its users ask for, and nobody should have "
                "%s signed; write the gateway's, as server_name: of the certificate or with --set "
                "populations.0.tls.server_name=gw.example.com",
                certificate->name, LS_SERVER_NAME_DEFAULT);
        }
    }
    return LS_OK;
}

static enum ls_code gather(struct papers *papers, struct ls_error *err)
{
    const struct ls_scenario *scenario = papers->scenario;

    papers->paper = calloc(scenario->certificates_count + 1, sizeof *papers->paper);
    if (papers->paper == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the requests");
    }
    for (size_t i = 0; i < scenario->certificates_count; i++) {
        struct paper *paper = &papers->paper[papers->count];
        enum ls_code code;

        if (scenario->certificates[i].key == LS_KEY_FILE) {
            continue; /* it has a key and a certificate */
        }
        papers->count++;
        paper->certificate = &scenario->certificates[i];
        file_word(paper->certificate->name, paper->word, sizeof paper->word);
        if (paper->word[0] == '\0') {
            return ls_error_set(err, LS_EINPUT,
                                "certificates.%zu.name: \"%s\" has no letter or digit that could "
                                "name a file",
                                i, paper->certificate->name);
        }
        for (const struct paper *other = papers->paper; other < paper; other++) {
            if (strcmp(other->word, paper->word) == 0) {
                return ls_error_set(
                    err, LS_EINPUT,
                    "certificates.%zu.name: \"%s\" and \"%s\" would both be %s.key; "
                    "rename one of them",
                    i, other->certificate->name, paper->certificate->name, paper->word);
            }
        }
        code = gather_names(paper, scenario, err);
        code = code == LS_OK ? check_names(paper, err) : code;
        if (code != LS_OK) {
            return code;
        }
    }
    return papers->count > 0
               ? LS_OK
               : ls_error_set(err, LS_EINPUT,
                              "no certificate of the scenario needs a request: give it one with a "
                              "key kind, like certificates: [{name: RSA 4096, key: rsa-4096}]");
}

/* A private key that is there may be the only one of a certificate that somebody uses. */
static enum ls_code find_room(const struct papers *papers, struct ls_error *err)
{
    for (size_t i = 0; i < papers->count; i++) {
        for (size_t n = 0; n < FILES; n++) {
            char path[PATH_MAX + 128];
            struct stat info;

            path_of(papers, &papers->paper[i], endings[n], path, sizeof path);
            if (lstat(path, &info) == 0) {
                return ls_error_set(err, LS_ECREATE,
                                    "%s is there already and stays; nothing was written. Move it "
                                    "away, or take another folder with --out",
                                    path);
            }
        }
    }
    return LS_OK;
}

static enum ls_code make(struct paper *paper, struct ls_error *err)
{
    const struct ls_request_wish wish = {.key = ls_key_name(paper->certificate->key),
                                         .names = paper->names};
    struct ls_request *request;
    enum ls_code code = ls_request_new(&request, &wish, err);

    if (code != LS_OK) {
        return code;
    }
    paper->text[KEY] = request->private_key;
    paper->text[CSR] = request->request;
    request->private_key = request->request = NULL;
    ls_request_free(request);
    return request_inf(&paper->text[INF], paper->certificate->key, paper->names, err);
}

static enum ls_code write_one(const struct papers *papers, struct paper *paper, size_t which,
                              struct ls_error *err)
{
    char path[PATH_MAX + 128];
    struct ls_file file;
    mode_t mask;
    enum ls_code code;

    path_of(papers, paper, endings[which], path, sizeof path);
    /* From its first byte on nobody else may open a private key. */
    mask = umask(0077);
    if (which != KEY) {
        (void)umask(mask);
    }
    code = ls_file_create(&file, path, err);
    (void)umask(mask);
    if (code != LS_OK) {
        return code;
    }
    (void)fputs(paper->text[which], file.stream);
    code = ls_file_commit(&file, err);
    paper->written[which] = code == LS_OK;
    return code;
}

/* All of them or none. */
static enum ls_code write_all(struct papers *papers, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < papers->count * FILES; i++) {
        if (papers->paper[i / FILES].text[i % FILES] != NULL) {
            code = write_one(papers, &papers->paper[i / FILES], i % FILES, err);
        }
    }
    for (size_t i = 0; code != LS_OK && i < papers->count * FILES; i++) {
        char path[PATH_MAX + 128];

        if (papers->paper[i / FILES].written[i % FILES]) {
            path_of(papers, &papers->paper[i / FILES], endings[i % FILES], path, sizeof path);
            (void)unlink(path);
        }
    }
    return code;
}

static enum ls_code open_folder(struct papers *papers, const char *out, struct ls_error *err)
{
    enum ls_code code = ls_folder_make(out, err);

    if (code == LS_OK && realpath(out, papers->folder) == NULL) {
        code = ls_error_set_errno(err, LS_ECREATE, "cannot find the folder %s", out);
    }
    return code;
}

static enum ls_code work(struct papers *papers, const struct options *options, struct ls_error *err)
{
    enum ls_code code = gather(papers, err);

    if (code == LS_OK) {
        code = open_folder(papers, options->out == NULL ? "requests" : options->out, err);
    }
    if (code == LS_OK) {
        code = find_room(papers, err);
    }
    if (code != LS_OK) {
        return code;
    }
    code = ls_tls_start(err);
    for (size_t i = 0; code == LS_OK && i < papers->count; i++) {
        code = make(&papers->paper[i], err);
    }
    if (code == LS_OK) {
        code = write_all(papers, err);
    }
    ls_tls_stop();
    return code;
}

static void clear(struct papers *papers)
{
    for (size_t i = 0; i < papers->count; i++) {
        struct paper *paper = &papers->paper[i];

        if (paper->text[KEY] != NULL) {
            explicit_bzero(paper->text[KEY], strlen(paper->text[KEY]));
        }
        for (size_t n = 0; n < FILES; n++) {
            free(paper->text[n]);
        }
        free(paper->names);
    }
    free(papers->paper);
}

/* In double quotes, as YAML and JSON have it. */
static void put_quoted(const char *text)
{
    (void)putchar('"');
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7f) {
            (void)printf("\\x%02x", (unsigned char)*text);
        } else {
            (void)printf("%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
        }
    }
    (void)putchar('"');
}

static void list(const struct papers *papers)
{
    (void)printf("In %s:\n", papers->folder);
    for (size_t i = 0; i < papers->count; i++) {
        const struct paper *paper = &papers->paper[i];

        (void)printf(
            "  %s.key  private key (%s), readable by you alone\n  %s.csr  its request, for",
            paper->word, ls_key_name(paper->certificate->key), paper->word);
        for (const char **name = paper->names; *name != NULL; name++) {
            (void)printf(" %s", *name);
        }
        if (paper->text[INF] != NULL) {
            (void)printf("\n  %s.inf  or this: the same for certreq, which makes another key on a "
                         "Windows machine\n",
                         paper->word);
        } else {
            (void)printf("\n  (no %s.inf: a Windows CA does not sign %s)\n", paper->word,
                         ls_key_name(paper->certificate->key));
        }
    }
}

static bool is_post_quantum(const struct paper *paper)
{
    return paper->certificate->key == LS_KEY_ML_DSA_44 ||
           paper->certificate->key == LS_KEY_ML_DSA_65;
}

static void put_signing(const struct papers *papers, bool post_quantum)
{
    for (size_t i = 0; i < papers->count; i++) {
        if (is_post_quantum(&papers->paper[i]) == post_quantum) {
            (void)printf(
                "  openssl x509 -req -in %s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 90 "
                "-copy_extensions copy -out %s.pem\n",
                papers->paper[i].word, papers->paper[i].word);
        }
    }
}

static void explain_openssl(const struct papers *papers)
{
    size_t post_quantum = 0;

    for (size_t i = 0; i < papers->count; i++) {
        post_quantum += is_post_quantum(&papers->paper[i]);
    }
    (void)printf(
        "or by a CA of OpenSSL, for a test. This line makes one (ca.key signs, ca.pem is its "
        "certificate):\n"
        "  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout ca.key "
        "-out ca.pem -days 90 -subj \"/CN=Test CA\" -addext keyUsage=critical,keyCertSign\n");
    if (post_quantum < papers->count) {
        (void)printf("and it signs with:\n");
        put_signing(papers, false);
    }
    if (post_quantum > 0) {
        (void)printf("and, with OpenSSL 3.5 or later (older ones, like Debian 12's 3.0, know no "
                     "ML-DSA and fail):\n");
        put_signing(papers, true);
    }
}

static void explain(const struct papers *papers)
{
    bool windows = false;

    (void)printf("\nTo have them signed in that folder, by a Windows CA (ADCS; the template's name "
                 "may be another):\n");
    for (size_t i = 0; i < papers->count; i++) {
        if (papers->paper[i].text[INF] != NULL) {
            windows = true;
            (void)printf(
                "  certreq -submit -attrib \"CertificateTemplate:WebServer\" %s.csr %s.pem\n",
                papers->paper[i].word, papers->paper[i].word);
        }
    }
    if (!windows) {
        (void)printf("  (none of these)\n");
    }
    explain_openssl(papers);
    (void)printf(
        "Each .pem begins with its own certificate. If the CA that signed it was itself signed by "
        "another, append that CA's\ncertificate to the .pem, and so on upwards; the topmost one "
        "(the root) stays out of it: users have it, and it is\nthe file under trust. Put these "
        "lines into the scenario; ca.pem is the root's certificate:\n\ncertificates:\n");
    for (size_t i = 0; i < papers->count; i++) {
        const struct paper *paper = &papers->paper[i];
        char path[PATH_MAX + 128];

        (void)printf("  - name: ");
        put_quoted(paper->certificate->name);
        if (paper->certificate->server_name != NULL) {
            (void)printf("\n    server_name: ");
            put_quoted(paper->certificate->server_name);
        }
        (void)printf("\n    chain: ");
        path_of(papers, paper, "pem", path, sizeof path);
        put_quoted(path);
        (void)printf("\n    private_key: ");
        path_of(papers, paper, "key", path, sizeof path);
        put_quoted(path);
        (void)printf("\n    trust: ");
        (void)snprintf(path, sizeof path, "%s/ca.pem", papers->folder);
        put_quoted(path);
        (void)printf("\n");
    }
}

int command_request(const struct options *options)
{
    struct papers papers = {.count = 0};
    struct ls_scenario *scenario;
    struct ls_error err;
    int status = load_scenario(&scenario, options);

    if (status != 0) {
        return status;
    }
    papers.scenario = scenario;
    if (work(&papers, options, &err) != LS_OK) {
        status = print_error(&err);
    } else {
        list(&papers);
        explain(&papers);
    }
    clear(&papers);
    ls_scenario_free(scenario);
    return status;
}
