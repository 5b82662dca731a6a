/* sculpt/helpers.h - short functions for plugins in C: errors, extensions, sessions of other
 * components, services of the host, files.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In C++ use sculpt.hpp. */
#ifndef SCULPT_HELPERS_H
#define SCULPT_HELPERS_H
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ext/host.h"
#include "kinds.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Writes the text to *error, of any length, and returns `status`:
 *   return sculpt_fail(error, SCULPT_E_DATA, "%s:%d: no label", path, line); */
__attribute__((format(printf, 3, 4))) static inline sculpt_status sculpt_fail(sculpt_error* error,
                                                                              sculpt_status status,
                                                                              const char* format,
                                                                              ...) {
  va_list arguments;
  int size;
  if (error == NULL) return status;
  va_start(arguments, format);
  size = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (size >= error->capacity && error->grow != NULL) (void)error->grow(error, (int64_t)size + 1);
  if (size < 0 || error->text == NULL || error->capacity <= 0) return status;
  va_start(arguments, format);
  (void)vsnprintf(error->text, (size_t)error->capacity, format, arguments);
  va_end(arguments);
  return status;
}

/* sculpt_life.extension of a component without extensions. */
static inline const void* sculpt_no_extension(const void* self, const char* id) {
  (void)self, (void)id;
  return NULL;
}

/* Returns the table of an extension of a lent component, or NULL. */
static inline const void* sculpt_find_extension(sculpt_ref ref, const char* id) {
  if (ref.component == NULL || ref.component->life->extension == NULL) return NULL;
  return ref.component->life->extension(ref.self, id);
}

/* *session = a session of a lent component, for one thread. Open it in your own open_session, or in
 * a task of the host's `parallel`. Close it with sculpt_close_session(), exactly once for each call
 * that succeeded. Without a component, such as the loss in prediction, *session = NULL. [any] */
static inline sculpt_status sculpt_open_session(sculpt_ref ref, void** session,
                                                sculpt_error* error) {
  *session = ref.self;
  if (ref.component == NULL || ref.component->life->open_session == NULL) return SCULPT_OK;
  return ref.component->life->open_session(ref.self, session, error);
}

/* Ends a session of sculpt_open_session(). [any] */
static inline void sculpt_close_session(sculpt_ref ref, void* session) {
  if (ref.component != NULL && ref.component->life->close_session != NULL) {
    ref.component->life->close_session(session);
  }
}

/* Returns 1 if the user asked to stop: return SCULPT_E_CANCELLED soon. 0 without the service. Takes
 * about as long as a call of a function, so ask about once a millisecond. [any] */
static inline int sculpt_is_cancelled(const sculpt_host* host) {
  const sculpt_host_cancel* const service =
      (const sculpt_host_cancel*)host->extension(host, SCULPT_HOST_CANCEL);
  return service != NULL && service->cancelled(host) != 0;
}

/* Shows a message (SCULPT_LOG_*), if the host has the service. [any] */
static inline void sculpt_log(const sculpt_host* host, int32_t severity, const char* text) {
  const sculpt_host_log* const service =
      (const sculpt_host_log*)host->extension(host, SCULPT_HOST_LOG);
  if (service != NULL) service->log(host, severity, text);
}

/* Reads a whole file into *bytes, which grows. Used by sculpt_read_source. */
static inline sculpt_status sculpt_read_file(const char* path, char** bytes, int64_t* size,
                                             sculpt_error* error) {
  size_t capacity = 0, used = 0;
  FILE* const file = fopen(path, "rb");
  if (file == NULL) return sculpt_fail(error, SCULPT_E_MISSING, "%s: %s", path, strerror(errno));
  do {
    char* const larger = (char*)realloc(*bytes, capacity = 2 * capacity + 65536);
    if (larger == NULL) {
      fclose(file);
      return sculpt_fail(error, SCULPT_E_MEMORY, "%s: too large for the memory", path);
    }
    *bytes = larger;
    used += fread(larger + used, 1, capacity - used - 1, file);
  } while (used == capacity - 1);
  (*bytes)[used] = '\0';
  *size = (int64_t)used;
  if (ferror(file)) {
    (void)sculpt_fail(error, SCULPT_E_MISSING, "%s: %s", path, strerror(errno));
    fclose(file);
    return SCULPT_E_MISSING;
  }
  fclose(file);
  return SCULPT_OK;
}

/* *text = a copy of the whole source with a zero behind it, *size = its bytes without the zero.
 * Call free(*text) in every case. */
static inline sculpt_status sculpt_read_source(const sculpt_source* source, char** text,
                                               int64_t* size, sculpt_error* error) {
  *text = NULL;
  *size = 0;
  if (source->text == NULL) return sculpt_read_file(source->path, text, size, error);
  *text = (char*)calloc((size_t)source->text_size + 1, 1);
  if (*text == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  memcpy(*text, source->text, (size_t)source->text_size);
  *size = source->text_size;
  return SCULPT_OK;
}

#ifdef __cplusplus
}
#endif
#endif
