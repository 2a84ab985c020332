/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_MONTH_H
#define LOGINSTORM_CURVE_MONTH_H

#include <stddef.h>

/* The length of the word at the start of text: letters, in UTF-8 or Latin-1 too. */
size_t word_size(const char *text, size_t size);

/* 1 to 12 for an English month's name, short or whole; else 0. */
int month_of(const char *word, size_t size);

/* Why such a word is no month, naming its language where it is one of another; static. NULL where
 * it is none of any that is known here. */
const char *month_elsewhere(const char *word, size_t size);

/* The first such word that stands in a date ("13. März 2026", "ene 30 08:25"), and why; NULL where
 * there is none. */
const char *month_met(const char *text, size_t size, size_t *where);

#endif
