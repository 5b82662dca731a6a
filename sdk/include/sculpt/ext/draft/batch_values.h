/* sculpt/ext/draft/batch_values.h - the feature vectors or the losses of many outputs in one call.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Offered by features and losses whose calls are slow beside their work, such as those of an
 * interpreter. accumulate() and loss() stay required. The host uses the extension for the outputs
 * that an oracle gives in one call (ext/batch_argmax.h), in training.
 *
 * The results are those of the calls for each output alone, to the last byte. They depend neither
 * on the other outputs of the call, nor on their number, nor on their order. On an error the host
 * reads no result. It then calls accumulate() or loss() for each output, and reports the error of
 * that call. So the text of an error here is not shown. Only SCULPT_E_CANCELLED ends the run. */
#ifndef SCULPT_EXT_DRAFT_BATCH_VALUES_H
#define SCULPT_EXT_DRAFT_BATCH_VALUES_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_BATCH_FEATURES "sculpt.batch-features/draft-1"
#define SCULPT_EXT_BATCH_LOSS "sculpt.batch-loss/draft-1"

/* Offered by features. */
typedef struct sculpt_ext_batch_features {
  /* *sums[k] += psi(examples[k], outputs[k]), for 0 <= k < count; count is at least 1. An example
   * may occur more than once. One thread at a time uses the sums of a call. [worker] */
  sculpt_status (*accumulate)(void* session, int64_t count, const int64_t* examples,
                              const sculpt_labels* outputs, sculpt_accumulator* const* sums,
                              sculpt_error*);
} sculpt_ext_batch_features;

/* Offered by losses. */
typedef struct sculpt_ext_batch_loss {
  /* losses[k] = Delta of guesses[k], for 0 <= k < count; count is at least 1. truths[k] is the
   * truth of examples[k]. The losses are NaN before the call. [worker] */
  sculpt_status (*loss)(void* session, int64_t count, const int64_t* examples,
                        const sculpt_labels* truths, const sculpt_labels* guesses, double* losses,
                        sculpt_error*);
} sculpt_ext_batch_loss;

#ifdef __cplusplus
}
#endif
#endif
