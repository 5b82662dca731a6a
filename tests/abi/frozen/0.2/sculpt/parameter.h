/* sculpt/parameter.h - declared parameters and their checked values.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A component declares a table of parameters. The host reads the JSON and checks every value
 * against the table: type, range, choices, unknown and duplicate keys. It passes one value per
 * entry to create(), in the order of the table. `sculpt describe`, the schema and the docs use the
 * same table. */
#ifndef SCULPT_PARAMETER_H
#define SCULPT_PARAMETER_H
#include "base.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The types of parameters. */
enum {
  SCULPT_PARAMETER_BOOL = 1,
  SCULPT_PARAMETER_INT = 2,
  SCULPT_PARAMETER_REAL = 3, /* "inf" is accepted if `upper` is infinite */
  SCULPT_PARAMETER_TEXT = 4,
  /* The host makes the path absolute against the folder of the experiment file. A model holds no
   * paths: if a component is made from a model, the value is unset (text and items NULL, is_default
   * 1). Save what prediction needs of the file in the component's state. */
  SCULPT_PARAMETER_PATH = 5,
  SCULPT_PARAMETER_CHOICE = 6, /* one of `choices` */
  SCULPT_PARAMETER_JSON = 7,   /* any JSON value, passed as its text */
  SCULPT_PARAMETER_LIST = 16   /* combined by | with one of the above: a list of such values */
};

/* Flags of parameters, combined by |. */
enum {
  /* The host warns if an experiment sets the key. The summary says what to use instead. */
  SCULPT_PARAMETER_DEPRECATED = 1
};

/* One entry of the table. Tables are arrays of this struct, so it is frozen. Static storage.
 *
 * `fallback` is the default as JSON text; a default that is a text has its own quotes. NULL makes
 * the key required. "null" makes the key optional without a default. The sculpt_value of such a key
 * has is_default 1, real NaN, integer -1, text and items NULL if the key is not set. */
typedef struct sculpt_parameter {
  uint32_t type;        /* the type: SCULPT_PARAMETER_BOOL to _JSON, and _LIST */
  uint32_t flags;       /* SCULPT_PARAMETER_DEPRECATED, or 0 */
  const char* name;     /* the JSON key, snake_case; `use` is reserved */
  const char* fallback; /* the default as JSON text, "null", or NULL */
  /* The closed range of a number, or of each number in a list. Limits of an INT are doubles too,
   * exact up to 2^53. */
  double lower, upper;
  const char* choices; /* "a|b|c" for CHOICE; else NULL */
  const char* unit;    /* "seconds", "labels", ... or NULL */
  const char* summary; /* one sentence for the user */

  /* The condition under which the parameter has an effect, or NULL. "other": the parameter of that
   * name must be set. "other=value": it must have this value, which is JSON text. The host refuses
   * an experiment that sets this key without the other. */
  const char* needs;
  uint64_t reserved; /* 0 */
} sculpt_parameter;

/* A checked value. Pointers live until create() returns: copy what you keep. */
typedef struct sculpt_value {
  uint32_t type;                    /* as declared */
  uint32_t is_default;              /* 1 if the experiment does not set the key */
  int64_t integer;                  /* BOOL (0 or 1), INT, CHOICE (its position) */
  double real;                      /* REAL, and INT as a real */
  const char* text;                 /* TEXT, PATH, CHOICE, JSON: zero terminated; else NULL */
  const struct sculpt_value* items; /* [item_count] for LIST; else NULL */
  int64_t item_count;
  uint64_t reserved; /* 0 */
} sculpt_value;

#ifdef __cplusplus
}
#endif
#endif
