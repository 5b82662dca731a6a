/* sculpt/ext/state.h - what a component learned from the split "train", saved in the model.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by any kind that learns from data (dictionaries, label names, grammars, edges). The host
 * does not read the bytes. Write them little-endian, and put a version first. Equal contents must
 * give equal bytes. restore(save()) must give a component that behaves the same.
 *
 * After restore, a dataset may meet data of another width, and labels or words that training did
 * not have. It refuses them with their place, or leaves them out; it learns nothing. What it says
 * about an example does not depend on the other examples of the file. */
#ifndef SCULPT_EXT_STATE_H
#define SCULPT_EXT_STATE_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_STATE "sculpt.state/1"

typedef struct sculpt_ext_state {
  /* Appends the state to *out. */
  sculpt_status (*save)(const void* self, sculpt_byte_buffer* out,
                        sculpt_error*); /* [any], after seal */
  /* Called right after create, with data[size]. The bytes may be damaged: check every length before
   * use. [main] */
  sculpt_status (*restore)(void* self, const char* data, int64_t size, sculpt_error*);
} sculpt_ext_state;

#ifdef __cplusplus
}
#endif
#endif
