/* sculpt/ext/names.h - what weight j means, for `sculpt describe MODEL`.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features.                                                                           */
#ifndef SCULPT_EXT_NAMES_H
#define SCULPT_EXT_NAMES_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_NAMES "sculpt.names/1"

typedef struct sculpt_ext_names {
  sculpt_status (*name)(const void* self, int64_t weight, sculpt_byte_buffer* out,
                        sculpt_error*); /* [any], after seal; appends */
} sculpt_ext_names;

#ifdef __cplusplus
}
#endif
#endif
