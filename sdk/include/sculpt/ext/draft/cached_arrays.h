/* sculpt/ext/draft/cached_arrays.h - the examples of a dataset as arrays, which the host keeps in a
 * file.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by datasets. To read a large text takes long. So the host writes the arrays of a dataset
 * to a file once ("cache" in the experiment). Later runs map that file, and make the dataset of it:
 *
 *   the first run    create, restore if there is a state, load each split, bind, seal, write
 *   later runs       create, restore with what save() gave behind seal (ext/state.h), read, bind,
 *                    seal
 *
 * A dataset that was read behaves, to the last bit, as the one that was written: the same examples,
 * splits, names, places and weights. The state holds what was learned. The arrays hold the rest.
 *
 * The host uses a file only for the same splits from the same files with the same bytes, the same
 * parameters, state and build of the library. The order of bytes of the machine is the same, too.
 * It compares checksums. So arrays come back as they were written, and need no checks. A dataset
 * that offers this reads no other files than those of its splits and those that parameters of the
 * kind path name. What it logs while it loads is logged again when it is read. */
#ifndef SCULPT_EXT_DRAFT_CACHED_ARRAYS_H
#define SCULPT_EXT_DRAFT_CACHED_ARRAYS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_CACHED_ARRAYS "sculpt.cached-arrays/draft-1"

/* Where arrays are written to. The host owns it. */
typedef struct sculpt_cache_output {
  uint32_t struct_size;
  uint32_t reserved;
  void* context;
  /* Appends an array of `size` >= 0 bytes. Return its status if it is not SCULPT_OK. [main] */
  sculpt_status (*add)(void* context, const void* data, int64_t size, sculpt_error*);
} sculpt_cache_output;

/* An array as it was written, read-only, at an address that is a multiple of 64. `data` is not NULL
 * if size == 0. */
typedef struct sculpt_cached_array {
  const void* data; /* [size] bytes; they live as long as the component */
  int64_t size;
} sculpt_cached_array;

typedef struct sculpt_ext_cached_arrays {
  /* Calls out->add for each array, in an order of its own. [main], after seal
   *   SCULPT_E_UNSUPPORTED   these examples cannot be written; the message says why */
  sculpt_status (*write)(const void* self, const sculpt_cache_output* out, sculpt_error*);
  /* Makes all examples of all splits of the arrays of write(), in place of load(). The arrays are
   * borrowed, and need not be copied. The struct array lives until the call returns. [main]
   *   SCULPT_E_DATA   not the arrays that write() makes */
  sculpt_status (*read)(void* self, const sculpt_cached_array* arrays, int64_t count,
                        sculpt_error*);
} sculpt_ext_cached_arrays;

#ifdef __cplusplus
}
#endif
#endif
