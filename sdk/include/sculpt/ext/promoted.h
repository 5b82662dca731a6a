/* sculpt/ext/promoted.h - the two ids of an extension that was a draft.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft that is promoted with its layout unchanged has two ids as long as the minor version of
 * the ABI lasts: `sculpt.NAME/1`, and that of the draft. Both name the same table. So a component
 * and a host work together if only one of them was built before the promotion:
 *
 *   - A component lists the promoted id and answers both: sculpt.hpp does, and in C
 *     sculpt_is_extension().
 *   - Who looks for an extension asks for the promoted id, then for that of the draft: the host,
 *     sculpt_find_extension() of c_plugin.h, and Ref::extension() of sculpt.hpp.
 *
 * The names SCULPT_EXT_* mean the promoted ids. An extension whose layout changed with its
 * promotion, such as scores or expectation, has one id. The drafts of the table below were promoted
 * together with the ABI that numbers drafts. So no older host asks for their second ids: there they
 * only keep the rule. [any] for all functions. */
#ifndef SCULPT_EXT_PROMOTED_H
#define SCULPT_EXT_PROMOTED_H
#include <stddef.h>
#include <string.h>
#include "cut.h"
#include "groups.h"
#include "items.h"
#include "k_best.h"
#include "kernel.h"
#include "row_blocks.h"
#include "sample.h"
#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(modernize-use-nullptr,modernize-loop-convert): C99 has neither. */

/* Returns entry `want` of the pair whose entry `have` is `id`, or NULL. Entry 0 of a pair is the
 * promoted id, entry 1 that of the draft. Used by the functions below. */
static inline const char* sculpt_id_of_pair(const char* id, int have, int want) {
  static const char* const pairs[][2] = {{SCULPT_EXT_CUT, "sculpt.cut/draft-1"},
                                         {SCULPT_EXT_MAP_CUT, "sculpt.map-cut/draft-1"},
                                         {SCULPT_EXT_GROUPS, "sculpt.groups/draft-1"},
                                         {SCULPT_EXT_ITEMS, "sculpt.items/draft-1"},
                                         {SCULPT_EXT_K_BEST, "sculpt.k-best/draft-1"},
                                         {SCULPT_EXT_MAP_K_BEST, "sculpt.map-k-best/draft-1"},
                                         {SCULPT_EXT_KERNEL, "sculpt.kernel/draft-2"},
                                         {SCULPT_EXT_ROW_BLOCKS, "sculpt.row-blocks/draft-1"},
                                         {SCULPT_EXT_SAMPLE, "sculpt.sample/draft-1"},
                                         {SCULPT_EXT_MAP_SAMPLE, "sculpt.map-sample/draft-1"}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; ++k) {
    if (strcmp(id, pairs[k][have]) == 0) return pairs[k][want];
  }
  return NULL;
}

/* Returns the id that a promoted extension had as a draft, or NULL for other ids. */
static inline const char* sculpt_draft_id(const char* id) {
  return sculpt_id_of_pair(id, 0, 1);
}

/* Returns the promoted id for the id of its draft, and any other id as it is. */
static inline const char* sculpt_promoted_id(const char* id) {
  const char* const promoted = sculpt_id_of_pair(id, 1, 0);
  return promoted == NULL ? id : promoted;
}

/* True if both ids name one extension. For sculpt_life.extension:
 * sculpt_is_extension(id, SCULPT_EXT_ITEMS). */
static inline int sculpt_is_extension(const char* asked, const char* offered) {
  return strcmp(sculpt_promoted_id(asked), sculpt_promoted_id(offered)) == 0;
}

/* NOLINTEND(modernize-use-nullptr,modernize-loop-convert) */

#ifdef __cplusplus
}
#endif
#endif
