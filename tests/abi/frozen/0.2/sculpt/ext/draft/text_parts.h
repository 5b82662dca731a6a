/* sculpt/ext/draft/text_parts.h - where the text of a dataset can be cut into parts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by datasets whose examples stand one after the other in a text, and do not depend on each
 * other. The host then predicts a pipe part by part: an output for each example as soon as its part
 * has come. It loads each part as the split "predict" of a new component with the same state.
 *
 *   A text that is cut behind such ends: its parts have the examples of the whole text, in order,
 *   each with the same sites, features and output text.
 *
 * Such a dataset accepts a part without examples in the split "predict", such as a comment. */
#ifndef SCULPT_EXT_DRAFT_TEXT_PARTS_H
#define SCULPT_EXT_DRAFT_TEXT_PARTS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_TEXT_PARTS "sculpt.text-parts/draft-1"

enum {
  SCULPT_PART_ENDS_WITH_LINE = 1,      /* each line can be a part */
  SCULPT_PART_ENDS_WITH_BLANK_LINE = 2 /* a part ends with a line of blanks, tabs or nothing */
};

typedef struct sculpt_ext_text_parts {
  /* *end = SCULPT_PART_ENDS_WITH_*. 0: this component has no parts, with its parameters. [any] */
  sculpt_status (*end)(const void* self, uint32_t* end, sculpt_error*);
} sculpt_ext_text_parts;

#ifdef __cplusplus
}
#endif
#endif
