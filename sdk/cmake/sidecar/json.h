/* json.h - writes JSON, and checks JSON text without storing its values.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Called by main.c and pairings.c (writing) and check.c (checks). */
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

/* Returns the type of the one JSON value in `text`. White space around it is allowed. */
enum json_type json_type_of(const char* text);

/* Calls visit(context, item) for the text of each item of a valid JSON array, zero terminated.
 * Stops at the first item for which visit() returns 0. Returns 1 if all returned 1. */
int json_for_each(const char* array, int (*visit)(void* context, const char* item), void* context);

/* Returns the text of the member `name` of a valid JSON object, zero terminated, for free(). NULL
 * if there is none, or no memory. */
char* json_member(const char* object, const char* name);

/* Returns 1 if `text` is well-formed UTF-8. */
int json_is_utf8(const char* text);

/* Writes `text` as a JSON string, or null for NULL. */
void json_put_string(FILE* out, const char* text);

/* Writes a number, or null if it is infinite. */
void json_put_number(FILE* out, double value);

#endif
