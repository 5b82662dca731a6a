/* sculpt/data.h - the shapes of data that cross the boundary.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *   labels         a structured output y, as int32[size]
 *   weights        the model w, as double[size] plus a stamp
 *   accumulator    where a feature map adds  scale * psi(x, y)
 *   label_buffer   an output under construction      } arrays that grow
 *   byte_buffer    text or state under construction  } in memory of the host
 *   source         where a dataset reads a split from                                            */
#ifndef SCULPT_DATA_H
#define SCULPT_DATA_H
#include <string.h>

#include "base.h"
#ifdef __cplusplus
extern "C" {
#endif

/* A structured output, canonical: two outputs are equal exactly when their arrays are.
 *   data == NULL             unlabelled
 *   data != NULL, size == 0  the empty output
 *   an entry -1              unknown or unobserved; allowed in truths only                       */
typedef struct sculpt_labels {
  const int32_t* data; /* [size] */
  int64_t size;
} sculpt_labels;

/* The weights w. Equal stamps imply equal contents (within one run), so a session may keep what it
 * derived from them. `data` is NULL where the host works through a kernel: only components that
 * offer kernel atoms (ext/draft/kernel_atoms.h) ever see that, others are refused at bind. */
typedef struct sculpt_weights {
  const double* data; /* [size], 64-byte aligned */
  int64_t size;       /* the dimension of the features */
  uint64_t stamp;     /* never 0 */
} sculpt_weights;

/* A sum of scaled feature vectors. Dense when `dense` is set, else a growing list of pairs (index,
 * value) in any order, repeats allowed: the host sorts and merges, also within grow(), which may
 * lower `size`. Write through sculpt_add() alone; a feature map cannot and need not tell the two
 * apart. Like those of the buffers below, grow() is called on the thread that the call came on to
 * which the accumulator was lent. */
typedef struct sculpt_accumulator {
  double* dense;  /* [dimension] or NULL */
  int32_t* index; /* [capacity], `size` of them used */
  double* value;  /* [capacity], `size` of them used */
  int64_t size;
  int64_t capacity;
  int64_t dimension;
  sculpt_status (*grow)(struct sculpt_accumulator*, int64_t min_capacity);
} sculpt_accumulator;

/* sum[index] += value. `index` must be in [0, dimension). */
static inline sculpt_status sculpt_add(sculpt_accumulator* sum, int32_t index, double value) {
  if (sum->dense) {
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

/* An output under construction. Grow, write, then set `size`. Whoever fills it starts at size 0. */
typedef struct sculpt_label_buffer {
  int32_t* data; /* [capacity] */
  int64_t size;
  int64_t capacity;
  sculpt_status (*grow)(struct sculpt_label_buffer*, int64_t min_capacity);
} sculpt_label_buffer;

/* Makes room for `size` labels and sets the size. The contents are left for the caller to write. */
static inline sculpt_status sculpt_resize_labels(sculpt_label_buffer* out, int64_t size) {
  if (size < 0) return SCULPT_E_INVALID;
  if (size > out->capacity) {
    sculpt_status status = out->grow(out, size);
    if (status != SCULPT_OK) return status;
  }
  out->size = size;
  return SCULPT_OK;
}

/* Bytes under construction: the text of an output, the name of a weight, a component's state. */
typedef struct sculpt_byte_buffer {
  char* data; /* [capacity] */
  int64_t size;
  int64_t capacity;
  sculpt_status (*grow)(struct sculpt_byte_buffer*, int64_t min_capacity);
} sculpt_byte_buffer;

/* Appends `size` bytes. */
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

/* Where a split is read from: a file, or text written in the experiment itself. Messages name
 * `path` in both cases. Both pointers live until the call returns. */
typedef struct sculpt_source {
  uint32_t struct_size;
  uint32_t reserved;
  const char* path; /* absolute path of a file; for inline text a name to use in messages */
  const char* text; /* [text_size], or NULL: read the file */
  int64_t text_size;
} sculpt_source;

#ifdef __cplusplus
}
#endif
#endif
