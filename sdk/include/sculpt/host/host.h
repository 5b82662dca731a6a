/* sculpt/host/host.h - all of libsculpt's C API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SCULPT_HOST_HOST_H
#define SCULPT_HOST_HOST_H
#include "api.h"
#include "batch.h"
#include "batch_task.h"
#include "examples.h"
#include "model.h"
#include "program.h"
#include "session.h"
#include "training.h"
#endif
