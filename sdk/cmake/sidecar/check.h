/* check.h - checks that a catalogue is complete, so that a host need not check what it reads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SCULPT_SIDECAR_CHECK_H
#define SCULPT_SIDECAR_CHECK_H
#include <sculpt/plugin.h>

/* The JSON names of the kinds and of the types of parameters; NULL for others. */
const char* kind_name(uint32_t kind);
const char* type_name(uint32_t type);

/* Returns 1 if the catalogue has no fault. Else returns 0 and writes a message to text[size]. */
int check_catalogue(const sculpt_plugin* plugin, char* text, size_t size);

#endif
