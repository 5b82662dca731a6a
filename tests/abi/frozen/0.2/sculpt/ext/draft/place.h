/* sculpt/ext/draft/place.h - "place": the file and line of each example.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by datasets that read files. The host names the place if it refuses an example that the
 * dataset accepted. Such an example has no label in the split "train", or a value that is too large
 * to compute with. */
#ifndef SCULPT_EXT_DRAFT_PLACE_H
#define SCULPT_EXT_DRAFT_PLACE_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_PLACE "sculpt.place/draft-1"

typedef struct sculpt_ext_place {
  /* Appends the file and the first line of the example: "train.txt:17". Appends nothing if neither
   * is known. SCULPT_E_MEMORY if out cannot grow. [any], after seal */
  sculpt_status (*place)(const void* self, int64_t example, sculpt_byte_buffer* out, sculpt_error*);
} sculpt_ext_place;

#ifdef __cplusplus
}
#endif
#endif
