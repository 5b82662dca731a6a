/* sculpt/ext/draft/host_source.h - a service of the host: reads files, also packed ones, pipes and
 * memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Found by sculpt_host.extension(). It opens what a sculpt_source names and lends its bytes:
 *   path          a file, a pipe or a device. "-" is the standard input, which can be read once;
 *                 no command of this host passes it yet
 *   text          memory of the caller, if text != NULL
 * Bytes that are packed by gzip or zstd come unpacked. Their first bytes tell, not the name. So a
 * plugin reads .gz and .zst without a library of its own.
 *
 * A reader gives each byte once: as a block, as a part of the rest, or in a line. It reads in
 * blocks, so it needs little memory, and it gives a line of a pipe as soon as it is there. What it
 * lends is valid until the next call with the reader. One thread at a time uses a reader.
 *
 * Errors of open() and of all reading begin with the path:
 *   SCULPT_E_MISSING     the file does not exist, is a folder, or cannot be read
 *   SCULPT_E_DATA        packed bytes are damaged or end too early
 *   SCULPT_E_CANCELLED   the user asked to stop, also while the call waits for a pipe
 *   SCULPT_E_MEMORY      out of memory, or too many open files
 * After an error only close() may be called. */
#ifndef SCULPT_EXT_DRAFT_HOST_SOURCE_H
#define SCULPT_EXT_DRAFT_HOST_SOURCE_H
#include "../../plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_HOST_SOURCE "sculpt.host-source/draft-1"

/* An open source. Only the host knows what is in it. */
typedef struct sculpt_source_reader sculpt_source_reader;

typedef struct sculpt_host_source {
  /* *out = a reader at the first byte. It reads nothing yet, so it waits for no byte of a pipe.
   * What the source points to must live until close(). [any] */
  sculpt_status (*open)(const sculpt_host*, const sculpt_source*, sculpt_source_reader** out,
                        sculpt_error*);
  /* *bytes = the next block of bytes, [*size]. *size == 0 at the end, and only there. [any] */
  sculpt_status (*next_block)(sculpt_source_reader*, const char** bytes, int64_t* size,
                              sculpt_error*);
  /* *bytes = all bytes that are not yet read, [*size]. [any] */
  sculpt_status (*rest)(sculpt_source_reader*, const char** bytes, int64_t* size, sculpt_error*);
  /* *line = the next line, [*size], without its line end, which is LF or CRLF. *number = the number
   * of the line, from 1. It counts the calls of next_line(). A UTF-8 byte order mark before the
   * first line is left out. *line == NULL at the end. [any] */
  sculpt_status (*next_line)(sculpt_source_reader*, const char** line, int64_t* size,
                             int64_t* number, sculpt_error*);
  /* Ends the reader. Call it once for each open() that succeeded. [any] */
  void (*close)(sculpt_source_reader*);
} sculpt_host_source;

#ifdef __cplusplus
}
#endif
#endif
