/* sculpt/ext/row_blocks.h - features that are linear in the rows of the sites: they work with
 * kernels.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   psi(x, y) = sum over sites s and blocks b of  c_sb(y) x_s (x) e_b   +   a part without rows
 *
 * x_s is the row of site s (ext/sites.h). c, the second part, the outputs and the factor graph do
 * not depend on the values of rows. Blocks are the copies of a row's weights, one a label for
 * example. The second part has transitions and a bias, for example.
 *
 * With a kernel the host binds such features to other rows: row a of all rows of the dataset has
 * the single value 1, in column a. A row is then called an atom. So the weight of column a in block
 * b is the score of atom a there:
 *
 *   sum over support atoms s of beta[s][b] k(a, s)
 *
 * and psi gives the coefficients c. Features and oracles need nothing else for kernels.
 *
 * c may depend on the output in any way. So a row may also belong to a whole output, or to a pair
 * of input and output: then k is a joint kernel of such pairs. */
#ifndef SCULPT_EXT_ROW_BLOCKS_H
#define SCULPT_EXT_ROW_BLOCKS_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_ROW_BLOCKS "sculpt.row-blocks/1"

/* The weight of column j in block b is first + j * block_count + b. All other weights belong to the
 * part without rows. */
typedef struct sculpt_row_blocks {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t first;
  int64_t block_count; /* at least 1 */
} sculpt_row_blocks;

/* Offered by features that are bound to sites. */
typedef struct sculpt_ext_row_blocks {
  /* The caller sets struct_size. [any], after seal */
  sculpt_status (*blocks)(const void* self, sculpt_row_blocks* out, sculpt_error*);
} sculpt_ext_row_blocks;

#ifdef __cplusplus
}
#endif
#endif
