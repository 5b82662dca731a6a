/* check.h - is a catalogue complete, so that a host can read it blindly?
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SCULPT_SIDECAR_CHECK_H
#define SCULPT_SIDECAR_CHECK_H
#include <sculpt/plugin.h>

/* The JSON names of the kinds and of the types of parameters; NULL for others. */
const char* kind_name(uint32_t kind);
const char* type_name(uint32_t type);

/* 1 when all is well. Else 0 and a sentence in text[size]. */
int check_catalogue(const sculpt_plugin* plugin, char* text, size_t size);

#endif
