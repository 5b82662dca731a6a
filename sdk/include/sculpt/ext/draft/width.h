/* sculpt/ext/draft/width.h - what of the data makes its rows as wide as they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by datasets whose number of features follows from the largest index that they read. Most
 * feature maps have a weight for each, or one for each label, so that a single mistyped index may
 * ask for more memory than there is. The host then names the row. */
#ifndef SCULPT_EXT_DRAFT_WIDTH_H
#define SCULPT_EXT_DRAFT_WIDTH_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_WIDTH "sculpt.width/0"

typedef struct sculpt_ext_width {
  /* Appends file, line and index of the first loaded row that has the largest index:
   * "train.txt:1: index 100000000". Nothing if no row has it. SCULPT_E_MEMORY if out cannot grow.
   * [any], after seal */
  sculpt_status (*widest)(const void* self, sculpt_byte_buffer* out, sculpt_error*);
} sculpt_ext_width;

#ifdef __cplusplus
}
#endif
#endif
