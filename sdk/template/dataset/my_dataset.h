/* my_dataset.h - what the files of this plugin share. */
#ifndef MY_DATASET_H
#define MY_DATASET_H
#include <sculpt/c_plugin.h>
#include <sculpt/ext/sites.h>

enum { longest_text = 255 }; /* bytes of a word or a tag */

/* Sorted names. The number of a name is its place, so it does not depend on the order of data. */
struct names {
  char** text;
  int64_t count, capacity;
};

struct example {
  sculpt_labels truth;
  sculpt_sites sites; /* the arrays belong to the example */
};

struct split {
  char* name;
  int64_t begin, end;
};

struct dataset {
  const sculpt_host* host;
  int has_edges, is_restored;
  struct names words; /* the features */
  struct names tags;
  struct example* examples;
  int64_t count, capacity;
  struct split* splits;
  int64_t split_count;
};

static inline sculpt_status my_dataset_no_memory(sculpt_error* error) {
  return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

/* The array with room for one more item of `size` bytes, or NULL if there is no memory. */
static inline void* my_dataset_with_room(void* array, int64_t count, int64_t* capacity,
                                         size_t size) {
  if (count < *capacity) return array;
  void* const larger = realloc(array, (size_t)(2 * *capacity + 16) * size);
  if (larger != NULL) *capacity = 2 * *capacity + 16;
  return larger;
}

/* --- my_dataset_names.c --- */

/* Adds a name. Returns 0 if there is no memory. */
int my_dataset_add_name(struct names*, const char* text, size_t size);
/* Sorts the names and removes duplicates. */
void my_dataset_finish_names(struct names*);
/* The number of a name, or -1. */
int64_t my_dataset_find(const struct names*, const char* text, int64_t size);
void my_dataset_free_names(struct names*);
sculpt_status my_dataset_save_names(const struct names*, sculpt_byte_buffer* out);
/* Reads names and moves *data behind them. */
sculpt_status my_dataset_restore_names(struct names*, const char** data, const char* end,
                                       sculpt_error*);

/* --- my_dataset_lines.c --- */

/* Adds the words and tags of a text to the names. */
sculpt_status my_dataset_learn(struct dataset*, const char* path, const char* text, int64_t size,
                               sculpt_error*);
/* Adds an example for each line of a text. */
sculpt_status my_dataset_add(struct dataset*, const char* path, const char* text, int64_t size,
                             sculpt_error*);

#endif
