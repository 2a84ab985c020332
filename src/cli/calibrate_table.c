/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/calibrate.h"

#include <math.h>
#include <string.h>

#include "cli/print.h"
#include "loginstorm/units.h"

/* µs as a table has them: three digits at least, no more than mean something. */
static void us(double ns, char *out, size_t size)
{
    char whole[32];

    if (ns < 0) {
        (void)snprintf(out, size, "-");
    } else if (ns < 99.95e3) {
        (void)snprintf(out, size, "%.1f", ns / 1e3);
    } else {
        ls_format_count(llround(ns / 1e3), whole, sizeof whole);
        (void)snprintf(out, size, "%s", whole);
    }
}

static void print_load(const char *name, const struct ls_cost_at *at, FILE *out)
{
    char per_s[32], tls[32], cpu[32], low[32], high[32], interval[72] = "-", p5[32], p50[32],
                                                         p95[32], carries[32];
    const bool spread = at->hello.count > 0;

    (void)snprintf(per_s, sizeof per_s, at->per_s < 100 ? "%.1f" : "%.0f", at->per_s);
    us(at->tls_ns, tls, sizeof tls);
    us(at->cpu_ns, cpu, sizeof cpu);
    if (at->cpu_low_ns >= 0) {
        us(at->cpu_low_ns, low, sizeof low);
        us(at->cpu_high_ns, high, sizeof high);
        (void)snprintf(interval, sizeof interval, "%s to %s", low, high);
    }
    us(spread ? (double)at->hello.points_ns[5] : -1, p5, sizeof p5);
    us(spread ? (double)at->hello.points_ns[50] : -1, p50, sizeof p50);
    us(spread ? (double)at->hello.points_ns[95] : -1, p95, sizeof p95);
    ls_format_count(llround(1e9 / at->cpu_ns), carries, sizeof carries);
    (void)fprintf(out, "%-26.26s %7s %4.0f %% %7s %7s %16s %7s %7s %7s %9s/s%s\n", name, per_s,
                  at->core_share * 100, tls, cpu, interval, p5, p50, p95, carries,
                  at->verdict == LS_SUSPECT ? "  suspect" : "");
}

static const struct kind *kind_of(const struct calibration *calibration, const struct ls_cost *row)
{
    for (size_t k = 0; k < calibration->kinds_count; k++) {
        const struct kind *kind = &calibration->kinds[k];
        const struct ls_tls_wish *tls = &kind->population.tls;

        if (strcmp(calibration->scenario->certificates[kind->certificate].name, row->certificate) ==
                0 &&
            row->resumed == (tls->resume_share > 0) &&
            strcmp(ls_tls_wish_group(tls), row->group) == 0 &&
            strcmp(ls_tls_wish_version(tls), row->version) == 0) {
            return kind;
        }
    }
    return NULL;
}

/* A line a load: how many of its rounds were not as they should be, and the gravest reason. */
static void load_reasons(const struct kind *kind, const struct load *load, FILE *out)
{
    const struct ls_validity *worst = NULL;
    size_t count = 0;

    for (size_t r = 0; r < load->rounds_count; r++) {
        const struct ls_validity *validity = &load->rounds[r].validity;

        count += validity->verdict != LS_VALID;
        if (validity->reasons_count > 0 && (worst == NULL || validity->verdict > worst->verdict)) {
            worst = validity;
        }
    }
    if (worst != NULL) {
        size_t at = 0;

        /* The sentence that says the verdict, of those that do not. */
        while (at + 1 < worst->reasons_count &&
               strstr(worst->reasons[at], ls_verdict_word(worst->verdict)) == NULL) {
            at++;
        }
        (void)fprintf(out, "%s at %.4g/s, %zu of %zu rounds: %s\n", kind->name, load->per_s, count,
                      load->rounds_count, worst->reasons[at]);
    }
}

void calibrate_reasons(const struct kind *kind, FILE *out)
{
    for (size_t i = 0; i < LOADS; i++) {
        load_reasons(kind, &kind->loads[i], out);
    }
    if (kind->limited) {
        (void)fprintf(out,
                      "%s: the injectors give no more than this; more of them, on cores of their "
                      "own, would (--injectors)\n",
                      kind->name);
    }
}

void calibrate_table(const struct calibration *calibration, const struct ls_costs *costs, FILE *out)
{
    struct ls_report_look look;
    const char *unit;

    look_of(&look, out, calibration->options);
    unit = look.utf8 ? "\xc2\xb5s" : "us";
    (void)fprintf(out,
                  "%s, %s (%s)\nCPU of one handshake in %s; hello: inside the TLS library up "
                  "to the server's flight\n\n",
                  costs->host_cpu, costs->tls_library, costs->tls_build, unit);
    (void)fprintf(out, "%-26s %7s %6s %7s %7s %16s %7s %7s %7s %11s\n", "handshake", "a second",
                  "core", "TLS", "whole", "95 % interval", "hello p5", "p50", "p95", "one core");
    for (size_t i = 0; i < costs->count; i++) {
        const struct ls_cost *row = &costs->rows[i];
        const struct kind *kind = kind_of(calibration, row);

        for (size_t a = 0; a < row->at_count; a++) {
            print_load(a > 0 ? "" : kind != NULL ? kind->name : row->certificate, &row->at[a], out);
        }
    }
    (void)fprintf(out, "\n");
    for (size_t k = 0; k < calibration->kinds_count; k++) {
        calibrate_reasons(&calibration->kinds[k], out);
    }
    if (costs->left_out != NULL) {
        (void)fprintf(out, "left out: %s\n", costs->left_out);
    }
}
