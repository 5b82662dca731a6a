/* sculpt/ext/label_text.h - outputs as text for people, and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by datasets. `sculpt predict` prints one format() per example, followed by a newline. */
#ifndef SCULPT_EXT_LABEL_TEXT_H
#define SCULPT_EXT_LABEL_TEXT_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_LABEL_TEXT "sculpt.label-text/1"

typedef struct sculpt_ext_label_text {
  /* Appends the text of the output y to *out. */
  sculpt_status (*format)(const void* self, int64_t example, sculpt_labels y,
                          sculpt_byte_buffer* out, sculpt_error*); /* [any] */
  /* *out = the output that text[size] describes. `parse` may be NULL: not offered. */
  sculpt_status (*parse)(const void* self, int64_t example, const char* text, int64_t size,
                         sculpt_label_buffer* out, sculpt_error*); /* [any] */
} sculpt_ext_label_text;

#ifdef __cplusplus
}
#endif
#endif
