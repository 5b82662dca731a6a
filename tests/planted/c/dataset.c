/* dataset.c - reads one sequence a line. A position is its grade and its inputs:
 *
 *   3:0.5,1 4:0.7,2 4:0.9,2
 *
 * Grades count from 1. A line whose grades are all ? is unlabelled. Blank lines are left out. */
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/state.h>

#include "grades.h"

static sculpt_status dataset_create(const sculpt_host* host, const sculpt_value* values,
                                    void** self, sculpt_error* error) {
  struct dataset* const dataset = calloc(1, sizeof *dataset);
  if (dataset == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  dataset->host = host;
  dataset->grades = (int32_t)values[0].integer;
  *self = dataset;
  return SCULPT_OK;
}

static void dataset_destroy(void* self) {
  struct dataset* const dataset = self;
  for (int64_t k = 0; k < dataset->split_count; ++k) free(dataset->splits[k].name);
  free(dataset->splits);
  free(dataset->sequences);
  free(dataset->x);
  free(dataset->y);
  free(dataset);
}

/* Where a token is, for messages. */
struct place {
  const char* path;
  int64_t line, column;
};

static sculpt_status refuse(const struct place* at, const char* what, sculpt_error* error) {
  return sculpt_fail(error, SCULPT_E_DATA, "%s:%lld:%lld: %s", at->path, (long long)at->line,
                     (long long)at->column, what);
}

/* The array with room for one more item of `bytes` bytes, or NULL if there is no memory. */
static void* with_room(void* array, int64_t count, int64_t* capacity, size_t bytes) {
  if (count < *capacity) return array;
  const int64_t larger = 2 * *capacity + 16;
  void* const moved = realloc(array, (size_t)larger * bytes);
  if (moved != NULL) *capacity = larger;
  return moved;
}

static int add_position(struct dataset* dataset, int32_t grade, const double* x) {
  const size_t bytes = (size_t)dataset->width * sizeof *x;
  const int64_t count = dataset->position_count;
  int32_t* const y = with_room(dataset->y, count, &dataset->y_capacity, sizeof *y);
  if (y == NULL) return 0;
  dataset->y = y;
  double* const rows = with_room(dataset->x, count, &dataset->x_capacity, bytes);
  if (rows == NULL) return 0;
  dataset->x = rows;
  y[count] = grade;
  memcpy(rows + count * dataset->width, x, bytes);
  dataset->position_count += 1;
  return 1;
}

static int add_sequence(struct dataset* dataset, int64_t begin) {
  struct range* const sequences = with_room(dataset->sequences, dataset->sequence_count,
                                            &dataset->sequence_capacity, sizeof *sequences);
  if (sequences == NULL) return 0;
  dataset->sequences = sequences;
  const struct range range = {begin, dataset->position_count};
  sequences[dataset->sequence_count++] = range;
  return 1;
}

/* Reads "grade:x,x,..." and moves *text behind it. */
static sculpt_status read_position(struct dataset* dataset, const struct place* at,
                                   const char** text, sculpt_error* error) {
  enum { max_width = 64 };
  double x[max_width];
  int64_t width = 0;
  int32_t grade = -1;
  const char* c = *text;
  if (*c == '?') {
    ++c;
  } else {
    char* stop = NULL;
    const long number = strtol(c, &stop, 10);
    if (stop == c || number < 1 || number > dataset->grades) {
      return refuse(at, "there is no such grade; write 1 to `grades`, or ?", error);
    }
    grade = (int32_t)(number - 1);
    c = stop;
  }
  if (*c != ':') return refuse(at, "write a position as grade:input,input", error);
  do {
    char* stop = NULL;
    if (width == max_width) return refuse(at, "has more than 64 inputs", error);
    ++c; /* the colon or the comma */
    x[width] = strtod(c, &stop);
    if (stop == c || !(x[width] - x[width] == 0)) {
      return refuse(at, "has an input that is no finite number", error);
    }
    ++width;
    c = stop;
  } while (*c == ',');
  if (*c != ' ' && *c != '\t' && *c != '\r' && *c != '\n' && *c != '\0') {
    return refuse(at, "write a blank between two positions", error);
  }
  if (dataset->width == 0) dataset->width = width;
  if (width != dataset->width) {
    return refuse(at, "has another number of inputs than the training data", error);
  }
  if (!add_position(dataset, grade, x)) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  *text = c;
  return SCULPT_OK;
}

/* Reads one line and moves *text to its end. */
static sculpt_status read_line(struct dataset* dataset, struct place* at, const char** text,
                               sculpt_error* error) {
  const char* const begin = *text;
  const int64_t first = dataset->position_count;
  int64_t labelled = 0;
  for (;;) {
    while (**text == ' ' || **text == '\t' || **text == '\r') ++*text;
    if (**text == '\n' || **text == '\0') break;
    at->column = *text - begin + 1;
    const sculpt_status status = read_position(dataset, at, text, error);
    if (status != SCULPT_OK) return status;
    labelled += dataset->y[dataset->position_count - 1] >= 0 ? 1 : 0;
  }
  if (dataset->position_count == first) return SCULPT_OK;
  if (labelled != 0 && labelled != dataset->position_count - first) {
    at->column = 1;
    return refuse(at, "has grades and question marks; label all positions of a line or none",
                  error);
  }
  if (!add_sequence(dataset, first)) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  return SCULPT_OK;
}

static sculpt_status add_split(struct dataset* dataset, const char* name, int64_t begin,
                               sculpt_error* error) {
  const size_t bytes = strlen(name) + 1;
  char* const copy = malloc(bytes);
  struct split* const larger =
      realloc(dataset->splits, (size_t)(dataset->split_count + 1) * sizeof *larger);
  if (larger != NULL) dataset->splits = larger;
  if (copy == NULL || larger == NULL) {
    free(copy);
    return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  }
  memcpy(copy, name, bytes);
  const struct split split = {copy, {begin, dataset->sequence_count}};
  dataset->splits[dataset->split_count++] = split;
  return SCULPT_OK;
}

static sculpt_status dataset_load(void* self, const char* split, const sculpt_source* source,
                                  sculpt_error* error) {
  struct dataset* const dataset = self;
  const int64_t begin = dataset->sequence_count;
  char* text = NULL;
  int64_t size = 0;
  sculpt_status status = sculpt_read_source(dataset->host, source, &text, &size, error);
  struct place at = {source->path, 1, 1};
  for (const char* c = text; status == SCULPT_OK && c < text + size; ++c, ++at.line) {
    status = read_line(dataset, &at, &c, error);
    if (status == SCULPT_OK && *c == '\0' && c < text + size) {
      status = refuse(&at, "has a zero byte", error);
    }
  }
  free(text);
  if (status == SCULPT_OK) status = add_split(dataset, split, begin, error);
  return status;
}

static sculpt_status dataset_count(const void* self, int64_t* out, sculpt_error* error) {
  (void)error;
  *out = ((const struct dataset*)self)->sequence_count;
  return SCULPT_OK;
}

static sculpt_status dataset_split(const void* self, const char* name, int64_t* begin, int64_t* end,
                                   sculpt_error* error) {
  const struct dataset* const dataset = self;
  (void)error;
  *begin = *end = 0;
  for (int64_t k = 0; k < dataset->split_count; ++k) {
    if (strcmp(dataset->splits[k].name, name) != 0) continue;
    *begin = dataset->splits[k].sequences.begin;
    *end = dataset->splits[k].sequences.end;
  }
  return SCULPT_OK;
}

static sculpt_status dataset_truth(const void* self, int64_t example, sculpt_labels* out,
                                   sculpt_error* error) {
  const struct dataset* const dataset = self;
  const struct range range = dataset->sequences[example];
  const int32_t* const y = dataset->y + range.begin;
  (void)error;
  out->data = y[0] < 0 ? NULL : y;
  out->size = y[0] < 0 ? 0 : range.end - range.begin;
  return SCULPT_OK;
}

/* The state is the number of inputs. New data must have as many. */
static sculpt_status dataset_save(const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
  const struct dataset* const dataset = self;
  if (sculpt_put(out, &dataset->width, sizeof dataset->width) == SCULPT_OK) return SCULPT_OK;
  return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status dataset_restore(void* self, const char* data, int64_t size,
                                     sculpt_error* error) {
  struct dataset* const dataset = self;
  if (size != sizeof dataset->width) {
    return sculpt_fail(error, SCULPT_E_DATA, "its state is damaged; train again");
  }
  memcpy(&dataset->width, data, sizeof dataset->width);
  if (dataset->width >= 0 && dataset->width <= 64) return SCULPT_OK;
  return sculpt_fail(error, SCULPT_E_DATA, "its state is damaged; train again");
}

static sculpt_status dataset_format(const void* self, int64_t example, sculpt_labels y,
                                    sculpt_byte_buffer* out, sculpt_error* error) {
  (void)self, (void)example;
  for (int64_t t = 0; t < y.size; ++t) {
    char text[16];
    const int size = snprintf(text, sizeof text, t == 0 ? "%d" : " %d", y.data[t] + 1);
    const sculpt_status status = sculpt_put(out, text, size);
    if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  }
  return SCULPT_OK;
}

static const sculpt_ext_state state_table = {dataset_save, dataset_restore};
static const sculpt_ext_label_text label_text_table = {.format = dataset_format};
static const char* const dataset_extensions[] = {SCULPT_EXT_STATE, SCULPT_EXT_LABEL_TEXT};

static const void* dataset_extension(const void* self, const char* id) {
  (void)self;
  if (strcmp(id, SCULPT_EXT_STATE) == 0) return &state_table;
  if (strcmp(id, SCULPT_EXT_LABEL_TEXT) == 0) return &label_text_table;
  return NULL;
}

static const sculpt_parameter dataset_parameters[] = {{.type = SCULPT_PARAMETER_INT,
                                                       .name = "grades",
                                                       .fallback = "5",
                                                       .lower = 2,
                                                       .upper = 1000,
                                                       .summary = "number of grades, from 1"}};
static const sculpt_life dataset_life = {
    .create = dataset_create, .destroy = dataset_destroy, .extension = dataset_extension};
static const sculpt_dataset_api dataset_api = {dataset_load, dataset_count, dataset_split,
                                               dataset_truth};
const sculpt_component grades_dataset = {.struct_size = sizeof(sculpt_component),
                                         .kind = SCULPT_KIND_DATASET,
                                         .id = "org.example.grades",
                                         .version = "1.0.0",
                                         .summary = "sequences of graded positions",
                                         .parameters = dataset_parameters,
                                         .parameter_count = 1,
                                         .extensions = dataset_extensions,
                                         .extension_count = 2,
                                         .life = &dataset_life,
                                         .api = &dataset_api};
