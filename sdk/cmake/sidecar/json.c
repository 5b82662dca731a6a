/* json.c - see json.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 }; /* limit of nested arrays and objects */

/* Each skip_* gets the text from the start of its piece on. It returns the end of the piece, or
 * NULL if the text is malformed. */
static const char* skip_value(const char* at, int depth, enum json_type* type);

static const char* skip_space(const char* at) {
  return at + strspn(at, " \t\r\n");
}

static const char* skip_word(const char* at, const char* word) {
  const size_t size = strlen(word);
  return strncmp(at, word, size) == 0 ? at + size : NULL;
}

static const char* skip_string(const char* at) {
  if (*at != '"') return NULL;
  for (++at; *at != '"'; ++at) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at != '\\') continue;
    ++at;
    if (*at == 'u') {
      if (strspn(at + 1, "0123456789abcdefABCDEF") < 4) return NULL;
      at += 4;
    } else if (*at == '\0' || strchr("\"\\/bfnrt", *at) == NULL) {
      return NULL;
    }
  }
  return at + 1;
}

static const char* skip_digits(const char* at) {
  const size_t size = strspn(at, "0123456789");
  return size > 0 ? at + size : NULL;
}

static const char* skip_number(const char* at, enum json_type* type) {
  *type = JSON_INTEGER;
  if (*at == '-') ++at;
  if (*at == '0') {
    ++at;
  } else if ((at = skip_digits(at)) == NULL) {
    return NULL;
  }
  if (*at == '.') {
    *type = JSON_REAL;
    if ((at = skip_digits(at + 1)) == NULL) return NULL;
  }
  if (*at == 'e' || *at == 'E') {
    *type = JSON_REAL;
    ++at;
    if (*at == '+' || *at == '-') ++at;
    at = skip_digits(at);
  }
  return at;
}

/* An array, or an object when `close` is '}'. */
static const char* skip_container(const char* at, char close, int depth) {
  enum json_type ignored;
  if (depth == DEEPEST) return NULL;
  at = skip_space(at + 1);
  if (*at == close) return at + 1;
  for (;;) {
    if (close == '}') {
      if ((at = skip_string(skip_space(at))) == NULL) return NULL;
      at = skip_space(at);
      if (*at++ != ':') return NULL;
    }
    if ((at = skip_value(at, depth + 1, &ignored)) == NULL) return NULL;
    at = skip_space(at);
    if (*at == close) return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static const char* skip_value(const char* at, int depth, enum json_type* type) {
  at = skip_space(at);
  switch (*at) {
    case '"':
      *type = JSON_STRING;
      return skip_string(at);
    case '[':
      *type = JSON_ARRAY;
      return skip_container(at, ']', depth);
    case '{':
      *type = JSON_OBJECT;
      return skip_container(at, '}', depth);
    case 'n':
      *type = JSON_NULL;
      return skip_word(at, "null");
    case 't':
      *type = JSON_BOOL;
      return skip_word(at, "true");
    case 'f':
      *type = JSON_BOOL;
      return skip_word(at, "false");
    default:
      return skip_number(at, type);
  }
}

enum json_type json_type_of(const char* text) {
  enum json_type type = JSON_BROKEN;
  const char* end = skip_value(text, 0, &type);
  return end != NULL && *skip_space(end) == '\0' ? type : JSON_BROKEN;
}

/* Returns a copy of [at, end), zero terminated, or NULL. */
static char* copy_of(const char* at, const char* end) {
  const size_t size = (size_t)(end - at);
  char* copy = malloc(size + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, at, size);
  copy[size] = '\0';
  return copy;
}

char* json_member(const char* object, const char* name) {
  enum json_type ignored;
  const size_t size = strlen(name);
  const char* at = skip_space(skip_space(object) + 1);
  while (*at != '}') {
    const char* key = at + 1;
    const char* key_end = skip_string(at) - 1;
    const char* value = skip_space(skip_space(key_end + 1) + 1);
    const char* end = skip_value(value, 0, &ignored);
    if ((size_t)(key_end - key) == size && strncmp(key, name, size) == 0) {
      return copy_of(value, end);
    }
    at = skip_space(end);
    if (*at == ',') at = skip_space(at + 1);
  }
  return NULL;
}

int json_for_each(const char* array, int (*visit)(void* context, const char* item), void* context) {
  enum json_type ignored;
  const char* at = skip_space(skip_space(array) + 1);
  while (*at != ']') {
    const char* end = skip_value(at, 0, &ignored);
    char* item = copy_of(at, end);
    if (item == NULL) return 0;
    const int go_on = visit(context, item);
    free(item);
    if (!go_on) return 0;
    at = skip_space(end);
    if (*at == ',') at = skip_space(at + 1);
  }
  return 1;
}

int json_is_utf8(const char* text) {
  const unsigned char* at = (const unsigned char*)text;
  while (*at != '\0') {
    int more;
    unsigned code;
    static const unsigned smallest[] = {0, 0x80, 0x800, 0x10000}; /* by the bytes that follow */
    if (*at < 0x80) {
      more = 0, code = *at;
    } else if (*at >> 5 == 6) {
      more = 1, code = *at & 31u;
    } else if (*at >> 4 == 14) {
      more = 2, code = *at & 15u;
    } else if (*at >> 3 == 30) {
      more = 3, code = *at & 7u;
    } else {
      return 0;
    }
    ++at;
    for (int k = 0; k < more; ++k, ++at) {
      if (*at >> 6 != 2) return 0;
      code = code << 6 | (*at & 63u);
    }
    if (code < smallest[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return 0;
  }
  return 1;
}

void json_put_string(FILE* out, const char* text) {
  if (text == NULL) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (; *text != '\0'; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') {
      fprintf(out, "\\%c", c);
    } else if (c < 0x20) {
      fprintf(out, "\\u%04x", c);
    } else {
      fputc(c, out);
    }
  }
  fputc('"', out);
}

void json_put_number(FILE* out, double value) {
  if (isinf(value)) {
    fputs("null", out);
  } else {
    fprintf(out, "%.17g", value);
  }
}
