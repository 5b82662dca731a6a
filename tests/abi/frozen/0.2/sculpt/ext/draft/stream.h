/* sculpt/ext/draft/stream.h - examples that come one after the other, and go again.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * For prediction line by line from a pipe, and for training in one pass over data that do not fit
 * into memory, or never end. Memory holds the examples that are alive, not the whole data.
 *
 * A stream begins after seal. So dictionaries, scales and the dimension are known: from restore, or
 * from a split "train" that was loaded before, such as the first part of the data. A stream learns
 * nothing.
 *
 *   open(split, source)    reads nothing yet
 *   next()                 reads one more example. It is alive from now on
 *   ...                    all components may use it, with many threads, as any other example
 *   release(example)       it is alive no more
 *   close()                ends the stream. Its examples stay alive until they are released
 *
 * An alive example has a truth and all that extensions give about an example (sites, label text,
 * place). What the dataset lends of it stays valid until release(). Any number of examples may be
 * alive; release in any order.
 *
 * Numbers: a streamed example gets the smallest number that no example had before. The first one is
 * count() of the sealed dataset. Numbers are never used again, so components may remember an
 * example by its number. count() and split() do not change.
 *
 * Threads: all functions here are [main]: no component of the problem is called meanwhile. The host
 * reads a batch of examples, works on them with all threads, and releases them. */
#ifndef SCULPT_EXT_DRAFT_STREAM_H
#define SCULPT_EXT_DRAFT_STREAM_H
#include "../../kinds.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_EXT_STREAM "sculpt.stream/draft-1"
#define SCULPT_EXT_STREAMED "sculpt.streamed/draft-1"

/* Offered by datasets. */
typedef struct sculpt_ext_stream {
  /* *stream = a stream over the source. What the source points to must live until close(). Labels
   * are required, or not, by the split: "train" has labels, "predict" may have none. [main] */
  sculpt_status (*open)(void* self, const char* split, const sculpt_source*, void** stream,
                        sculpt_error*);
  /* *example = the number of the next example, -1 at the end. Waits for a pipe, and returns as soon
   * as the example is complete. SCULPT_E_DATA with path:line:column for a malformed example: the
   * stream then stands behind it, and next() may be called again. After any other error only
   * close() may be called. [main] */
  sculpt_status (*next)(void* stream, int64_t* example, sculpt_error*);
  /* The example is used no more. Its memory may go. SCULPT_E_INVALID if it is not alive. [main] */
  sculpt_status (*release)(void* self, int64_t example, sculpt_error*);
  void (*close)(void* stream); /* [main] */
} sculpt_ext_stream;

/* Offered by features, losses and oracles that work on examples which did not exist at bind. A
 * problem of other components cannot be streamed: they may have a table of all examples. */
typedef struct sculpt_ext_streamed {
  /* Drops what the component keeps of the example. Called before release() of the dataset. Sessions
   * drop it when they next look: the number never comes back. [main] */
  sculpt_status (*released)(void* self, int64_t example, sculpt_error*);
} sculpt_ext_streamed;

#ifdef __cplusplus
}
#endif
#endif
