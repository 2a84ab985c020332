/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan for a spreadsheet. */
#include <math.h>
#include <stdlib.h>

#include "loginstorm/report.h"
#include "report/planned.h"

const char *planned_certificate(const struct ls_plan_row *row)
{
    return row->certificate == NULL ? "any certificate" : row->certificate;
}

void planned_missed(const struct ls_plan_farm *farm, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (int t = 0; t <= LS_PLAN_TARGETS && used < size; t++) {
        if ((farm->missed & 1U << t) != 0) {
            used += (size_t)snprintf(
                out + used, size - used, "%s%s", used > 0 ? ", " : "",
                t == LS_PLAN_TARGETS ? "capacity" : ls_plan_target_word((enum ls_plan_target)t));
        }
    }
}

/* Never and not known are empty. */
static void put_number(FILE *out, double value, double unit)
{
    if (value >= 0 && isfinite(value)) {
        (void)fprintf(out, ",%.15g", value / unit);
    } else {
        (void)fputc(',', out);
    }
}

static void put_csv_row(FILE *out, const struct ls_plan *plan, const struct ls_plan_row *row,
                        const char *name, int i)
{
    const struct ls_plan_spread unknown = {-1, -1};
    struct ls_plan_farm farm = row->cliff[i];
    char missed[128];

    planned_missed(&farm, missed, sizeof missed);
    if (farm.users == 0) {
        farm.p99_ns = farm.failed_share = farm.cpu_peak_share = farm.capacity_share = unknown;
        farm.syn_dropped = farm.timed_out = farm.attempts = unknown;
    }
    (void)fprintf(out, "%s,%s,%d,%d,%d,%d,%d", name, row->key == NULL ? "" : row->key,
                  row->gateways, row->gateways_low, row->gateways_high, plan->spare, plan->cores);
    put_number(out, row->single_cores, 1);
    put_number(out, (double)row->today_carries.users, 1);
    put_number(out, (double)row->carries.users, 1);
    (void)fprintf(out, ",%g,%lld", ls_plan_cliff_factors[i], (long long)farm.users);
    put_number(out, farm.p99_ns.median, 1000);
    put_number(out, farm.p99_ns.most, 1000);
    put_number(out, farm.failed_share.most, 1);
    put_number(out, farm.cpu_peak_share.most, 1);
    put_number(out, farm.capacity_share.most, 1);
    put_number(out, farm.syn_dropped.most, 1);
    put_number(out, farm.timed_out.most, 1);
    put_number(out, farm.attempts.most, 1);
    /* Where the search ended at more users than it looks at, the number is only what they are above. */
    (void)fprintf(out, ",\"%s\",%s,%s,%s\n", missed, ls_plan_break_word(farm.why),
                  row->today_carries.over ? "yes" : "no", row->carries.over ? "yes" : "no");
}

enum ls_code ls_report_plan_csv(const struct ls_plan *plan, FILE *out, struct ls_error *err)
{
    (void)fputs("certificate,key,gateways,gateways_low,gateways_high,spare,cores_each,"
                "cores_of_a_single_gateway,today_carries_users,planned_carries_users,times,users,"
                "p99_median_us,p99_p95_us,failed_share_p95,gateway_cpu_peak_share_p95,"
                "capacity_share_p95,syn_dropped_p95,timed_out_p95,attempts_per_login_p95,missed,"
                "breaks_first,today_carries_more,planned_carries_more\n",
                out);
    for (size_t i = 0; i < plan->rows_count; i++) {
        char *name = ls_csv_field(planned_certificate(&plan->rows[i]));

        if (name == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for the report");
        }
        for (int f = 0; f < LS_PLAN_CLIFF; f++) {
            /* Where no number of gateways does, there is no cliff; the row is there all the same. */
            if (f == 0 || plan->rows[i].cliff[f].users > 0) {
                put_csv_row(out, plan, &plan->rows[i], name, f);
            }
        }
        free(name);
    }
    if (fflush(out) != 0 || ferror(out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the report");
    }
    return LS_OK;
}
