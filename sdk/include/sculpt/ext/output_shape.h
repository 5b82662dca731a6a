/* sculpt/ext/output_shape.h - how many labels the outputs of an example have, and which values.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features. Datasets may offer it for features that do not. Every output on which the
 * feature map is defined has this shape. So the host refuses answers of another shape, before
 * features and loss read them, and truths of another shape when the data are loaded. `check` draws
 * outputs from it, and other languages take the types of outputs from it. An oracle that searches
 * fewer outputs than a COMPLETE shape has must offer enumerate (enumerate.h). Otherwise `check`
 * compares its answers with all of them.
 *
 * Components without this extension say nothing. Then the host takes the shape from the factor
 * graph of the features, or from the sites of the dataset. So features on sites whose outputs are
 * not one label per site must offer it. If nothing is known, say so: sizes from 0 to INT64_MAX, and
 * state_count 0. */
#ifndef SCULPT_EXT_OUTPUT_SHAPE_H
#define SCULPT_EXT_OUTPUT_SHAPE_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_OUTPUT_SHAPE "sculpt.output-shape/1"

/* Flags of a shape. */
enum {
  SCULPT_SHAPE_COMPLETE = 1, /* every array of this shape is an output of the example */
  SCULPT_SHAPE_SAME = 2      /* all examples have this shape: the host asks once */
};

/* Filled by the component. The caller sets struct_size, and all other fields to 0. */
typedef struct sculpt_output_shape {
  uint32_t struct_size;
  uint32_t flags;   /* SCULPT_SHAPE_* */
  int64_t min_size; /* an output has from min_size to max_size labels, 0 <= min_size <= max_size */
  int64_t max_size; /* INT64_MAX: no limit */
  /* states[max_size], lent until destroy: the label at position p is in [0, states[p]). NULL: the
   * label at each position is in [0, state_count). */
  const int32_t* states;
  int32_t state_count; /* 0: any number from 0 on; not read if `states` is not NULL */
  uint32_t reserved;   /* 0 */
} sculpt_output_shape;

typedef struct sculpt_ext_output_shape {
  /* *out = the shape of the outputs of an example. It does not depend on the truth. [any], after
   * seal */
  sculpt_status (*shape)(const void* self, int64_t example, sculpt_output_shape* out,
                         sculpt_error*);
} sculpt_ext_output_shape;

#ifdef __cplusplus
}
#endif
#endif
