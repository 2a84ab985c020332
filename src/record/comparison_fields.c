/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a comparison, as tables that are written, read and described by. */
#include <stddef.h>

#include "loginstorm/comparison.h"
#include "record/fields.h"

#define TOP(member) offsetof(struct ls_comparison, member), 0
#define SIDE(member) offsetof(struct ls_side, member), 0
#define PAIR(member) offsetof(struct ls_pair, member), 0
#define COMPARED(member) offsetof(struct ls_compared, member), 0
#define ADVICE(member) offsetof(struct ls_advice, member), 0

/* Beside these: sides[], pairs[], recommendation[]. */
const struct field comparison_fields[] = {
    {"confidence", REAL, TOP(confidence), "that all intervals hold together"},
    {"judged", SMALL, TOP(judged), "figures that this was shared among"},
    {"forced", FLAG, TOP(forced),
     "unlike storms, machines or builds were compared since it was asked for"},
};
const size_t comparison_fields_count = sizeof comparison_fields / sizeof comparison_fields[0];
/* Beside these: values{}, a figure each. */
const struct field side_fields[] = {
    {"certificate", NAME, SIDE(certificate), "its name in the scenario"},
    {"key", NAME, SIDE(key), "kind of its key, like rsa-4096"},
    {"file", TEXT, SIDE(file), "whose result; null when there is one only"},
    {"number", SMALL, SIDE(number),
     "of that result among those compared, from 1; 0 when there is one only"},
    {"rounds", SMALL, SIDE(rounds), "runs that count"},
    {"left_out", TEXT, SIDE(left_out), "which do not, and why"},
    {"verdict", VERDICT, SIDE(verdict), "the worst of those that count"},
    {"peak_minute", CLOCK, SIDE(peak_minute_at_ns), "time of day of the fullest minute"},
    {"speedup", REAL, SIDE(speedup), "times as dense as the scenario"},
};
const size_t side_fields_count = sizeof side_fields / sizeof side_fields[0];
/* Beside these: figures{}, notes[]. */
const struct field pair_fields[] = {
    {"side", SMALL, PAIR(side), "index of sides"},
    {"against", SMALL, PAIR(against), "index of the baseline in sides"},
    {"method", METHOD, PAIR(method), "where the intervals come from"},
    {"rounds", SMALL, PAIR(rounds), "runs that count"},
};
const size_t pair_fields_count = sizeof pair_fields / sizeof pair_fields[0];
/* Beside these, to be read: unit. */
const struct field compared_fields[] = {
    {"finding", FINDING, COMPARED(finding), "against the baseline"},
    {"ratio", KNOWN_REAL, COMPARED(ratio), "to the baseline's"},
    {"low", KNOWN_REAL, COMPARED(low), "of the ratio's interval"},
    {"high", KNOWN_REAL, COMPARED(high), "of the ratio's interval"},
    {"why", TEXT, COMPARED(why), "of a finding that needs a word"},
};
const size_t compared_fields_count = sizeof compared_fields / sizeof compared_fields[0];
/* Of the rounds that both sides have. Files from before they were told do not have them: those of the
 * sides. */
const struct field own_fields[] = {
    {"value", KNOWN_REAL, COMPARED(value), "over the rounds that both sides have"},
    {"against_value", KNOWN_REAL, COMPARED(base), "the baseline's over the same"},
};
const size_t own_fields_count = sizeof own_fields / sizeof own_fields[0];
const struct field advice_fields[] = {
    {"about", NAME, ADVICE(about), "hardware, users, bytes, policy, key_exchange, choice or doubt"},
    {"text", NAME, ADVICE(text), "a sentence"},
};
const size_t advice_fields_count = sizeof advice_fields / sizeof advice_fields[0];

/* A figure's key has the schema that it is asked for. */
static json_t *figures_schema(json_t *(*of)(void))
{
    json_t *schema = json_pack("{s:s}", "type", "object");

    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        /* Files from before failed users were compared do not have them. */
        if (!schema_put(schema, ls_figure_word((enum ls_figure)f), of(), f != LS_FIGURE_FAILED,
                        ls_figure_text((enum ls_figure)f))) {
            json_decref(schema);
            return NULL;
        }
    }
    return schema;
}

static json_t *value_schema(void)
{
    return json_pack("{s:[s, s], s:i}", "type", "number", "null", "minimum", 0);
}

static json_t *figure_schema(void)
{
    json_t *schema = schema_of_fields(compared_fields, compared_fields_count);
    bool good = schema_put(schema, "unit", json_pack("{s:s}", "type", "string"), false,
                           "of value and against_value");

    /* Files from before they were told do not have these. */
    for (size_t i = 0; good && i < own_fields_count; i++) {
        good = schema_put(schema, own_fields[i].path, value_schema(), false, own_fields[i].doc);
    }
    if (!good ||
        json_object_set_new(schema, "dependencies",
                            json_pack("{s:[s]}", own_fields[0].path, own_fields[1].path)) != 0) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

static json_t *side_schema(void)
{
    json_t *schema = schema_of_fields(side_fields, side_fields_count);

    if (!schema_put(schema, "values", figures_schema(value_schema), true,
                    "means over its rounds")) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

static json_t *pair_schema(void)
{
    json_t *schema = schema_of_fields(pair_fields, pair_fields_count);

    if (!schema_put(schema, "notes", schema_list(json_pack("{s:s}", "type", "string")), true,
                    "why not more can be said, for people") ||
        !schema_put(schema, "figures", figures_schema(figure_schema), true, NULL)) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

json_t *schema_of_comparison(void)
{
    json_t *schema = schema_of_fields(comparison_fields, comparison_fields_count);

    if (!schema_put(schema, "sides", schema_list(side_schema()), true,
                    "the certificates; the first is the baseline") ||
        !schema_put(schema, "pairs", schema_list(pair_schema()), true, "two sides each") ||
        !schema_put(schema, "recommendation",
                    schema_list(schema_of_fields(advice_fields, advice_fields_count)), true,
                    "what to make of it")) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}
