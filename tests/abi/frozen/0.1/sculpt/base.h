/* sculpt/base.h - version, status codes, the error buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything that crosses the boundary is C99, of fixed width, and borrowed: no ownership ever
 * crosses, whoever allocated a block frees it. Three kinds of struct exist:
 *   values            small, passed by value or filled in place; frozen per ABI version:
 *                     sculpt_version, error, labels, weights, accumulator, label_buffer,
 *                     byte_buffer, parameter, value, metric, ref. Arrays of structs hold values
 *                     alone: each side strides by its own sizeof
 *   function tables   frozen per ABI version; new abilities are new extensions
 *   records           passed by pointer and begin with `struct_size`, so that they can grow: later
 *                     versions append fields. Whoever owns the memory sets it to the sizeof it was
 *                     compiled with. For a record that the callee fills (an answer, sites) that is
 *                     the caller, before the call: the callee writes no more than struct_size
 *                     bytes and leaves struct_size as it is
 *
 * No exception and no longjmp may leave a function of either side. Functions that run code of a
 * plugin's author return a status. Those that cannot fail are destroy and close_session, and
 * extension, which answers NULL.                                                               */
#ifndef SCULPT_BASE_H
#define SCULPT_BASE_H
#include <stddef.h>
#include <stdint.h>

#define SCULPT_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* While MAJOR is 0, host and plugin must have been built with the same MAJOR.MINOR. From 1.0 on,
 * any MINOR of the same MAJOR works with any other. */
#define SCULPT_ABI_MAJOR 0
#define SCULPT_ABI_MINOR 1

typedef struct sculpt_version {
  uint32_t major;
  uint32_t minor;
} sculpt_version;

typedef int32_t sculpt_status;
enum {
  SCULPT_OK = 0,
  SCULPT_E_INVALID = 1,     /* the caller broke the contract (an index, a size, a NaN) */
  SCULPT_E_PARAMETER = 2,   /* the value of a parameter is refused */
  SCULPT_E_DATA = 3,        /* a file or an example is malformed */
  SCULPT_E_UNSUPPORTED = 4, /* this pairing of components cannot work */
  SCULPT_E_MEMORY = 5,      /* out of memory, or a size limit of the host */
  SCULPT_E_CANCELLED = 6,   /* the host's `cancel` service asked to stop */
  SCULPT_E_MISSING = 7,     /* a file is not there or cannot be read */
  SCULPT_E_INTERNAL = 8     /* a bug in the component */
};

/* Filled by the callee when it returns anything but SCULPT_OK. The memory belongs to the caller;
 * the text is truncated to fit, never reallocated. Say "what is wrong, what to do"; the host adds
 * the component's name in front. A text about a file starts with "path:line:column: ". */
typedef struct sculpt_error {
  char* text;       /* UTF-8, zero terminated, [capacity]; may be NULL */
  int64_t capacity; /* bytes, terminator included */
} sculpt_error;

/* True when `field` exists in the record the other side was compiled with. */
#define SCULPT_HAS(record, type, field) \
  ((record)->struct_size >= offsetof(type, field) + sizeof((record)->field))

#ifdef __cplusplus
}
#endif
#endif
