/* pairings.c - see pairings.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pairings.h"

#include <stdlib.h>

#include "json.h"

/* Where the names go, and how many are written. */
struct names {
  FILE* out;
  int count;
};

/* Writes the name that a section uses, a JSON string. Returns 1. */
static int put_name(void* context, const char* section) {
  struct names* names = context;
  const enum json_type type = json_type_of(section);
  if (type == JSON_STRING) {
    if (names->count++ > 0) fputc(',', names->out);
    fputs(section, names->out);
  } else if (type == JSON_OBJECT) {
    char* use = json_member(section, "use");
    if (use != NULL && json_type_of(use) != JSON_OBJECT) put_name(names, use);
    free(use);
  }
  return 1;
}

/* Writes the names of a section as an array. */
static void put_section(FILE* out, const char* experiment, const char* key) {
  struct names names = {out, 0};
  char* section = json_member(experiment, key);
  fputc('[', out);
  if (section != NULL) {
    if (json_type_of(section) == JSON_ARRAY) {
      json_for_each(section, put_name, &names);
    } else {
      put_name(&names, section);
    }
  }
  fputc(']', out);
  free(section);
}

void put_pairing(FILE* out, const char* experiment) {
  static const char* const keys[] = {"dataset", "features", "loss", "oracle"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
    fprintf(out, "%s\"%s\":", k == 0 ? "{" : ",", keys[k]);
    put_section(out, experiment, keys[k]);
  }
  fputc('}', out);
}
