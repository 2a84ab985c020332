/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact results of queueing theory (tests/data/queue_vectors.csv tells formulas and sources) against
 * independent mornings: each figure's mean over them lies within Student's interval at alpha = 0.001. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <stdio.h>

#include "model/draw.h"
#include "unit/model/kit.h"

#define COLUMNS 23
#define ALPHA 0.001

enum column {
    SECTION,
    MODEL,
    SERVERS,
    RHO,
    LAMBDA,
    MEAN_SERVICE,
    SCV,
    P_WAIT,
    MEAN_WAIT,
    WAIT_P50,
    WAIT_P95,
    WAIT_P99,
    WAIT_P999,
    MEAN_SOJOURN,
    SOJOURN_P50,
    SOJOURN_P95,
    SOJOURN_P99,
    SOJOURN_P999,
    MEAN_QUEUE,
    P_LOSS,
    EXTRA,
};

struct row {
    char text[512];
    char *cells[COLUMNS];
    double lambda, scv, mean_service;
    int servers;
};

typedef void each_row(const struct row *row);

static void read_rows(const char *section, each_row *each, int expected)
{
    FILE *file = fopen(LS_SOURCE_DIR "/tests/data/queue_vectors.csv", "r");
    struct row row;
    int met = 0;

    assert_non_null(file);
    while (fgets(row.text, sizeof row.text, file) != NULL) {
        char *rest = row.text;

        for (int i = 0; i < COLUMNS; i++) {
            char *cell = strsep(&rest, ",");

            row.cells[i] = cell == NULL ? row.text + strlen(row.text) : cell;
        }
        if (strcmp(row.cells[SECTION], section) == 0) {
            row.servers = atoi(row.cells[SERVERS]);
            row.lambda = atof(row.cells[LAMBDA]);
            row.scv = atof(row.cells[SCV]);
            row.mean_service = atof(row.cells[MEAN_SERVICE]);
            each(&row);
            met++;
        }
    }
    (void)fclose(file);
    assert_int_equal(met, expected);
}

/* A figure over independent mornings. */
struct figure {
    double sum, squares;
    int count;
};

static void add(struct figure *figure, double value)
{
    figure->sum += value;
    figure->squares += value * value;
    figure->count++;
}

static void agrees(const struct row *row, const char *what, const struct figure *figure,
                   const char *cell)
{
    const double n = figure->count;
    const double mean = figure->sum / n;
    const double variance = fmax(0, (figure->squares - n * mean * mean) / (n - 1));
    const double t = gsl_cdf_tdist_Pinv(1 - ALPHA / 2, n - 1);
    const double half = t * sqrt(variance / n) + 1e-9;
    double exact;

    if (cell[0] == '\0') {
        return;
    }
    exact = atof(cell);
    if (fabs(mean - exact) > half) {
        fail_msg("%s rho %s, %s: %.6g +- %.2g, exactly %.8g", row->cells[MODEL], row->cells[RHO],
                 what, mean, half, exact);
    }
}

static struct ls_service service_of(const struct row *row, double scv)
{
    return (struct ls_service){
        .law = scv <= 0 ? LS_LAW_FIXED
               : fabs(scv - 1) < 1e-9 && strncmp(row->cells[MODEL], "M/LN", 4) != 0
                   ? LS_LAW_EXPONENTIAL
                   : LS_LAW_LOGNORMAL,
        .mean_ns = row->mean_service * 1e9,
        .scv = scv,
    };
}

static struct ls_model *model_of(const struct kit *kit)
{
    struct ls_model *model;
    struct ls_error err;

    assert_int_equal(ls_model_new(&model, &kit->wish, &err), LS_OK);
    return model;
}

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

static double quantile(const double *sorted, size_t count, double q)
{
    return sorted[(size_t)ceil(q * (double)count) - 1];
}

/* The draw that the model took for a row's first burst. */
static double service_s(const struct drawer *drawer, const struct kit *kit, size_t row)
{
    return (double)drawer_service_ns(drawer, &kit->population.full.steps[0].burst, row,
                                     (UINT64_C(1) << 8) * LS_MODEL_STEPS_MAX) /
           1e9;
}

enum { WAIT, P50, P95, P99, WAITED, SOJOURN, S50, S95, S99, LOSS, FIGURES };

/* One morning's figures, of those who came after the warm-up. */
static void measure(struct figure *figures, const struct kit *kit, const struct ls_model *model,
                    const struct drawer *drawer, size_t from, double *waits, double *sojourns)
{
    size_t count, accepted = 0, lost = 0, waited = 0;
    const struct ls_login *rows = ls_model_logins(model, &count);
    double wait = 0, sojourn = 0;

    for (size_t i = from; i < count; i++) {
        if (rows[i].outcome != LS_OUTCOME_LOGGED_IN) {
            lost++;
            continue;
        }
        sojourns[accepted] = (double)(rows[i].done_ns - rows[i].due_ns) / 1e9;
        waits[accepted] = fmax(0, sojourns[accepted] - service_s(drawer, kit, i));
        waited += waits[accepted] > 1.5e-9;
        wait += waits[accepted];
        sojourn += sojourns[accepted];
        accepted++;
    }
    qsort(waits, accepted, sizeof *waits, ascending);
    qsort(sojourns, accepted, sizeof *sojourns, ascending);
    add(&figures[WAIT], wait / (double)accepted);
    add(&figures[SOJOURN], sojourn / (double)accepted);
    add(&figures[WAITED], (double)waited / (double)accepted);
    add(&figures[P50], quantile(waits, accepted, 0.5));
    add(&figures[P95], quantile(waits, accepted, 0.95));
    add(&figures[P99], quantile(waits, accepted, 0.99));
    add(&figures[S50], quantile(sojourns, accepted, 0.5));
    add(&figures[S95], quantile(sojourns, accepted, 0.95));
    add(&figures[S99], quantile(sojourns, accepted, 0.99));
    add(&figures[LOSS], (double)lost / (double)(count - from));
}

/* Sanitizers look at the code, which fewer mornings show them as well; the intervals are wider then. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MORNINGS 5
#endif
#endif
#ifndef MORNINGS
#define MORNINGS 20
#endif

static void play(const struct row *row, struct kit *kit, size_t warm_up, size_t customers,
                 struct figure *figures)
{
    const size_t count = warm_up + customers;
    struct ls_model *model = model_of(kit);
    struct drawer drawer;
    struct ls_error err;
    double *waits = calloc(count, sizeof *waits), *sojourns = calloc(count, sizeof *sojourns);

    memset(figures, 0, FIGURES * sizeof *figures);
    drawer_init(&drawer);
    for (uint64_t morning = 0; morning < MORNINGS; morning++) {
        kit_poisson(kit, count, 1e9 / row->lambda, 1000 + morning);
        drawer_seed(&drawer, morning);
        assert_int_equal(ls_model_run(model, kit->schedule, morning, &err), LS_OK);
        measure(figures, kit, model, &drawer, warm_up, waits, sojourns);
    }
    free(waits);
    free(sojourns);
    ls_model_free(model);
    kit_free(kit);
}

static void steady(const struct row *row)
{
    const bool full = atof(row->cells[RHO]) > 0.9;
    const size_t warm_up = !full ? 2000 : row->scv > 1 ? 20000 : 10000; /* it forgets slowly */
    struct figure figures[FIGURES];
    struct kit kit;

    kit_init(&kit, service_of(row, row->scv));
    kit.wish.farm.cores = row->servers;
    play(row, &kit, warm_up, full ? 3 * warm_up : 15000, figures);
    agrees(row, "mean wait", &figures[WAIT], row->cells[MEAN_WAIT]);
    agrees(row, "p_wait", &figures[WAITED], row->cells[P_WAIT]);
    agrees(row, "wait p50", &figures[P50], row->cells[WAIT_P50]);
    agrees(row, "wait p95", &figures[P95], row->cells[WAIT_P95]);
    agrees(row, "wait p99", &figures[P99], row->cells[WAIT_P99]);
    agrees(row, "mean sojourn", &figures[SOJOURN], row->cells[MEAN_SOJOURN]);
    agrees(row, "sojourn p50", &figures[S50], row->cells[SOJOURN_P50]);
    agrees(row, "sojourn p95", &figures[S95], row->cells[SOJOURN_P95]);
    agrees(row, "sojourn p99", &figures[S99], row->cells[SOJOURN_P99]);
}

static void waits_and_sojourns_of_a_steady_queue(void **state)
{
    (void)state;
    read_rows("steady_wait", steady, 17);
}

/* Who finds no place does not come again: his time is over before the SYN would. */
static void limit(struct kit *kit, const struct row *row, int64_t backlog)
{
    kit->wish.farm.cores = row->servers;
    kit->wish.farm.backlog = backlog;
    kit->wish.login.connect_timeout_ns = LS_NS_PER_MS;
}

static void loss(const struct row *row)
{
    static const double scvs[] = {0, 1, 4}; /* Erlang B holds for any law */
    struct figure figures[FIGURES];
    struct kit kit;

    for (size_t i = 0; i < sizeof scvs / sizeof scvs[0]; i++) {
        kit_init(&kit, service_of(row, scvs[i]));
        limit(&kit, row, 0);
        play(row, &kit, 1000, 10000, figures);
        agrees(row, "loss", &figures[LOSS], row->cells[P_LOSS]);
    }
}

static void loss_without_a_backlog(void **state)
{
    (void)state;
    read_rows("loss", loss, 8);
}

static void with_places(const struct row *row)
{
    const char *places = strrchr(row->cells[MODEL], '/') + 1;
    struct figure figures[FIGURES];
    struct kit kit;

    kit_init(&kit, service_of(row, 1));
    limit(&kit, row, atoi(places) - row->servers);
    play(row, &kit, 2000, 20000, figures);
    agrees(row, "loss", &figures[LOSS], row->cells[P_LOSS]);
    agrees(row, "p_wait", &figures[WAITED], row->cells[P_WAIT]);
    agrees(row, "mean wait", &figures[WAIT], row->cells[MEAN_WAIT]);
    agrees(row, "mean sojourn", &figures[SOJOURN], row->cells[MEAN_SOJOURN]);
}

static void waits_and_losses_with_a_backlog(void **state)
{
    (void)state;
    read_rows("finite_buffer", with_places, 4);
}

/* Who waits longer than his patience leaves the queue; who is being served by then is served to the end,
 * though nobody is there any more. */
static void patience(const struct row *row)
{
    const double tau_s = atof(strchr(row->cells[EXTRA], '=') + 1);
    struct figure abandoned = {0};
    struct ls_model *model;
    struct ls_error err;
    struct kit kit;

    kit_init(&kit, service_of(row, 1));
    kit.wish.farm.cores = row->servers;
    kit.wish.farm.drops_closed = true;
    kit.wish.login.handshake_timeout_ns = (int64_t)(tau_s * 1e9);
    model = model_of(&kit);
    for (uint64_t morning = 0; morning < MORNINGS; morning++) {
        kit_poisson(&kit, 10000, 1e9 / row->lambda, 2000 + morning);
        assert_int_equal(ls_model_run(model, kit.schedule, morning, &err), LS_OK);
        add(&abandoned, (double)ls_model_facts(model)->dropped / 10000);
    }
    agrees(row, "abandoned", &abandoned, row->cells[P_LOSS]);
    ls_model_free(model);
    kit_free(&kit);
}

static void who_runs_out_of_patience(void **state)
{
    (void)state;
    read_rows("abandon_det", patience, 12);
}

static int64_t ns_of(double s)
{
    return (int64_t)(s * 1e9 + 0.5);
}

/* All at once, or evenly over a minute: no randomness, so exact. */
static void finite_set(const struct row *row)
{
    const size_t count = (size_t)atoi(strchr(row->cells[EXTRA], '=') + 1);
    const bool ramp = strcmp(row->cells[SECTION], "ramp") == 0;
    int64_t *sojourns = calloc(count, sizeof *sojourns);
    const struct ls_login *rows;
    struct ls_quantiles quantiles;
    struct ls_model *model;
    struct ls_error err;
    struct kit kit;
    size_t met;

    kit_init(&kit, service_of(row, 0));
    kit.wish.farm.cores = row->servers;
    (void)kit_schedule(&kit, count);
    for (size_t i = 0; ramp && i < count; i++) {
        kit.schedule->rows[i].due_ns = (int64_t)i * 60 * LS_NS_PER_S / (int64_t)count;
    }
    model = model_of(&kit);
    assert_int_equal(ls_model_run(model, kit.schedule, 1, &err), LS_OK);
    rows = ls_model_logins(model, &met);
    assert_int_equal(met, count);
    for (size_t i = 0; i < count; i++) {
        sojourns[i] = rows[i].done_ns - rows[i].due_ns;
    }
    ls_quantiles_of(sojourns, count, &quantiles);
    if (ramp) {
        const int64_t service_ns = ns_of(row->mean_service);

        assert_int_equal(quantiles.mean, ns_of(atof(row->cells[MEAN_SOJOURN])));
        assert_int_equal(quantiles.p50 - service_ns, ns_of(atof(row->cells[WAIT_P50])));
        assert_int_equal(quantiles.p95 - service_ns, ns_of(atof(row->cells[WAIT_P95])));
        assert_int_equal(quantiles.p99 - service_ns, ns_of(atof(row->cells[WAIT_P99])));
        assert_int_equal(quantiles.p99_9 - service_ns, ns_of(atof(row->cells[WAIT_P999])));
        assert_int_equal(quantiles.p100 - service_ns,
                         ns_of(atof(strstr(row->cells[EXTRA], "p100=") + 5)));
    } else {
        assert_in_range(quantiles.mean - ns_of(atof(row->cells[MEAN_SOJOURN])) + 10, 0, 20);
        assert_int_equal(quantiles.p50, ns_of(atof(row->cells[SOJOURN_P50])));
        assert_int_equal(quantiles.p100, ns_of(atof(strstr(row->cells[EXTRA], "p100=") + 5)));
    }
    free(sojourns);
    ls_model_free(model);
    kit_free(&kit);
}

static void a_finite_set_exactly(void **state)
{
    (void)state;
    read_rows("batch", finite_set, 2);
    read_rows("ramp", finite_set, 2);
}

/* The intensities of the time-varying rows, a second. */
static double storm(double t)
{
    return t < 60 ? 150 * t / 60 : t < 120 ? 150 * (120 - t) / 60 : 0;
}
static double morning(double t)
{
    return 1 + 9 * exp(-(t - 1800) * (t - 1800) / (2.0 * 300 * 300));
}
static double sine(double t)
{
    return 10 * (1 + 0.95 * sin(2 * 3.14159265358979323846 * t / 8));
}

/* A Poisson process of that intensity up to a probe at t, by thinning. */
static void thin(struct kit *kit, double (*rate)(double), double most, double t, uint64_t seed)
{
    const size_t room = (size_t)(most * t * 1.2) + 1000;
    struct ls_schedule *schedule = kit_schedule(kit, room);
    double at = 0;
    size_t count = 0;

    for (uint64_t i = 0; count + 1 < room; i++) {
        at -= log(ls_random_unit(seed, LS_STREAM_ARRIVAL, i, 0)) / most;
        if (at >= t) {
            break;
        }
        if (ls_random_unit(seed, LS_STREAM_ARRIVAL, i, 1) * most < rate(at)) {
            schedule->rows[count++].due_ns = ns_of(at);
        }
    }
    assert_true(count + 1 < room);
    schedule->rows[count++].due_ns = ns_of(t);
    schedule->count = count;
}

/* What one who comes at t waits. */
static void varying(const struct row *row)
{
    const double t = atof(strstr(row->cells[EXTRA], "t=") + 2);
    const bool is_storm = strstr(row->cells[MODEL], "storm") != NULL;
    const bool is_sine = strstr(row->cells[MODEL], "sine") != NULL;
    const uint64_t probes = is_storm ? 40 : is_sine ? 600 : 300;
    struct figure wait = {0}, waited = {0};
    struct ls_model *model;
    struct drawer drawer;
    struct ls_error err;
    struct kit kit;

    kit_init(&kit, service_of(row, 1));
    kit.wish.farm.cores = row->servers;
    model = model_of(&kit);
    drawer_init(&drawer);
    for (uint64_t i = 0; i < probes; i++) {
        const struct ls_login *rows;
        size_t count;
        double s;

        thin(&kit,
             is_storm  ? storm
             : is_sine ? sine
                       : morning,
             is_storm  ? 150
             : is_sine ? 19.5
                       : 10,
             t, 3000 + i);
        drawer_seed(&drawer, i);
        assert_int_equal(ls_model_run(model, kit.schedule, i, &err), LS_OK);
        rows = ls_model_logins(model, &count);
        s = (double)(rows[count - 1].done_ns - rows[count - 1].due_ns) / 1e9 -
            service_s(&drawer, &kit, count - 1);
        add(&wait, s);
        add(&waited, s > 1.5e-9);
    }
    agrees(row, row->cells[EXTRA], &wait, row->cells[MEAN_WAIT]);
    if (atof(row->cells[P_WAIT]) < 0.99) {
        agrees(row, row->cells[EXTRA], &waited, row->cells[P_WAIT]);
    }
    ls_model_free(model);
    kit_free(&kit);
}

static void waits_where_the_rate_varies(void **state)
{
    (void)state;
    read_rows("time_varying", varying, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_and_sojourns_of_a_steady_queue),
        cmocka_unit_test(loss_without_a_backlog),
        cmocka_unit_test(waits_and_losses_with_a_backlog),
        cmocka_unit_test(who_runs_out_of_patience),
        cmocka_unit_test(a_finite_set_exactly),
        cmocka_unit_test(waits_where_the_rate_varies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
