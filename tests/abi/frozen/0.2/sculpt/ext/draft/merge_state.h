/* sculpt/ext/draft/merge_state.h - learns from parts of the split "train", for several processes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Each process loads a part (load_range.h). What it learned, such as words and sizes of columns, is
 * that of its part. The host collects these pieces and gives all of them to every process:
 *
 *   load_part("train", source, k, K)      learns from part k
 *   save_piece()                          -> piece k
 *   merge(pieces 0 .. K-1)                knows what load("train", source) would know
 *   load of other splits, seal
 *
 * Components other than datasets learn in bind(). For them save_piece() and merge() come between
 * bind and seal.
 *
 *   After merge the component behaves, to the last bit, as if it had loaded the whole split, for
 *   every K. Its state (ext/state.h) has the same bytes. Its examples are still those of its part,
 *   with the features and labels that they have in the whole.
 *
 * So a piece holds what the merge needs, not only the result of the part: the words in the order of
 * their first occurrence, with their counts. Maxima, minima and counts of parts make those of the
 * whole. Sums of real numbers depend on where the parts are cut: keep them exactly, such as in
 * whole numbers, or as the exact sum of doubles. */
#ifndef SCULPT_EXT_DRAFT_MERGE_STATE_H
#define SCULPT_EXT_DRAFT_MERGE_STATE_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_MERGE_STATE "sculpt.merge-state/draft-1"

/* Offered by components that learn from the split "train" and can learn from its parts. */
typedef struct sculpt_ext_merge_state {
  /* Appends what was learned from the part. Little-endian. [main], before seal */
  sculpt_status (*save_piece)(const void* self, sculpt_byte_buffer* out, sculpt_error*);
  /* Learns from all pieces, in the order of the parts: piece k has the bytes [from[k], from[k + 1])
   * of `pieces`, which live until the call returns. One of them is the component's own. Called
   * once, also if count == 1. The bytes come from other processes: check them, and return
   * SCULPT_E_DATA if they are damaged. [main], before seal */
  sculpt_status (*merge)(void* self, const char* pieces, const int64_t* from, int64_t count,
                         sculpt_error*);
} sculpt_ext_merge_state;

#ifdef __cplusplus
}
#endif
#endif
