/* sculpt/ext/draft/explicit_rows.h - "explicit-rows": phi of a kernel, as sparse rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 *   k(a, b) = <phi(a), phi(b)>, where phi has finitely many columns
 *
 * Offered by kernels (ext/kernel.h). With "use": "explicit" in an experiment, the host binds
 * features, loss and oracle to the rows phi(a) in place of those of the dataset. It computes no
 * value of the kernel. So the model has a weight for each column of phi, and every solver works.
 *
 * Columns depend on the parameters and on the number of columns of the dataset alone. phi(a)
 * depends on the row of a alone. So they are the same for training and prediction.
 *
 * Kernels whose claims() has no SCULPT_KERNEL_POSITIVE have no phi: width() refuses them by
 * SCULPT_E_UNSUPPORTED. */
#ifndef SCULPT_EXT_DRAFT_EXPLICIT_ROWS_H
#define SCULPT_EXT_DRAFT_EXPLICIT_ROWS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_EXPLICIT_ROWS "sculpt.explicit-rows/draft-1"

typedef struct sculpt_ext_explicit_rows {
  /* *out = the number of columns of phi, at most INT32_MAX. SCULPT_E_UNSUPPORTED if there are more,
   * or no such phi. [any], after seal */
  sculpt_status (*width)(const void* self, int64_t* out, sculpt_error*);
  /* Appends the name of a column. [any] */
  sculpt_status (*name)(const void* self, int64_t column, sculpt_byte_buffer* out, sculpt_error*);
  /* Adds phi(atom) to `out`, whose dimension is width(). [any] */
  sculpt_status (*row)(const void* self, int64_t atom, sculpt_accumulator* out, sculpt_error*);
} sculpt_ext_explicit_rows;

#ifdef __cplusplus
}
#endif
#endif
