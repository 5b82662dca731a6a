/* layout.h - the assertions of this folder. */
#ifndef SCULPT_TESTS_LAYOUT_H
#define SCULPT_TESTS_LAYOUT_H
#include <assert.h>
#include <stddef.h>

static_assert(sizeof(void*) == 8 && sizeof(long) == 8, "LP64");

#define SIZE(type, bytes) static_assert(sizeof(type) == (bytes), "the size of " #type)
#define OFFSET(type, field, bytes) \
  static_assert(offsetof(type, field) == (bytes), "the offset of " #type "." #field)
#define NUMBER(name, value) static_assert((name) == (value), #name)

#endif
