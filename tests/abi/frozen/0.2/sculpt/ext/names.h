/* sculpt/ext/names.h - the names of the weights, for `sculpt describe MODEL`.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features. */
#ifndef SCULPT_EXT_NAMES_H
#define SCULPT_EXT_NAMES_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_NAMES "sculpt.names/1"

typedef struct sculpt_ext_names {
  /* Appends the name of a weight in [0, dimension): what it means. */
  sculpt_status (*name)(const void* self, int64_t weight, sculpt_byte_buffer* out,
                        sculpt_error*); /* [any], after seal */
} sculpt_ext_names;

#ifdef __cplusplus
}
#endif
#endif
