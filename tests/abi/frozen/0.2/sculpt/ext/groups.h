/* sculpt/ext/groups.h - "groups": weights that are the events of one multinomial.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by features, for generative baselines that count. Groups are the words that a label may
 * emit, the labels that may follow it, the rules of a symbol. The features of a group count events
 * that exclude each other. So weights log p(event | group) are those of a hidden Markov model or of
 * a probabilistic grammar. On truths no feature is negative. */
#ifndef SCULPT_EXT_GROUPS_H
#define SCULPT_EXT_GROUPS_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_GROUPS "sculpt.groups/1"

typedef struct sculpt_ext_groups {
  /* group[j] = the number of the group of weight j, in [0, dimension), or -1 if it is in no group.
   * The array is group[dimension]. [any], after seal */
  sculpt_status (*groups)(const void* self, int32_t* group, sculpt_error*);
} sculpt_ext_groups;

#ifdef __cplusplus
}
#endif
#endif
