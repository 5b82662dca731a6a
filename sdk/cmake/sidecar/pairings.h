/* pairings.h - writes which components an experiment uses together.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Called by main.c. The host reads it in core/registry/pairing.cpp. */
#ifndef SCULPT_SIDECAR_PAIRINGS_H
#define SCULPT_SIDECAR_PAIRINGS_H
#include <stdio.h>

/* Writes the names that a valid JSON object uses in its sections. Those of other forms are left
 * out:
 *   {"dataset":["letters"],"features":["chain"],"loss":["hamming"],"oracle":["viterbi"]} */
void put_pairing(FILE* out, const char* experiment);

#endif
