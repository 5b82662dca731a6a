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
 *   sets of labels   the same, with variable_count labels an example, each 0 (off) or 1 (on)
 *   sequences        the sites of example i are [first_site[i], first_site[i + 1])
 *   rankings         the same: a site is a document, its label is its grade
 *   graphs           the same, with edges
 *   dense rows       row_from == NULL and index == NULL: value[site_count][feature_count]
 *
 * Labels are numbers of states, in the order of the canonical output (data.h). The caller numbers
 * them, and may give their names. Values have the unit of the caller, as in a file.
 *
 * Lifetime: all arrays of numbers are borrowed. They stay as they are until the dataset is
 * destroyed, so a dataset need not copy them. The struct itself, and all names, live until the call
 * returns. A dataset that scales its columns copies the values: nobody writes to the arrays. */
#ifndef SCULPT_EXT_DRAFT_MEMORY_SOURCE_H
#define SCULPT_EXT_DRAFT_MEMORY_SOURCE_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_MEMORY_SOURCE "sculpt.memory-source/draft-2"

/* The examples of a split. The host has checked them:
 *   offsets begin at 0 and do not fall
 *   indices rise within a row and lie in [0, feature_count); values are finite
 *   edges join sites of one example; kinds of edges lie in [0, edge_kind_count)
 *   an example has labels for all its variables, or none; labels lie in [-1, state_count)
 *   weights are finite and at least 0
 *   names are lines of UTF-8 that differ; feature_count is at most 2^31 - 1
 * An array without elements may be NULL. */
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
  /* Where the labels of each example begin, [example_count + 1]. NULL: all examples have labels
   * for all their variables. first_label[i] == first_label[i + 1]: the example is unlabelled, or
   * it has no variable, so that its output is empty. Labels that are all -1 mean unlabelled, too.
   */
  const int64_t* first_label;
  const int32_t* label; /* [first_label[example_count]]; NULL: no example has labels */
  /* 0: a label for each site. k > 0: each example has k labels, whatever its sites. */
  int64_t variable_count;
  const int32_t* edge_kind; /* [first_edge[example_count]]; NULL: all edges are of kind 0 */
  int32_t edge_kind_count;  /* 0: no edges. It is at least 1 if there are edges. */
  int32_t reserved;         /* 0 */
  /* [example_count] how much each example of the split train counts; NULL: 1 each */
  const double* weight;
  /* Names, each "\0" at its end. NULL: there are none, or they are numbers. */
  const char* const* state_name;     /* [state_count] */
  const char* const* feature_name;   /* [feature_count] */
  const char* const* variable_name;  /* [variable_count] the labels of a set */
  const char* const* edge_kind_name; /* [edge_kind_count] */
} sculpt_memory_rows;

typedef struct sculpt_ext_memory_source {
  /* Appends a split, in place of load() of sculpt_dataset_api. "train" comes first, and what is
   * learned from it (the numbers and the names of states, features, variables and kinds of edges)
   * holds for later splits. So does what restore() gave: then there is no "train", and nothing is
   * learned. Later splits may have fewer states, features and kinds, and need no names. Texts of
   * errors name the example: "example 3: ..."
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
