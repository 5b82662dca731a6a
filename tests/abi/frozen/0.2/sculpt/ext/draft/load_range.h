/* sculpt/ext/draft/load_range.h - loads a part of a split, for several processes that share it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by datasets whose examples stand one after the other in one file. Part k of K has the
 * examples that begin in the bytes [k S / K, (k + 1) S / K) of the file, S its size. So a process
 * reads about one K-th of the file. Its first example is the first that begins at or behind k S /
 * K, and the last one is read to its end.
 *
 *   Parts 0 .. K-1, one after the other, are the whole split, in its order. Each example is in
 *   exactly one part. A part may be empty.
 *
 * By bytes, not by examples: to count the examples is to read the file.
 *
 * The numbers of examples count from 0 in each part, as after load(). The caller adds the examples
 * of earlier parts, so that seeds and reports do not depend on K. A part that does not begin at the
 * first byte knows no line numbers. Its messages name the byte: "train.txt: byte 8812: ..."
 *
 * Dictionaries and scales that a part learns are those of the part. See merge_state.h. */
#ifndef SCULPT_EXT_DRAFT_LOAD_RANGE_H
#define SCULPT_EXT_DRAFT_LOAD_RANGE_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_LOAD_RANGE "sculpt.load-range/draft-1"

typedef struct sculpt_ext_load_range {
  /* Appends part `part` of `part_count` of a split, in place of load(). 0 <= part < part_count.
   * part_count >= 1, and the same in all processes.
   *   SCULPT_E_UNSUPPORTED   the source cannot be read from its middle, such as a packed file, a
   *                          pipe or text in memory. The message says what to do, such as to unpack
   *   SCULPT_E_MISSING       the file does not exist or cannot be read
   *   SCULPT_E_DATA          a malformed example, with its byte
   * [main] */
  sculpt_status (*load_part)(void* self, const char* split, const sculpt_source*, int64_t part,
                             int64_t part_count, sculpt_error*);
} sculpt_ext_load_range;

#ifdef __cplusplus
}
#endif
#endif
