/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sheet.h"

#include <inttypes.h>
#include <string.h>

#include "loginstorm/units.h"
#include "report/page.h"

static void put_head(struct sheet *sheet, const struct metric *metric, const char *type)
{
    if (sheet->headed != NULL && strcmp(sheet->headed, metric->name) == 0) {
        return;
    }
    sheet->headed = metric->name;
    (void)fprintf(sheet->out, "# HELP loginstorm_%s %s\n# TYPE loginstorm_%s %s\n", metric->name,
                  metric->help, metric->name, type);
    if (metric->unit != NULL) {
        (void)fprintf(sheet->out, "# UNIT loginstorm_%s %s\n", metric->name, metric->unit);
    }
}

/* Bytes that are no UTF-8 would cost the reader the whole file. */
static void put_escaped(FILE *out, const char *text)
{
    while (*text != '\0') {
        uint32_t code;
        const size_t length = text_decode(text, &code);

        if (*text == '\\' || *text == '"') {
            (void)fputc('\\', out);
            (void)fputc(*text, out);
        } else if (*text == '\n') {
            (void)fputs("\\n", out);
        } else if (length == 1 && code == 0xfffd) {
            (void)fputc('?', out);
        } else {
            (void)fwrite(text, 1, length, out);
        }
        text += length;
    }
}

void sheet_put_label(struct sheet *sheet, const char *name, const char *value, bool first)
{
    (void)fprintf(sheet->out, "%s%s=\"", first ? "" : ",", name);
    put_escaped(sheet->out, value != NULL ? value : "");
    (void)fputc('"', sheet->out);
}

static const char *engine_of(const struct labels *labels)
{
    const struct ls_run *run = labels->run;

    if (run == NULL && labels->result->runs_count > 0) {
        run = &labels->result->runs[0];
    }
    return run == NULL || run->live ? "live" : "model";
}

/* Two samples of one name and the same labels would cost the reader the whole file, and names of
 * certificates need not differ: how many runs before this one have its name and round. */
static int twins_before(const struct labels *labels)
{
    const struct ls_run *run = labels->run;
    int count = 0;

    for (const struct ls_run *other = labels->result->runs; other < run; other++) {
        count += other->repeat == run->repeat && other->live == run->live &&
                 strcmp(other->certificate, run->certificate) == 0;
    }
    return count;
}

/* "loginstorm_NAME{...", without the end, for one more label. */
static void begin_line(struct sheet *sheet, const struct metric *metric, const char *suffix,
                       const struct labels *labels)
{
    char number[32];

    (void)fprintf(sheet->out, "loginstorm_%s%s{", metric->name, suffix);
    sheet_put_label(sheet, "scenario", labels->result->name, true);
    sheet_put_label(sheet, "engine", engine_of(labels), false);
    if (labels->run != NULL) {
        sheet_put_label(sheet, "certificate", labels->run->certificate, false);
        (void)snprintf(number, sizeof number, "%d", labels->run->repeat);
        sheet_put_label(sheet, "repeat", number, false);
        if (twins_before(labels) > 0) {
            (void)snprintf(number, sizeof number, "%d", twins_before(labels) + 1);
            sheet_put_label(sheet, "twin", number, false);
        }
    }
    if (labels->wave != NULL) {
        (void)snprintf(number, sizeof number, "%d", (int)(labels->wave - labels->run->waves) + 1);
        sheet_put_label(sheet, "loop", number, false);
        sheet_put_label(sheet, "shape", labels->wave->sequence ? "sequence" : "closed", false);
    }
    for (size_t i = 0; i < LABELS_MAX && labels->name[i] != NULL; i++) {
        sheet_put_label(sheet, labels->name[i], labels->value[i], false);
    }
}

static void put_seconds(struct sheet *sheet, int64_t ns)
{
    char text[48];
    size_t length;

    if (ns == INT64_MAX) {
        (void)fputs("} +Inf\n", sheet->out);
        return;
    }
    (void)snprintf(text, sizeof text, "%" PRId64 ".%09" PRId64, ns / LS_NS_PER_S, ns % LS_NS_PER_S);
    for (length = strlen(text); text[length - 1] == '0' && text[length - 2] != '.'; length--) {
        text[length - 1] = '\0';
    }
    (void)fprintf(sheet->out, "} %s\n", text);
}

void sheet_put(struct sheet *sheet, const struct metric *metric, const struct labels *labels,
               double value)
{
    put_head(sheet, metric, "gauge");
    begin_line(sheet, metric, "", labels);
    (void)fprintf(sheet->out, "} %.15g\n", value);
}

void sheet_put_ns(struct sheet *sheet, const struct metric *metric, const struct labels *labels,
                  int64_t ns)
{
    put_head(sheet, metric, "gauge");
    begin_line(sheet, metric, "", labels);
    put_seconds(sheet, ns);
}

void sheet_put_quantile(struct sheet *sheet, const struct metric *metric,
                        const struct labels *labels, const char *quantile, int64_t ns)
{
    put_head(sheet, metric, "summary");
    begin_line(sheet, metric, "", labels);
    sheet_put_label(sheet, "quantile", quantile, false);
    put_seconds(sheet, ns);
}

void sheet_put_summary(struct sheet *sheet, const struct metric *metric,
                       const struct labels *labels, const struct ls_quantiles *q)
{
    const struct {
        const char *quantile;
        int64_t ns;
    } rows[] = {{"0", q->min},    {"0.5", q->p50},     {"0.9", q->p90}, {"0.95", q->p95},
                {"0.99", q->p99}, {"0.999", q->p99_9}, {"1", q->p100}};
    const double mean = q->count > 0 && q->mean >= 0 ? (double)q->mean / 1e9 : 0;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (q->count > 0 && rows[i].ns >= 0) {
            sheet_put_quantile(sheet, metric, labels, rows[i].quantile, rows[i].ns);
        }
    }
    put_head(sheet, metric, "summary");
    begin_line(sheet, metric, "_sum", labels);
    (void)fprintf(sheet->out, "} %.15g\n", mean * (double)q->count);
    begin_line(sheet, metric, "_count", labels);
    (void)fprintf(sheet->out, "} %" PRId64 "\n", q->count);
}
