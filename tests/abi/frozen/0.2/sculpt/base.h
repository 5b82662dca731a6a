/* sculpt/base.h - version, status codes, the error buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything that host and plugin exchange is C99, of fixed width, and borrowed. Ownership never
 * moves: the side that allocated a block frees it. Three kinds of struct exist:
 *   values            small, passed by value or filled in place. Frozen per ABI version:
 *                     sculpt_version, error, labels, weights, accumulator, label_buffer,
 *                     byte_buffer, parameter, value, metric, count, ref. Arrays of structs hold
 *                     values only, because each side steps by its own sizeof. Those that a plugin
 *                     declares have flags and reserved fields: set the reserved fields to 0
 *   function tables   frozen per ABI version; new abilities are new extensions
 *   records           passed by pointer. They begin with `struct_size`, and later versions append
 *                     fields. The owner of the memory sets struct_size to the sizeof that it was
 *                     compiled with. If the callee fills the record (an answer, sites), the owner
 *                     is the caller. The caller sets struct_size before the call. The callee writes
 *                     at most struct_size bytes and does not change struct_size
 *
 * What one side does not know:
 *   an unknown kind of component     is ignored. The other components of the library can be used
 *   an unknown extension             is ignored: extension() answers NULL
 *   an unknown trait, an unknown flag of a declared value, a reserved field of one that is not 0
 *                                    is refused: it may change the meaning of the rest
 *
 * Platforms: 64-bit little-endian ELF systems, which are Linux on x86-64 and AArch64. The layout of
 * all structs is the same there. Floating-point numbers are those of IEEE 754.
 *
 * No exception and no longjmp may leave a function of either side. The functions of a plugin return
 * a status, with three exceptions: destroy and close_session cannot fail, and extension returns
 * NULL. */
#ifndef SCULPT_BASE_H
#define SCULPT_BASE_H
#include <stddef.h>
#include <stdint.h>

#if !defined(__LP64__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "sculpt plugins need a 64-bit little-endian platform"
#endif

#define SCULPT_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* While MAJOR is 0, host and plugin must be built with the same MAJOR.MINOR. From 1.0 on, any MINOR
 * works with any other MINOR of the same MAJOR. */
#define SCULPT_ABI_MAJOR 0
#define SCULPT_ABI_MINOR 2

typedef struct sculpt_version {
  uint32_t major;
  uint32_t minor;
} sculpt_version;

/* The result of a call: SCULPT_OK or one of SCULPT_E_*. */
typedef int32_t sculpt_status;
enum {
  SCULPT_OK = 0,
  SCULPT_E_INVALID = 1,     /* the caller broke the contract: a wrong index or size, a NaN */
  SCULPT_E_PARAMETER = 2,   /* the value of a parameter is refused */
  SCULPT_E_DATA = 3,        /* a file or an example is malformed */
  SCULPT_E_UNSUPPORTED = 4, /* these components cannot work together */
  SCULPT_E_MEMORY = 5,      /* out of memory, or above a size limit of the host */
  SCULPT_E_CANCELLED = 6,   /* the host's `cancel` service asked to stop */
  SCULPT_E_MISSING = 7,     /* a file does not exist or cannot be read */
  SCULPT_E_INTERNAL = 8     /* a bug in the component */
};

/* The message of a call. The callee fills it whenever it returns anything but SCULPT_OK. The memory
 * belongs to the caller. Write what is wrong, then what to do; the host adds the component's name
 * in front. A text about a file starts with "path:line:column: ".
 *
 * A longer text may ask for more room by grow(). If grow is NULL or fails, cut the text to the
 * capacity that there is then. The host takes up to 1 MiB, and says that a longer text was cut. In
 * C sculpt_fail() (c_plugin.h) does all of this. */
typedef struct sculpt_error {
  char* text;       /* UTF-8, zero terminated, [capacity]; may be NULL */
  int64_t capacity; /* bytes, terminator included */
  /* Makes room for min_capacity bytes and keeps the text. May change `text` and `capacity`. May be
   * NULL. Returns SCULPT_E_MEMORY if there is less room than that: it then gives as much as it has.
   */
  sculpt_status (*grow)(struct sculpt_error*, int64_t min_capacity);
} sculpt_error;

/* True if the record has `field` in the version that the other side was compiled with. */
#define SCULPT_HAS(record, type, field) \
  ((record)->struct_size >= offsetof(type, field) + sizeof((record)->field))

#ifdef __cplusplus
}
#endif
#endif
