/* sculpt/ext/draft/groups.h - which weights are the events of one multinomial.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features for generative baselines by counting: the words that a label may emit, the
 * labels that may follow it, the rules of a symbol. Their features count events that exclude each
 * other, so that weights log p(event | group) are those of a hidden Markov model, of a
 * probabilistic grammar. Features are not negative on truths. */
#ifndef SCULPT_EXT_DRAFT_GROUPS_H
#define SCULPT_EXT_DRAFT_GROUPS_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_GROUPS "sculpt.groups/0"

typedef struct sculpt_ext_groups {
  /* group[dimension] = the number of each weight's group, >= 0, or -1: it is in none. [any], after
   * seal */
  sculpt_status (*groups)(const void* self, int32_t* group, sculpt_error*);
} sculpt_ext_groups;

#ifdef __cplusplus
}
#endif
#endif
