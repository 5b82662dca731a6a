/* json.h - writing JSON, and judging JSON text without building anything.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Called by main.c (writing) and check.c (judging). */
#ifndef SCULPT_SIDECAR_JSON_H
#define SCULPT_SIDECAR_JSON_H
#include <stdio.h>

/* What a JSON text is. */
enum json_type {
  JSON_BROKEN,
  JSON_NULL,
  JSON_BOOL,
  JSON_INTEGER, /* a number without fraction and exponent */
  JSON_REAL,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT
};

/* The type of the one JSON value that `text` holds, white space around it allowed. */
enum json_type json_type_of(const char* text);

/* Calls visit(context, item) for the text of each item of a sound JSON array, zero terminated, and
 * stops at the first that gives 0. 1 when all gave 1. */
int json_for_each(const char* array, int (*visit)(void* context, const char* item), void* context);

/* 1 when `text` is well-formed UTF-8. */
int json_is_utf8(const char* text);

/* Writes `text` as a JSON string, or null for NULL. */
void json_put_string(FILE* out, const char* text);

/* Writes a number, or null when it is infinite. */
void json_put_number(FILE* out, double value);

#endif
