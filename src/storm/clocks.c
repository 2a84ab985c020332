/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The CPU clocks of an act's processes, read while it goes on. */
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"
#include "storm/act.h"

static void read_gateway(struct act *act, int64_t *cpu_ns, int64_t *waited_ns)
{
    *cpu_ns = 0;
    *waited_ns = 0;
    for (int i = 0; i < act->workers; i++) {
        child_read_cpu(act_worker(act, i));
        *cpu_ns += act_worker(act, i)->cpu_ns;
        *waited_ns += act_worker(act, i)->waited_ns;
    }
}

static bool grow_samples(struct act *act)
{
    const size_t capacity = act->samples_capacity == 0 ? 1024 : act->samples_capacity * 2;
    const size_t row = (size_t)act->injectors * sizeof *act->injector_samples;
    struct ls_cpu_sample *gateway =
        realloc(act->gateway_samples, capacity * sizeof *act->gateway_samples);
    struct ls_cpu_sample *injectors;

    if (gateway == NULL) {
        return false;
    }
    act->gateway_samples = gateway;
    injectors = realloc(act->injector_samples, capacity * row);
    if (injectors == NULL) {
        return false;
    }
    act->injector_samples = injectors;
    act->samples_capacity = capacity;
    return true;
}

void act_take_sample(struct act *act)
{
    const int64_t at_ns = ls_now_ns() - act->start_ns;
    struct ls_cpu_sample *row;

    if (act->samples_count == act->samples_capacity && !grow_samples(act)) {
        return;
    }
    read_gateway(act, &act->gateway_cpu_ns, &act->gateway_waited_ns);
    act->gateway_cpu_ns -= act->gateway_base_ns;
    act->gateway_waited_ns -= act->waited_base_ns;
    act->gateway_samples[act->samples_count] =
        (struct ls_cpu_sample){.at_ns = at_ns, .cpu_ns = act->gateway_cpu_ns};
    row = &act->injector_samples[act->samples_count * (size_t)act->injectors];
    for (int i = 0; i < act->injectors; i++) {
        child_read_cpu(act_injector(act, i));
        row[i] = (struct ls_cpu_sample){.at_ns = at_ns, .cpu_ns = act_injector(act, i)->cpu_ns};
    }
    act->samples_count++;
}

void act_take_base(struct act *act)
{
    read_gateway(act, &act->gateway_base_ns, &act->waited_base_ns);
    ls_meter_kernel(&act->kernel_base);
    for (int i = 0; i < act->workers; i++) {
        memcpy(act_worker(act, i)->baseline, act_worker(act, i)->account,
               sizeof act_worker(act, i)->baseline);
        /* Nobody is connected by now: those were of tickets. */
        ls_bursts_clear(act_worker(act, i)->bursts);
    }
}
