/* sculpt/parameter.h - declared parameters and their checked values.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A component declares a table of parameters. The host reads the JSON, checks every value against
 * the table (type, range, choices, unknown and duplicate keys) and hands over one value per entry,
 * in the order of the table. The same table feeds `sculpt describe`, the schema and the docs.    */
#ifndef SCULPT_PARAMETER_H
#define SCULPT_PARAMETER_H
#include "base.h"
#ifdef __cplusplus
extern "C" {
#endif

enum {
  SCULPT_PARAMETER_BOOL = 1,
  SCULPT_PARAMETER_INT = 2,
  SCULPT_PARAMETER_REAL = 3, /* "inf" is accepted where `upper` is infinite */
  SCULPT_PARAMETER_TEXT = 4,
  /* Made absolute against the folder of the experiment file. A model holds no paths: when a
   * component is made out of one, the value is unset (text and items NULL, is_default 1). What
   * prediction needs of the file belongs into the component's state. */
  SCULPT_PARAMETER_PATH = 5,
  SCULPT_PARAMETER_CHOICE = 6, /* one of `choices` */
  SCULPT_PARAMETER_JSON = 7,   /* any JSON value, handed over as its text */
  SCULPT_PARAMETER_LIST = 16   /* or-ed to one of the above: a list of such values */
};

/* One entry of the table. A value, so frozen: tables are arrays of it. Static storage.
 *
 * `fallback` is the default as JSON text, so that of a text has quotes of its own. NULL makes the
 * key required; "null" makes it optional without a default: the sculpt_value of a key that is not
 * set then has is_default 1, real NaN, integer -1, text and items NULL. */
typedef struct sculpt_parameter {
  uint32_t type;        /* SCULPT_PARAMETER_* */
  const char* name;     /* the JSON key, snake_case; `use` is taken */
  const char* fallback; /* the default as JSON text, "null", or NULL */
  /* Closed range of a number, or of each number in a list. Limits of an INT are doubles as well:
   * exact up to 2^53. */
  double lower, upper;
  const char* choices; /* "a|b|c", of CHOICE; else NULL */
  const char* unit;    /* "seconds", "labels", ... or NULL */
  const char* summary; /* one sentence for the user */
} sculpt_parameter;

/* A checked value. Pointers live until create() returns: copy what is kept. */
typedef struct sculpt_value {
  uint32_t type;                    /* as declared */
  uint32_t is_default;              /* 1 when the experiment does not set the key */
  int64_t integer;                  /* BOOL (0 or 1), INT, CHOICE (its position) */
  double real;                      /* REAL, and INT as a real */
  const char* text;                 /* TEXT, PATH, CHOICE, JSON: zero terminated; else NULL */
  const struct sculpt_value* items; /* [item_count], of LIST; else NULL */
  int64_t item_count;
} sculpt_value;

#ifdef __cplusplus
}
#endif
#endif
