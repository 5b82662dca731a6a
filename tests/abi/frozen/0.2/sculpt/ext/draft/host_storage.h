/* sculpt/ext/draft/host_storage.h - a service of the host: memory for large arrays, in files.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Found by sculpt_host.extension(). If a run may use little memory ("memory" in the experiment),
 * the arrays of a dataset lie in files that are mapped. Then the system writes parts of them to the
 * disk when memory is short, and reads them again when they are used. Otherwise the host has no
 * storage, and a plugin uses memory of its own. Results are the same. */
#ifndef SCULPT_EXT_DRAFT_HOST_STORAGE_H
#define SCULPT_EXT_DRAFT_HOST_STORAGE_H
#include "../../plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_HOST_STORAGE "sculpt.host-storage/draft-1"

typedef struct sculpt_host_storage {
  /* *memory = `size` bytes, zeros, at an address that is a multiple of 64. *memory == NULL: the
   * host has no storage for this array; use memory of your own. The memory lives until release(),
   * or until the host destroys the component. size >= 1. Ask for a megabyte or more: each call
   * makes a file. [any] SCULPT_E_MEMORY   the disk is full */
  sculpt_status (*allocate)(const sculpt_host*, int64_t size, void** memory, sculpt_error*);
  /* Gives memory of allocate() back, and returns 1. Returns 0 and does nothing for other memory.
   * [any] */
  int32_t (*release)(const sculpt_host*, void* memory);
} sculpt_host_storage;

#ifdef __cplusplus
}
#endif
#endif
