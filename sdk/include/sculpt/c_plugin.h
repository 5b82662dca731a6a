/* sculpt/c_plugin.h - short functions for plugins in C: errors, extensions, sessions of other
 * components, services of the host, files.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In C++ use sculpt.hpp. */
#ifndef SCULPT_C_PLUGIN_H
#define SCULPT_C_PLUGIN_H
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ext/draft/host_source.h"
#include "ext/host.h"
#include "ext/promoted.h"
#include "kinds.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Writes the text to *error, of any length, and returns `status`:
 *   return sculpt_fail(error, SCULPT_E_DATA, "%s:%d: no label", path, line);
 * An argument may be error->text itself: "%s: %s", path, error->text. */
__attribute__((format(printf, 3, 4))) static inline sculpt_status sculpt_fail(sculpt_error* error,
                                                                              sculpt_status status,
                                                                              const char* format,
                                                                              ...) {
  va_list arguments;
  char short_text[512];
  char* long_text = NULL; /* a text of its own, because grow() ends that of the error */
  const char* text;
  size_t size, copied;
  int length;
  if (error == NULL) return status;
  va_start(arguments, format);
  length = vsnprintf(short_text, sizeof short_text, format, arguments);
  va_end(arguments);
  if (length < 0) return status;
  size = (size_t)length;
  if (size >= sizeof short_text) long_text = (char*)malloc(size + 1);
  if (long_text != NULL) {
    va_start(arguments, format);
    (void)vsnprintf(long_text, size + 1, format, arguments);
    va_end(arguments);
  } else if (size >= sizeof short_text) {
    size = sizeof short_text - 1; /* no memory: the text is cut */
  }
  text = long_text != NULL ? long_text : short_text;
  if ((int64_t)size >= error->capacity && error->grow != NULL) {
    (void)error->grow(error, (int64_t)size + 1);
  }
  if (error->text != NULL && error->capacity > 0) {
    copied = (int64_t)size < error->capacity ? size : (size_t)error->capacity - 1;
    /* Does not cut a UTF-8 character. */
    while (copied > 0 && ((unsigned char)text[copied] & 0xC0) == 0x80) --copied;
    memcpy(error->text, text, copied);
    error->text[copied] = '\0';
  }
  free(long_text);
  return status;
}

/* sculpt_life.extension of a component without extensions. */
static inline const void* sculpt_no_extension(const void* self, const char* id) {
  (void)self, (void)id;
  return NULL;
}

/* Returns the table of an extension of a lent component, or NULL. Also finds it by the id of its
 * draft (ext/promoted.h). */
static inline const void* sculpt_find_extension(sculpt_ref ref, const char* id) {
  if (ref.component == NULL || ref.component->life->extension == NULL) return NULL;
  const void* const table = ref.component->life->extension(ref.self, id);
  const char* const draft = table == NULL ? sculpt_draft_id(id) : NULL;
  return draft == NULL ? table : ref.component->life->extension(ref.self, draft);
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

/* *text = a copy of `size` bytes with a zero behind it. Used by sculpt_read_source. */
static inline sculpt_status sculpt_copy_text(const char* bytes, int64_t size, char** text,
                                             int64_t* text_size, sculpt_error* error) {
  *text = (char*)malloc((size_t)size + 1);
  if (*text == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  if (size > 0) memcpy(*text, bytes, (size_t)size);
  (*text)[size] = '\0';
  *text_size = size;
  return SCULPT_OK;
}

/* *text = a copy of the whole source with a zero behind it, *size = its bytes without the zero.
 * The host reads files packed by gzip or zstd, and pipes. Without that service only plain files are
 * read. Call free(*text) in every case. */
static inline sculpt_status sculpt_read_source(const sculpt_host* host, const sculpt_source* source,
                                               char** text, int64_t* size, sculpt_error* error) {
  const sculpt_host_source* const service =
      (const sculpt_host_source*)host->extension(host, SCULPT_HOST_SOURCE);
  *text = NULL;
  *size = 0;
  if (service != NULL) {
    sculpt_source_reader* reader = NULL;
    const char* bytes = NULL;
    int64_t count = 0;
    sculpt_status status = service->open(host, source, &reader, error);
    if (status != SCULPT_OK) return status;
    status = service->rest(reader, &bytes, &count, error);
    if (status == SCULPT_OK) status = sculpt_copy_text(bytes, count, text, size, error);
    service->close(reader);
    return status;
  }
  if (source->text == NULL) return sculpt_read_file(source->path, text, size, error);
  return sculpt_copy_text(source->text, source->text_size, text, size, error);
}

#ifdef __cplusplus
}
#endif
#endif
