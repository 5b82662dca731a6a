/* sculpt/ext/draft/memory_source.h - data that are in memory already: rows, sequences, graphs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by datasets. The host lends arrays in place of a file, for programs that hold their data
 * as arrays, such as a notebook. Text in memory needs no extension: see sculpt_source.
 *
 * The inputs are sites with sparse rows and edges, as in ext/sites.h, one after the other:
 *
 *   multiclass       one site an example, first_site == NULL
 *   sequences        the sites of example i are [first_site[i], first_site[i + 1])
 *   graphs           the same, with edges
 *   dense rows       row_from == NULL and index == NULL: value[site_count][feature_count]
 *
 * Labels are numbers of states, in the order of the canonical output (data.h). So names of labels
 * are the business of the caller. Values have the unit of the caller, as in a file.
 *
 * Lifetime: all arrays are borrowed. They stay as they are until the dataset is destroyed, so a
 * dataset need not copy them. The struct itself lives until the call returns. A dataset that scales
 * its columns copies the values: nobody writes to the arrays. */
#ifndef SCULPT_EXT_DRAFT_MEMORY_SOURCE_H
#define SCULPT_EXT_DRAFT_MEMORY_SOURCE_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_MEMORY_SOURCE "sculpt.memory-source/draft-1"

/* The examples of a split. The host has checked them:
 *   offsets begin at 0 and do not fall
 *   indices rise within a row and lie in [0, feature_count); values are finite
 *   edges join sites of one example
 *   labels lie in [-1, state_count) */
typedef struct sculpt_memory_rows {
  uint32_t struct_size;
  int32_t state_count; /* labels lie in [0, state_count); -1 is unknown */
  int64_t example_count;
  int64_t site_count; /* of all examples */
  int64_t feature_count;
  const int64_t* first_site; /* [example_count + 1]; NULL: one site an example */
  const int64_t* row_from;   /* [site_count + 1] where each row begins in index and value */
  const int32_t* index;      /* [row_from[site_count]] */
  const double* value;       /* the same size; [site_count * feature_count] if rows are dense */
  const int64_t* first_edge; /* [example_count + 1] the edges of each example; NULL: no edges */
  const int32_t* edge;       /* [2 * first_edge[example_count]] sites, from 0 in each example */
  /* [example_count + 1] the labels of each example; may be NULL if `label` is. first_label[i] ==
   * first_label[i + 1]: the empty output. */
  const int64_t* first_label;
  const int32_t* label; /* [first_label[example_count]]; NULL: no example has labels */
} sculpt_memory_rows;

typedef struct sculpt_ext_memory_source {
  /* Appends a split, in place of load() of sculpt_dataset_api. "train" comes first, and what is
   * learned from it (the number of states and features) holds for later splits. So does what
   * restore() gave: then there is no "train", and nothing is learned. Later splits may have fewer
   * states and features. Texts of errors name the example: "example 3: ..."
   *   SCULPT_E_UNSUPPORTED   data of another shape, such as edges for a dataset of sequences
   *   SCULPT_E_DATA          examples that the dataset cannot use: a label or feature that is not
   *                          in train */
  sculpt_status (*load)(void* self, const char* split, const sculpt_memory_rows*,
                        sculpt_error*); /* [main] */
} sculpt_ext_memory_source;

#ifdef __cplusplus
}
#endif
#endif
