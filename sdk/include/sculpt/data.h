/* sculpt/data.h - the shapes of data that host and plugin exchange.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   labels         a structured output y, as int32[size]
 *   weights        the model w, as double[size] plus a stamp, the version number of its contents
 *   accumulator    a growing sum of feature vectors, to which a feature map adds scale * psi(x, y)
 *   label_buffer   an output that a plugin writes     } arrays that grow
 *   byte_buffer    text or state that a plugin writes } in memory of the host
 *   source         the file or text from which a dataset reads a split */
#ifndef SCULPT_DATA_H
#define SCULPT_DATA_H
#include <string.h>

#include "base.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Arrays that the host lends for a call, such as these labels, may be copies. So their addresses
 * mean nothing: do not keep or compare them. Write only to arrays that are not const.
 *
 * A structured output in canonical form: two outputs are equal if and only if their arrays are.
 *   data == NULL             unlabelled
 *   data != NULL, size == 0  the empty output
 * Truths may have two entries that no output has:
 *   -1   the label is unknown: losses leave it out
 *   -2   the label is known, but no output can have it: every guess is wrong. Not in train */
typedef struct sculpt_labels {
  const int32_t* data; /* [size] */
  int64_t size;
} sculpt_labels;

/* The weights w. The stamp is the version number of the contents: within one run, equal stamps mean
 * equal contents. So a session may keep what it computed from them. With a kernel, the weights of
 * columns are the scores of atoms (ext/row_blocks.h). */
typedef struct sculpt_weights {
  const double* data; /* [size], 64-byte aligned */
  int64_t size;       /* the dimension of the features */
  uint64_t stamp;     /* never 0 */
} sculpt_weights;

/* A sum of scaled feature vectors: a growing list of pairs (index, value). Pairs may come in any
 * order, and an index may repeat. The host sorts and merges them, also within grow(), which may
 * lower `size`. If `dense` is not NULL, entries in range are added to it in place of the list.
 * Write only through sculpt_add() and sculpt_add_run().
 *
 * This and the buffers below are lent until the call returns. Until then one thread at a time uses
 * them; it may be a thread of the plugin. grow() takes the struct that was lent, not a
 * copy of it. It may move the arrays, so read the pointers again after it. Some hosts give exactly
 * the capacity that grow() is asked for, with a page behind it that cannot be accessed (`sculpt
 * check`, train --guard). */
typedef struct sculpt_accumulator {
  int32_t* index; /* [capacity], `size` of them used */
  double* value;  /* [capacity], `size` of them used */
  int64_t size;
  int64_t capacity;
  int64_t dimension;
  sculpt_status (*grow)(struct sculpt_accumulator*, int64_t min_capacity);
  double* dense; /* [dimension], or NULL */
} sculpt_accumulator;

/* sum[index] += value. `index` must be in [0, dimension). The host refuses other indices, and
 * values that are not finite, when the call has returned. Returns the status of grow() if the list
 * cannot grow. */
static inline sculpt_status sculpt_add(sculpt_accumulator* sum, int32_t index, double value) {
  const int is_dense = sum->dense != NULL; /* NOLINT(modernize-use-nullptr) */
  if (is_dense && index >= 0 && index < sum->dimension) {
    sum->dense[index] += value;
    return SCULPT_OK;
  }
  if (sum->size == sum->capacity) {
    sculpt_status status = sum->grow(sum, sum->size + 1);
    if (status != SCULPT_OK) return status;
  }
  sum->index[sum->size] = index;
  sum->value[sum->size] = value;
  sum->size += 1;
  return SCULPT_OK;
}

/* The same for `count` neighbours: sum[first + k] += scale * values[k]. Much faster than one by one
 * if the sum is dense. `values` must not be part of the sum. */
static inline sculpt_status sculpt_add_run(sculpt_accumulator* sum, int32_t first, int32_t count,
                                           double scale, const double* values) {
  const int is_dense = sum->dense != NULL; /* NOLINT(modernize-use-nullptr) */
  int32_t k;
  if (is_dense && first >= 0 && count <= sum->dimension - first) {
    double* const to = sum->dense + first;
    for (k = 0; k < count; ++k) to[k] += scale * values[k];
    return SCULPT_OK;
  }
  for (k = 0; k < count; ++k) {
    const sculpt_status status = sculpt_add(sum, first + k, scale * values[k]);
    if (status != SCULPT_OK) return status;
  }
  return SCULPT_OK;
}

/* An output that the callee writes: grow, write, then set `size`. The callee starts at size 0 and
 * does not append to earlier contents. Pass on its address: a copy of the struct cannot grow. */
typedef struct sculpt_label_buffer {
  int32_t* data; /* [capacity] */
  int64_t size;
  int64_t capacity;
  sculpt_status (*grow)(struct sculpt_label_buffer*, int64_t min_capacity);
} sculpt_label_buffer;

/* Makes room for `size` labels and sets the size. The caller must write the contents. Returns
 * SCULPT_E_INVALID if size < 0, or the status of grow(). */
static inline sculpt_status sculpt_resize_labels(sculpt_label_buffer* out, int64_t size) {
  if (size < 0) return SCULPT_E_INVALID;
  if (size > out->capacity) {
    sculpt_status status = out->grow(out, size);
    if (status != SCULPT_OK) return status;
  }
  out->size = size;
  return SCULPT_OK;
}

/* Bytes that the callee writes: text of an output, name of a weight, state of a component. */
typedef struct sculpt_byte_buffer {
  char* data; /* [capacity] */
  int64_t size;
  int64_t capacity;
  sculpt_status (*grow)(struct sculpt_byte_buffer*, int64_t min_capacity);
} sculpt_byte_buffer;

/* Appends `size` bytes. Returns SCULPT_E_INVALID if size is negative or overflows, or the status of
 * grow(). */
static inline sculpt_status sculpt_put(sculpt_byte_buffer* out, const void* bytes, int64_t size) {
  if (size < 0 || size > INT64_MAX - out->size) return SCULPT_E_INVALID;
  if (size > out->capacity - out->size) {
    sculpt_status status = out->grow(out, out->size + size);
    if (status != SCULPT_OK) return status;
  }
  if (size > 0) memcpy(out->data + out->size, bytes, (size_t)size);
  out->size += size;
  return SCULPT_OK;
}

/* The file of a split, or text written in the experiment itself. Messages name `path` in both
 * cases. Both pointers live until the call returns. */
typedef struct sculpt_source {
  uint32_t struct_size;
  uint32_t reserved;
  const char* path; /* absolute path of a file; for inline text a name for messages */
  const char* text; /* [text_size], or NULL: read the file */
  int64_t text_size;
} sculpt_source;

#ifdef __cplusplus
}
#endif
#endif
