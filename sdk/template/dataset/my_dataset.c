/* my_dataset.c - a dataset of sentences whose words have tags.
 *
 *   x: one site a word. It has one feature, the word itself
 *   y: the tag of each word
 *
 * It offers its inputs as sites, so features of other libraries, such as chain, can use them.
 * my_dataset_lines.c reads lines, my_dataset_names.c keeps the words and tags. See README.md. */
#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/draft/edge_kinds.h>
#include <sculpt/ext/draft/place.h>
#include <sculpt/ext/example_weights.h>
#include <sculpt/ext/items.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/output_shape.h>
#include <sculpt/ext/state.h>

#include "my_dataset.h"

/* --- Life --------------------------------------------------------------------------------------*/

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct dataset* const dataset = calloc(1, sizeof *dataset);
  if (dataset == NULL) return my_dataset_no_memory(error);
  dataset->host = host;
  dataset->has_edges = values[0].integer != 0; /* in the order of the table `parameters` */
  *self = dataset;
  return SCULPT_OK;
}

static void destroy(void* self) {
  struct dataset* const dataset = self;
  for (int64_t i = 0; i < dataset->count; ++i) {
    struct example* const example = &dataset->examples[i];
    free((void*)example->truth.data);
    free((void*)example->sites.row_from);
    free((void*)example->sites.index);
    free((void*)example->sites.value);
    free((void*)example->sites.edge);
  }
  for (int64_t k = 0; k < dataset->split_count; ++k) free(dataset->splits[k].name);
  my_dataset_free_names(&dataset->words);
  my_dataset_free_names(&dataset->tags);
  free(dataset->examples);
  free(dataset->splits);
  free(dataset);
}

static sculpt_status add_split(struct dataset* dataset, const char* name, int64_t begin,
                               sculpt_error* error) {
  const size_t count = (size_t)dataset->split_count;
  struct split* const splits = realloc(dataset->splits, (count + 1) * sizeof *splits);
  char* const copy = malloc(strlen(name) + 1);
  if (splits != NULL) dataset->splits = splits;
  if (splits == NULL || copy == NULL) {
    free(copy);
    return my_dataset_no_memory(error);
  }
  strcpy(copy, name);
  const struct split split = {copy, begin, dataset->count};
  splits[count] = split;
  dataset->split_count += 1;
  return SCULPT_OK;
}

/* One sentence a line, word/tag word/tag ... A sentence without tags is unlabelled. A line with -
 * alone is the empty sentence. A trap: after restore() nothing is learned, also if the data are the
 * training data again. */
static sculpt_status load(void* self, const char* split, const sculpt_source* source,
                          sculpt_error* error) {
  struct dataset* const dataset = self;
  const int64_t begin = dataset->count;
  char* text = NULL;
  int64_t size = 0;
  sculpt_status status = sculpt_read_source(dataset->host, source, &text, &size, error);
  if (status == SCULPT_OK && strcmp(split, "train") == 0 && !dataset->is_restored) {
    status = my_dataset_learn(dataset, source->path, text, size, error);
  }
  if (status == SCULPT_OK) {
    status = my_dataset_add(dataset, source->path, text, size, error);
  }
  free(text);
  return status == SCULPT_OK ? add_split(dataset, split, begin, error) : status;
}

/* --- What the host asks ------------------------------------------------------------------------*/

static sculpt_status count(const void* self, int64_t* out, sculpt_error* error) {
  (void)error;
  *out = ((const struct dataset*)self)->count;
  return SCULPT_OK;
}

static sculpt_status split(const void* self, const char* name, int64_t* begin, int64_t* end,
                           sculpt_error* error) {
  const struct dataset* const dataset = self;
  (void)error;
  *begin = *end = 0;
  for (int64_t k = 0; k < dataset->split_count; ++k) {
    if (strcmp(dataset->splits[k].name, name) != 0) continue;
    *begin = dataset->splits[k].begin;
    *end = dataset->splits[k].end;
  }
  return SCULPT_OK;
}

/* What is lent here may move while splits are loaded, but not after the last load. */
static sculpt_status truth(const void* self, int64_t example, sculpt_labels* out,
                           sculpt_error* error) {
  (void)error;
  *out = ((const struct dataset*)self)->examples[example].truth;
  return SCULPT_OK;
}

static sculpt_status sites_shape(const void* self, sculpt_sites_shape* out, sculpt_error* error) {
  const struct dataset* const dataset = self;
  (void)error;
  out->state_count = (int32_t)dataset->tags.count;
  out->feature_count = dataset->words.count;
  out->variable_count = 0; /* one label a site */
  return SCULPT_OK;
}

static sculpt_status put_name(const struct names* names, int64_t number, sculpt_byte_buffer* out,
                              sculpt_error* error) {
  const char* const name = names->text[number];
  const sculpt_status status = sculpt_put(out, name, (int64_t)strlen(name));
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "out of memory");
}

static sculpt_status state_name(const void* self, int32_t state, sculpt_byte_buffer* out,
                                sculpt_error* error) {
  return put_name(&((const struct dataset*)self)->tags, state, out, error);
}
static sculpt_status feature_name(const void* self, int64_t feature, sculpt_byte_buffer* out,
                                  sculpt_error* error) {
  return put_name(&((const struct dataset*)self)->words, feature, out, error);
}

static sculpt_status sites(const void* self, int64_t example, sculpt_sites* out,
                           sculpt_error* error) {
  const uint32_t struct_size = out->struct_size; /* that of the caller stays */
  (void)error;
  *out = ((const struct dataset*)self)->examples[example].sites;
  out->struct_size = struct_size;
  return SCULPT_OK;
}

/* The text that `sculpt predict` prints. */
static sculpt_status format(const void* self, int64_t example, sculpt_labels y,
                            sculpt_byte_buffer* out, sculpt_error* error) {
  (void)example;
  sculpt_status status = y.size == 0 ? sculpt_put(out, "-", 1) : SCULPT_OK;
  for (int64_t t = 0; t < y.size && status == SCULPT_OK; ++t) {
    if (t > 0) status = sculpt_put(out, " ", 1);
    if (status == SCULPT_OK) status = state_name(self, y.data[t], out, error);
  }
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "out of memory");
}

/* --- State -------------------------------------------------------------------------------------*/

/* A byte with the version of this layout, the words and the tags. */
static const char state_version = 1;
static sculpt_status save(const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
  const struct dataset* const dataset = self;
  sculpt_status status = sculpt_put(out, &state_version, 1);
  if (status == SCULPT_OK) status = my_dataset_save_names(&dataset->words, out);
  if (status == SCULPT_OK) status = my_dataset_save_names(&dataset->tags, out);
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "out of memory");
}

/* The bytes may be damaged. */
static sculpt_status restore(void* self, const char* data, int64_t size, sculpt_error* error) {
  struct dataset* const dataset = self;
  const char* const end = data + size;
  dataset->is_restored = 1;
  if (size == 0 || *data++ != state_version) {
    return sculpt_fail(error, SCULPT_E_DATA, "its state is damaged; train again");
  }
  sculpt_status status = my_dataset_restore_names(&dataset->words, &data, end, error);
  if (status == SCULPT_OK) status = my_dataset_restore_names(&dataset->tags, &data, end, error);
  if (status == SCULPT_OK && data != end) {
    status = sculpt_fail(error, SCULPT_E_DATA, "its state is damaged; train again");
  }
  return status;
}

static const sculpt_ext_sites sites_table = {sites_shape, state_name, feature_name, sites};
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
/* ext/output_shape.h: the shape of the outputs, for features that do not know it. */
static sculpt_status output_shape(const void* self, int64_t example, sculpt_output_shape* out,
                                  sculpt_error* error);
static const sculpt_ext_output_shape output_shape_table = {output_shape};
/* ext/metrics.h: metrics, made of sums over the examples. A guess with data NULL is all wrong. */
static sculpt_status metrics(const void* self, const sculpt_metric** out, int64_t* metric_count,
                             int64_t* sum_count, sculpt_error* error);
static sculpt_status add_metrics(void* session, int64_t example, sculpt_labels truth,
                                 sculpt_labels guess, double* sums, sculpt_error* error);
static sculpt_status finish_metrics(const void* self, const double* sums, double* values,
                                    sculpt_error* error);
static const sculpt_ext_metrics metrics_table = {metrics, add_metrics, finish_metrics};
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
  if (strcmp(id, SCULPT_EXT_SITES) == 0) return &sites_table;
  if (strcmp(id, SCULPT_EXT_LABEL_TEXT) == 0) return &label_text_table;
  if (strcmp(id, SCULPT_EXT_STATE) == 0) return &state_table;
  return NULL;
}
static const char* const extensions[] = {SCULPT_EXT_SITES, SCULPT_EXT_LABEL_TEXT, SCULPT_EXT_STATE};
static const sculpt_parameter parameters[] = {
    {.type = SCULPT_PARAMETER_BOOL,
     .name = "edges",
     .fallback = "false",
     .summary = "joins neighbours by edges, for the features graph; chain joins them itself"}};
static const sculpt_life life = {.create = create, .destroy = destroy, .extension = extension};
static const sculpt_dataset_api api = {load, count, split, truth};
static const sculpt_component component = {
    .struct_size = sizeof component,
    .kind = SCULPT_KIND_DATASET,
    .id = "org.example.my_dataset",
    .version = "1.0.0",
    .summary = "sentences of tagged words",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .extensions = extensions,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .life = &life,
    .api = &api};

/* `sculpt check` tests the library with these. They have an empty sentence, two of equal size, a
 * sentence without tags, and both values of `edges`. */
static const char* const experiments[] = {
    "{\"dataset\": {\"use\": \"my_dataset\", \"train\": {\"text\": "
    "\"the/D dog/N barks/V\\n-\\na/D cat/N\\nthe/D cats/N sleep/V well/A\\nthe/V\\nthe/D\\n\"}},"
    " \"features\": \"chain\", \"loss\": \"hamming\", \"oracle\": \"viterbi\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10}}",
    "{\"dataset\": {\"use\": \"my_dataset\", \"edges\": true, \"train\": {\"text\": "
    "\"the/D dog/N barks/V\\nthe cat sleeps\\nbarks/V\\n\"}},"
    " \"features\": \"graph\", \"loss\": \"hamming\", \"oracle\": \"viterbi\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10}}"};
static const sculpt_component* const components[] = {&component};
static const sculpt_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .name = "my_dataset",
    .version = "1.0.0",
    .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .license = "MIT",
    .components = components,
    .component_count = sizeof components / sizeof components[0],
    .experiments = experiments,
    .experiment_count = sizeof experiments / sizeof experiments[0]};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi; /* the host compares plugin.abi with its own */
  return &plugin;
}
