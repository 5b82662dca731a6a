/* sculpt/ext/draft/width.h - "width": the row of the data with the largest feature index.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by datasets if their number of features follows from the largest index in the files. Most
 * feature maps have one weight per feature, or one per feature and label. So a single mistyped
 * index can require more memory than the machine has. The host then names the row. */
#ifndef SCULPT_EXT_DRAFT_WIDTH_H
#define SCULPT_EXT_DRAFT_WIDTH_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_WIDTH "sculpt.width/draft-1"

typedef struct sculpt_ext_width {
  /* Appends the file, line and index of the first loaded row with the largest index: "train.txt:1:
   * index 100000000". Appends nothing if no row has it. SCULPT_E_MEMORY if out cannot grow. [any],
   * after seal */
  sculpt_status (*widest)(const void* self, sculpt_byte_buffer* out, sculpt_error*);
} sculpt_ext_width;

#ifdef __cplusplus
}
#endif
#endif
