/* sculpt/host/model.h - trained models: open, keep, look inside.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Read api.h and session.h first. A model does not change. Several threads may use one, each with a
 * session of its own. */
#ifndef SCULPT_HOST_MODEL_H
#define SCULPT_HOST_MODEL_H
#include "session.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct sculpt_model sculpt_model;

/* `path`: a model file or a run folder. */
SCULPT_API sculpt_exit sculpt_model_open(const char* path, sculpt_model** model,
                                         sculpt_failure** failure);
/* The bytes of a model file. They are copied. */
SCULPT_API sculpt_exit sculpt_model_from_bytes(const void* bytes, int64_t size,
                                               sculpt_model** model, sculpt_failure** failure);
/* The bytes of the model file, [*size]. Equal models have equal bytes. They live as long as the
 * model. */
SCULPT_API const void* sculpt_model_bytes(const sculpt_model*, int64_t* size);
/* Writes a model file. Replaces an existing one when the new one is complete. */
SCULPT_API sculpt_exit sculpt_model_save(const sculpt_model*, const char* path,
                                         sculpt_failure** failure);
/* JSON: the experiment ("config"), the certificate ("result"), the components and their versions.
 */
SCULPT_API const char* sculpt_model_header(const sculpt_model*);
/* The weights w, [*dimension]. With a kernel: the coefficients of its support atoms. */
SCULPT_API const double* sculpt_model_weights(const sculpt_model*, int64_t* dimension);
/* The names of all weights, one a line. They live as long as the model. */
SCULPT_API sculpt_exit sculpt_model_weight_names(sculpt_session*, sculpt_model*, const char** names,
                                                 sculpt_failure** failure);
SCULPT_API void sculpt_model_free(sculpt_model*);

#ifdef __cplusplus
}
#endif
#endif
