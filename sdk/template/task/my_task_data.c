/* my_task_data.c - the dataset: one sequence a line, one position a field.
 *
 *   0:1,0.2 1:0,0.9 2:0.4,0     label:input,input; the label ? is unknown
 *   -                           the empty sequence */
#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/draft/edge_kinds.h>
#include <sculpt/ext/draft/place.h>
#include <sculpt/ext/example_weights.h>
#include <sculpt/ext/items.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/sites.h>
#include <sculpt/ext/state.h>

#include "my_task.h"

enum { most_inputs = 1000 };

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct task* const task = calloc(1, sizeof *task);
  if (task == NULL) return my_task_no_memory(error);
  task->host = host;
  task->labels = (int32_t)values[0].integer; /* in the order of the table `parameters` */
  task->jump = (int32_t)values[1].integer;
  *self = task;
  return SCULPT_OK;
}

static void destroy(void* self) {
  struct task* const task = self;
  for (int64_t i = 0; i < task->count; ++i) free(task->sequences[i].y), free(task->sequences[i].x);
  for (int64_t k = 0; k < task->split_count; ++k) free(task->splits[k].name);
  free(task->sequences);
  free(task->splits);
  free(task);
}

/* Where the reader is. */
struct place {
  const char* path;
  const char* line; /* its first byte */
  int64_t number;
};

static sculpt_status refuse(const struct place* at, const char* c, const char* what,
                            sculpt_error* error) {
  return sculpt_fail(error, SCULPT_E_DATA, "%s:%lld:%lld: %s", at->path, (long long)at->number,
                     (long long)(c - at->line) + 1, what);
}

static int ends_field(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

/* Reads "label:input,input" and moves *text behind it. */
static sculpt_status read_position(struct task* task, const struct place* at, const char** text,
                                   struct sequence* to, sculpt_error* error) {
  const char* c = *text;
  char* stop = (char*)c;
  double x[most_inputs];
  int64_t width = 0;
  long label = -1;
  if (*c == '?') {
    ++stop;
  } else if (*c >= '0' && *c <= '9') {
    label = strtol(c, &stop, 10);
    if (label >= task->labels) return refuse(at, c, "there is no such label", error);
  }
  if (stop == c || *stop != ':') {
    return refuse(at, c, "write a position as label:input,input", error);
  }
  do {
    c = stop + 1;
    if (width == most_inputs) return refuse(at, c, "has more than 1000 inputs", error);
    x[width] = ends_field(*c) ? 0 : strtod(c, &stop);
    if (ends_field(*c) || stop == c || !(x[width] - x[width] == 0)) {
      return refuse(at, c, "has an input that is no finite number", error);
    }
    ++width;
  } while (*stop == ',');
  if (!ends_field(*stop)) return refuse(at, stop, "write a blank between positions", error);
  if (task->width == 0 && task->is_learning) task->width = width;
  if (task->width == 0) return refuse(at, *text, "the training data had no position", error);
  if (width != task->width) {
    return refuse(at, *text, "has another number of inputs than the training data", error);
  }
  const size_t size = (size_t)to->size + 1;
  int32_t* const y = realloc(to->y, size * sizeof *y);
  if (y != NULL) to->y = y;
  double* const inputs = realloc(to->x, size * (size_t)width * sizeof *inputs);
  if (inputs != NULL) to->x = inputs;
  if (y == NULL || inputs == NULL) return my_task_no_memory(error);
  memcpy(inputs + to->size * width, x, (size_t)width * sizeof *x);
  y[to->size++] = (int32_t)label;
  *text = stop;
  return SCULPT_OK;
}

/* Reads a line and moves *text to its end. A line with - alone is the empty sequence. */
static sculpt_status read_line(struct task* task, const struct place* at, const char** text,
                               sculpt_error* error) {
  int64_t unknown = 0;
  int is_empty = 0;
  struct sequence* sequence = NULL;
  for (;;) {
    while (**text == ' ' || **text == '\t' || **text == '\r') ++*text;
    if (**text == '\n' || **text == '\0') break;
    if (is_empty) return refuse(at, *text, "write - alone in its line", error);
    if (sequence == NULL) {
      if (task->count == task->capacity) {
        const int64_t larger = 2 * task->capacity + 16;
        void* const moved = realloc(task->sequences, (size_t)larger * sizeof *sequence);
        if (moved == NULL) return my_task_no_memory(error);
        task->sequences = moved;
        task->capacity = larger;
      }
      sequence = &task->sequences[task->count++];
      memset(sequence, 0, sizeof *sequence);
      sequence->is_labelled = 1;
      is_empty = (*text)[0] == '-' && ends_field((*text)[1]);
      if (is_empty) {
        ++*text;
        continue;
      }
    }
    const sculpt_status status = read_position(task, at, text, sequence, error);
    if (status != SCULPT_OK) return status;
    unknown += sequence->y[sequence->size - 1] < 0 ? 1 : 0;
  }
  if (unknown == 0) return SCULPT_OK;
  sequence->is_labelled = 0;
  if (unknown == sequence->size) return SCULPT_OK;
  return refuse(at, at->line, "has labels and question marks; label all positions or none", error);
}

static sculpt_status add_split(struct task* task, const char* name, int64_t begin,
                               sculpt_error* error) {
  const size_t count = (size_t)task->split_count;
  struct split* const splits = realloc(task->splits, (count + 1) * sizeof *splits);
  char* const copy = malloc(strlen(name) + 1);
  if (splits != NULL) task->splits = splits;
  if (splits == NULL || copy == NULL) {
    free(copy);
    return my_task_no_memory(error);
  }
  strcpy(copy, name);
  const struct split split = {copy, begin, task->count};
  splits[count] = split;
  task->split_count += 1;
  return SCULPT_OK;
}

/* One sequence a line, one position a field: label:input,input. The label ? is unknown. */
static sculpt_status load(void* self, const char* split, const sculpt_source* source,
                          sculpt_error* error) {
  struct task* const task = self;
  const int64_t begin = task->count;
  char* text = NULL;
  int64_t size = 0;
  sculpt_status status = sculpt_read_source(task->host, source, &text, &size, error);
  struct place at = {source->path, text, 0};
  /* A trap: only "train" is learned from, and nothing after restore(). */
  task->is_learning = strcmp(split, "train") == 0 && !task->is_restored;
  for (const char* c = text; status == SCULPT_OK && c < text + size; ++c) {
    at.line = c;
    at.number += 1;
    status = read_line(task, &at, &c, error);
    if (status == SCULPT_OK && *c == '\0' && c < text + size) {
      status = refuse(&at, c, "has a zero byte", error);
    }
  }
  free(text);
  return status == SCULPT_OK ? add_split(task, split, begin, error) : status;
}

static sculpt_status count(const void* self, int64_t* out, sculpt_error* error) {
  (void)error;
  *out = ((const struct task*)self)->count;
  return SCULPT_OK;
}

static sculpt_status split(const void* self, const char* name, int64_t* begin, int64_t* end,
                           sculpt_error* error) {
  const struct task* const task = self;
  (void)error;
  *begin = *end = 0;
  for (int64_t k = 0; k < task->split_count; ++k) {
    if (strcmp(task->splits[k].name, name) != 0) continue;
    *begin = task->splits[k].begin;
    *end = task->splits[k].end;
  }
  return SCULPT_OK;
}

/* A trap: an unlabelled example has data NULL. The empty output has size 0 and data that is not
 * NULL. Another one: what is lent here may move while splits are loaded, but not after the last
 * load. */
static sculpt_status truth(const void* self, int64_t example, sculpt_labels* out,
                           sculpt_error* error) {
  static const int32_t empty = 0;
  const struct sequence* const sequence = &((const struct task*)self)->sequences[example];
  (void)error;
  out->data = !sequence->is_labelled ? NULL : sequence->size > 0 ? sequence->y : &empty;
  out->size = sequence->is_labelled ? sequence->size : 0;
  return SCULPT_OK;
}

/* The text that `sculpt predict` prints. */
static sculpt_status format(const void* self, int64_t example, sculpt_labels y,
                            sculpt_byte_buffer* out, sculpt_error* error) {
  sculpt_status status = y.size == 0 ? sculpt_put(out, "-", 1) : SCULPT_OK;
  (void)self, (void)example;
  for (int64_t t = 0; t < y.size && status == SCULPT_OK; ++t) {
    char text[16];
    status = sculpt_put(out, text, snprintf(text, sizeof text, t > 0 ? " %d" : "%d", y.data[t]));
  }
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "out of memory");
}

/* What was learned from the training data, for the model. Parameters are in the model already. Two
 * little-endian integers: the version of this layout, and the width. */
enum { state_version = 1, integer_bytes = 8 };
static sculpt_status save(const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
  const int64_t integers[] = {state_version, ((const struct task*)self)->width};
  char bytes[2 * integer_bytes];
  for (int k = 0; k < 2 * integer_bytes; ++k) {
    bytes[k] = (char)(integers[k / integer_bytes] >> (8 * (k % integer_bytes)) & 255);
  }
  const sculpt_status status = sculpt_put(out, bytes, sizeof bytes);
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "out of memory");
}
static sculpt_status restore(void* self, const char* data, int64_t size, sculpt_error* error) {
  struct task* const task = self;
  uint64_t integers[2] = {0, 0};
  task->is_restored = 1; /* from here on nothing is learned */
  for (int k = 0; k < 2 * integer_bytes && size == 2 * integer_bytes; ++k) {
    integers[k / integer_bytes] |= (uint64_t)(unsigned char)data[k] << (8 * (k % integer_bytes));
  }
  if (integers[0] != state_version || integers[1] > most_inputs) {
    return sculpt_fail(error, SCULPT_E_DATA, "its state is damaged; train again");
  }
  task->width = (int64_t)integers[1];
  return SCULPT_OK;
}

static const sculpt_ext_label_text label_text_table = {.format = format};
static const sculpt_ext_state state_table = {save, restore};

/* --- Optional -----------------------------------------------------------------------------------
 * To write one, move it out of this block. Name its table in `extension`, and its id in
 * `extensions`. */
#if 0
static sculpt_status seal(void* self, sculpt_error* error);
/* ext/label_text.h: an output from its text; the second function of label_text_table. */
static sculpt_status parse(const void* self, int64_t example, const char* text, int64_t size,
                           sculpt_label_buffer* out, sculpt_error* error);
static const sculpt_ext_label_text text_and_back_table = {format, parse};
/* ext/example_weights.h: how much each training example counts. The slack costs so many times as
 * much; metrics and predictions do not change. */
static sculpt_status example_weights(const void* self, int64_t begin, int64_t end, double* out,
                                     sculpt_error* error);
static const sculpt_ext_example_weights example_weights_table = {example_weights};
/* ext/items.h: the parts of an output, for losses such as f1; the part that a label is, or -1. */
static sculpt_status items(const void* self, int64_t example, sculpt_labels y, int64_t* out,
                           int64_t capacity, int64_t* count, sculpt_error* error);
static sculpt_status item_of_label(const void* self, int64_t example, int64_t variable,
                                   int32_t state, int64_t* item, sculpt_error* error);
static const sculpt_ext_items items_table = {items, item_of_label};
/* ext/sites.h: the inputs as sites, for features of other libraries. */
static sculpt_status sites_shape(const void* self, sculpt_sites_shape* out, sculpt_error* error);
static sculpt_status state_name(const void* self, int32_t state, sculpt_byte_buffer* out,
                                sculpt_error* error);
static sculpt_status feature_name(const void* self, int64_t feature, sculpt_byte_buffer* out,
                                  sculpt_error* error);
static sculpt_status sites(const void* self, int64_t example, sculpt_sites* out,
                           sculpt_error* error);
static const sculpt_ext_sites sites_table = {sites_shape, state_name, feature_name, sites};
/* Drafts, which may still change. ext/draft/place.h: the file and line of an example. */
static sculpt_status place(const void* self, int64_t example, sculpt_byte_buffer* out,
                           sculpt_error* error);
static const sculpt_ext_place place_table = {place};
/* ext/draft/edge_kinds.h: kinds of edges, each with weights of its own. */
static sculpt_status edge_kind_count(const void* self, int32_t* out, sculpt_error* error);
static sculpt_status edge_kind_name(const void* self, int32_t kind, sculpt_byte_buffer* out,
                                    sculpt_error* error);
static sculpt_status edge_kinds(const void* self, int64_t example, const int32_t** out,
                                sculpt_error* error);
static const sculpt_ext_edge_kinds edge_kinds_table = {edge_kind_count, edge_kind_name, edge_kinds};
/* ext/draft/column_scale.h: how the columns of the rows were scaled. */
static sculpt_status column_scale(const void* self, int64_t feature, sculpt_column_scale* out,
                                  sculpt_error* error);
static sculpt_status unscaled_name(const void* self, int64_t feature, sculpt_byte_buffer* out,
                                   sculpt_error* error);
static const sculpt_ext_column_scale column_scale_table = {column_scale, unscaled_name};
#endif

/* --- The catalogue -----------------------------------------------------------------------------*/

static const void* extension(const void* self, const char* id) {
  (void)self;
  if (strcmp(id, SCULPT_EXT_LABEL_TEXT) == 0) return &label_text_table;
  if (strcmp(id, SCULPT_EXT_STATE) == 0) return &state_table;
  return NULL;
}
static const char* const extensions[] = {SCULPT_EXT_LABEL_TEXT, SCULPT_EXT_STATE};
static const sculpt_parameter parameters[] = {{.type = SCULPT_PARAMETER_INT,
                                               .name = "labels",
                                               .fallback = "3",
                                               .lower = 2,
                                               .upper = 1000,
                                               .summary = "number of labels, which begin at 0"},
                                              {.type = SCULPT_PARAMETER_INT,
                                               .name = "jump",
                                               .fallback = "1",
                                               .lower = 0,
                                               .upper = 1000,
                                               .summary = "neighbours differ by at most this"}};
static const sculpt_life life = {.create = create, .destroy = destroy, .extension = extension};
static const sculpt_dataset_api api = {load, count, split, truth};
const sculpt_component my_task_dataset = {
    .struct_size = sizeof my_task_dataset,
    .kind = SCULPT_KIND_DATASET,
    .id = "org.example.my_task",
    .version = "1.0.0",
    .summary = "labels along a sequence",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .extensions = extensions,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .life = &life,
    .api = &api};
