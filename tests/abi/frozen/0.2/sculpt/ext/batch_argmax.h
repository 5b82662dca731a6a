/* sculpt/ext/batch_argmax.h - many queries in one call.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Offered by oracles that share work between queries: a matrix product for many examples, a network
 * on a GPU, or an interpreter whose calls are slow. argmax() stays required.
 *
 * The answers are those of argmax() for each query alone, to the last byte. They depend neither on
 * the other queries of the call, nor on their number, nor on their order. So the host divides its
 * examples as it likes. It uses the extension where it knows several queries in advance: passes at
 * one w, batches, prediction. Elsewhere it calls argmax(). */
#ifndef SCULPT_EXT_BATCH_ARGMAX_H
#define SCULPT_EXT_BATCH_ARGMAX_H
#include "../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_BATCH_ARGMAX "sculpt.batch-argmax/1"

typedef struct sculpt_ext_batch_argmax {
  /* Fills *answers[k] with the answer to *queries[k], for 0 <= k < count; count is at least 1. All
   * queries have the same weights and loss_weight. Either all or none have a truth. An example may
   * occur more than once. Each answer lends labels of its own, and is empty except for the value,
   * which is NaN. So the host refuses an answer that was not written.
   *
   * On an error no answer is read. If a query causes it, set *failed to the number of that query,
   * and return the status and text that argmax() gives for it alone. The host adds the example. If
   * several queries fail, name the first. Leave *failed, which is -1, if the error belongs to no
   * query. */
  sculpt_status (*argmax)(void* session, int64_t count, const sculpt_query* const* queries,
                          sculpt_answer* const* answers, int64_t* failed,
                          sculpt_error*); /* [worker] */
} sculpt_ext_batch_argmax;

#ifdef __cplusplus
}
#endif
#endif
