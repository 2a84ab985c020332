/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/scalar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loginstorm/units.h"

/* The same number to the last bit; both are finite. */
static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* Plain decimals, no exponent: the format has none. Digits enough for the smallest share that
 * matters. */
void ls_scalar_write_number(double number, char out[LS_SCALAR_MAX])
{
    for (int digits = 0; digits <= 36; digits++) {
        double back = 0;

        (void)snprintf(out, LS_SCALAR_MAX, "%.*f", digits, number);
        if (ls_scalar_number(out, &back) && same(back, number)) {
            return;
        }
    }
}

void ls_scalar_write_share(double share, char out[LS_SCALAR_MAX])
{
    for (int digits = 0; digits <= 6; digits++) {
        double back = 0;

        (void)snprintf(out, LS_SCALAR_MAX, "%.*f%%", digits, share * 100);
        if (ls_scalar_share(out, &back) && same(back, share)) {
            return;
        }
    }
    ls_scalar_write_number(share, out);
}

void ls_scalar_write_rate(double per_s, char out[LS_SCALAR_MAX])
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"/min", 60}, {"/s", 1}, {"/h", 3600}};
    double back = 0;

    for (int digits = 0; digits <= 6; digits++) {
        for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
            (void)snprintf(out, LS_SCALAR_MAX, "%.*f%s", digits, per_s * units[i].seconds,
                           units[i].unit);
            if (ls_scalar_rate(out, &back) && same(back, per_s)) {
                return;
            }
        }
    }
    ls_scalar_write_number(per_s, out);
    (void)snprintf(out + strlen(out), LS_SCALAR_MAX - strlen(out), "/s");
}

void ls_scalar_write_size(int64_t bytes, char out[LS_SCALAR_MAX])
{
    static const struct {
        const char *unit;
        int64_t factor;
    } units[] = {{"GiB", INT64_C(1) << 30},
                 {"GB", 1000000000},
                 {"MiB", 1 << 20},
                 {"MB", 1000000},
                 {"KiB", 1024},
                 {"kB", 1000},
                 {"B", 1}};
    size_t i = 0;

    while (units[i].factor > 1 && (bytes == 0 || bytes % units[i].factor != 0)) {
        i++;
    }
    (void)snprintf(out, LS_SCALAR_MAX, "%" PRId64 "%s", bytes / units[i].factor, units[i].unit);
}

void ls_scalar_write_clock(int64_t ns, char out[LS_SCALAR_MAX])
{
    const int64_t second = ns / LS_NS_PER_S;
    const int64_t rest = ns % LS_NS_PER_S;
    int n =
        snprintf(out, LS_SCALAR_MAX, "%02" PRId64 ":%02" PRId64, second / 3600, second / 60 % 60);

    if ((second % 60 != 0 || rest != 0) && n > 0) {
        n += snprintf(out + n, LS_SCALAR_MAX - (size_t)n, ":%02" PRId64, second % 60);
    }
    if (rest != 0 && n > 0) {
        (void)snprintf(out + n, LS_SCALAR_MAX - (size_t)n, ".%09" PRId64, rest);
    }
}
