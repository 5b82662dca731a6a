/* sculpt/ext/draft/column_scale.h - how a dataset scaled its columns, and which weights they have.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 *   value in the rows = (value in the file - shift) / divisor
 *
 * So a weight w of the column is w / divisor for one unit of the file, and its name is that of the
 * column without the scale. The host prints both. Without these extensions it reads the scale from
 * the end of the name (feature_name in ext/sites.h), which fails if a name looks like a scale. */
#ifndef SCULPT_EXT_DRAFT_COLUMN_SCALE_H
#define SCULPT_EXT_DRAFT_COLUMN_SCALE_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_COLUMN_SCALE "sculpt.column-scale/draft-1"
#define SCULPT_EXT_WEIGHT_COLUMN "sculpt.weight-column/draft-1"

typedef struct sculpt_column_scale {
  uint32_t struct_size;
  uint32_t reserved;
  double shift;
  /* > 0; 1 with shift 0: unchanged. 0: the column is left out of the rows. NaN: each example has a
   * scale of its own */
  double divisor;
} sculpt_column_scale;

/* Offered by datasets with sites (ext/sites.h). */
typedef struct sculpt_ext_column_scale {
  /* *out = the scale of a feature in [0, feature_count). SCULPT_E_INVALID for others. The caller
   * sets struct_size. [any], after seal */
  sculpt_status (*scale)(const void* self, int64_t feature, sculpt_column_scale* out,
                         sculpt_error*);
  /* Appends the name of the feature without its scale. SCULPT_E_MEMORY if out cannot grow. [any],
   * after seal */
  sculpt_status (*name)(const void* self, int64_t feature, sculpt_byte_buffer* out, sculpt_error*);
} sculpt_ext_column_scale;

/* Offered by features over sites. Several weights may have the same column, one per label. */
typedef struct sculpt_ext_weight_column {
  /* *feature = the feature of the dataset that the weight in [0, dimension) multiplies. -1: none,
   * such as a bias or a transition, or several. SCULPT_E_INVALID for other weights. [any], after
   * seal */
  sculpt_status (*column)(const void* self, int64_t weight, int64_t* feature, sculpt_error*);
} sculpt_ext_weight_column;

#ifdef __cplusplus
}
#endif
#endif
