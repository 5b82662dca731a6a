/* my_dataset_names.c - lists of names: words and tags. */
#include "my_dataset.h"

static int compare(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

/* Names are at most `longest_text` bytes long. */
int64_t my_dataset_find(const struct names* names, const char* text, int64_t size) {
  char name[longest_text + 1];
  const char* const key = name;
  (void)snprintf(name, sizeof name, "%.*s", (int)size, text);
  if (names->count == 0) return -1;
  char** const found = bsearch(&key, names->text, (size_t)names->count, sizeof key, compare);
  return found == NULL ? -1 : found - names->text;
}

int my_dataset_add_name(struct names* names, const char* text, size_t size) {
  char** const all = my_dataset_with_room(names->text, names->count, &names->capacity, sizeof *all);
  char* const copy = malloc(size + 1);
  if (all != NULL) names->text = all;
  if (all == NULL || copy == NULL) {
    free(copy);
    return 0;
  }
  memcpy(copy, text, size);
  copy[size] = '\0';
  all[names->count++] = copy;
  return 1;
}

void my_dataset_finish_names(struct names* names) {
  int64_t kept = 0;
  if (names->count > 0) qsort(names->text, (size_t)names->count, sizeof *names->text, compare);
  for (int64_t k = 0; k < names->count; ++k) {
    if (kept > 0 && strcmp(names->text[k], names->text[kept - 1]) == 0) {
      free(names->text[k]);
    } else {
      names->text[kept++] = names->text[k];
    }
  }
  names->count = kept;
}

void my_dataset_free_names(struct names* names) {
  for (int64_t k = 0; k < names->count; ++k) free(names->text[k]);
  free(names->text);
}

/* Names with a zero byte behind each; an empty name behind the last one. */
sculpt_status my_dataset_save_names(const struct names* names, sculpt_byte_buffer* out) {
  sculpt_status status = SCULPT_OK;
  for (int64_t k = 0; k < names->count && status == SCULPT_OK; ++k) {
    status = sculpt_put(out, names->text[k], (int64_t)strlen(names->text[k]) + 1);
  }
  return status == SCULPT_OK ? sculpt_put(out, "", 1) : status;
}

/* Reads names and moves *data behind them. The bytes may be damaged: names must increase, and none
 * is longer than a word. */
sculpt_status my_dataset_restore_names(struct names* names, const char** data, const char* end,
                                       sculpt_error* error) {
  for (;;) {
    const char* const zero = *data < end ? memchr(*data, '\0', (size_t)(end - *data)) : NULL;
    const int64_t size = zero != NULL ? zero - *data : longest_text + 1;
    const int follows = names->count == 0 || size == 0 || size > longest_text ||
                        strcmp(names->text[names->count - 1], *data) < 0;
    if (size > longest_text || !follows) {
      return sculpt_fail(error, SCULPT_E_DATA, "its state is damaged; train again");
    }
    if (size > 0 && !my_dataset_add_name(names, *data, (size_t)size))
      return my_dataset_no_memory(error);
    *data = zero + 1;
    if (size == 0) return SCULPT_OK;
  }
}
