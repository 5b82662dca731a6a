/* sculpt/ext/draft/host_sum.h - a service of the host: adds a dense feature vector to a sum.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A draft: its id names its layout (README.md).
 *
 * Found by sculpt_host.extension(). For plugins in languages where sculpt_add() cannot be used, or
 * where a loop over the numbers of psi is slow, such as Python. In C, sculpt_add_run() does it. */
#ifndef SCULPT_EXT_DRAFT_HOST_SUM_H
#define SCULPT_EXT_DRAFT_HOST_SUM_H
#include "../../plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define SCULPT_HOST_SUM "sculpt.host-sum/draft-1"

typedef struct sculpt_host_sum {
  /* sum += scale * psi, for psi[sum->dimension]. Numbers of psi that are 0 are left out. Those that
   * are not finite are added, so the host refuses them when the call has returned. `psi` must not
   * be part of the sum. Returns the status of grow() if the list cannot grow: a part of psi may
   * have been added then. [any] */
  sculpt_status (*add)(sculpt_accumulator* sum, double scale, const double* psi);
} sculpt_host_sum;

#ifdef __cplusplus
}
#endif
#endif
