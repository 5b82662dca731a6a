/* python.c - tasks written in Python: starts the interpreter and forwards to the package `sculpt`.
 *
 * The components of this catalogue have the functions below. They call those of the components that
 * sdk/python/sculpt/_task/_components.py makes by ctypes. The interpreter starts with the first
 * component that is created, once in a process, and never ends: threads of the host may still call
 * it while the process exits. No function here holds the interpreter's lock; the functions behind
 * ctypes take it.
 *
 * `self` and the tables of extensions are those of the package. */
#include <math.h>
#include <sculpt/ext/batch_argmax.h>
#include <sculpt/ext/draft/batch_values.h>
#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/kernel.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/output_shape.h>
#include <sculpt/ext/state.h>

#include <stdio.h>
#include <string.h>

#include "interpreter.h"

/* The components of the package by kind, NULL before the interpreter runs. */
static const sculpt_component* components[SCULPT_KIND_KERNEL + 1];

static const uint32_t kinds[] = {SCULPT_KIND_DATASET, SCULPT_KIND_FEATURES, SCULPT_KIND_LOSS,
                                 SCULPT_KIND_ORACLE, SCULPT_KIND_KERNEL};

static sculpt_status create(uint32_t kind, const sculpt_host* host, const sculpt_value* values,
                            void** self, sculpt_error* error) {
  const sculpt_status status =
      sculpt_start_python(components, kinds, sizeof kinds / sizeof kinds[0], error);
  if (status != SCULPT_OK) return status;
  return components[kind]->life->create(host, values, self, error);
}

/* The life of every kind is the same but for create(): the package knows the kind by `self`. */
static const sculpt_life* life(void) {
  return components[SCULPT_KIND_DATASET]->life;
}
static void destroy(void* self) {
  life()->destroy(self);
}
static sculpt_status bind(void* self, const sculpt_bindings* bindings, sculpt_error* error) {
  return life()->bind(self, bindings, error);
}
static sculpt_status seal(void* self, sculpt_error* error) {
  return life()->seal(self, error);
}
static const void* extension(const void* self, const char* id) {
  return life()->extension(self, id);
}

static sculpt_status load(void* self, const char* split, const sculpt_source* source,
                          sculpt_error* error) {
  const sculpt_dataset_api* const api = components[SCULPT_KIND_DATASET]->api;
  return api->load(self, split, source, error);
}
static sculpt_status count(const void* self, int64_t* out, sculpt_error* error) {
  const sculpt_dataset_api* const api = components[SCULPT_KIND_DATASET]->api;
  return api->count(self, out, error);
}
static sculpt_status split(const void* self, const char* name, int64_t* begin, int64_t* end,
                           sculpt_error* error) {
  const sculpt_dataset_api* const api = components[SCULPT_KIND_DATASET]->api;
  return api->split(self, name, begin, end, error);
}
static sculpt_status truth(const void* self, int64_t example, sculpt_labels* out,
                           sculpt_error* error) {
  const sculpt_dataset_api* const api = components[SCULPT_KIND_DATASET]->api;
  return api->truth(self, example, out, error);
}

static sculpt_status dimension(const void* self, int64_t* out, sculpt_error* error) {
  const sculpt_features_api* const api = components[SCULPT_KIND_FEATURES]->api;
  return api->dimension(self, out, error);
}
static sculpt_status accumulate(void* session, int64_t example, sculpt_labels y, double scale,
                                sculpt_accumulator* sum, sculpt_error* error) {
  const sculpt_features_api* const api = components[SCULPT_KIND_FEATURES]->api;
  return api->accumulate(session, example, y, scale, sum, error);
}

static sculpt_status loss(void* session, int64_t example, sculpt_labels true_labels,
                          sculpt_labels guess, double* out, sculpt_error* error) {
  const sculpt_loss_api* const api = components[SCULPT_KIND_LOSS]->api;
  return api->loss(session, example, true_labels, guess, out, error);
}

static sculpt_status argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                            sculpt_error* error) {
  const sculpt_oracle_api* const api = components[SCULPT_KIND_ORACLE]->api;
  return api->argmax(session, query, answer, error);
}

static const sculpt_kernel_api* kernel(void) {
  return components[SCULPT_KIND_KERNEL]->api;
}
static sculpt_status claims(const void* self, uint32_t* out, sculpt_error* error) {
  return kernel()->claims(self, out, error);
}
static sculpt_status rows(void* session, const int64_t* atoms, int64_t atom_count,
                          const int64_t* others, int64_t other_count, double* out,
                          sculpt_error* error) {
  return kernel()->rows(session, atoms, atom_count, others, other_count, out, error);
}
static sculpt_status diagonal(void* session, const int64_t* atoms, int64_t atom_count, double* out,
                              sculpt_error* error) {
  return kernel()->diagonal(session, atoms, atom_count, out, error);
}
static sculpt_status write_atom(const void* self, int64_t atom, sculpt_byte_buffer* out,
                                sculpt_error* error) {
  return kernel()->write_atom(self, atom, out, error);
}
static sculpt_status keep(void* self, const char* bytes, const int64_t* from, int64_t atom_count,
                          sculpt_error* error) {
  return kernel()->keep(self, bytes, from, atom_count, error);
}
static sculpt_status kept_rows(void* session, const int64_t* atoms, int64_t atom_count,
                               int64_t begin, int64_t end, double* out, sculpt_error* error) {
  return kernel()->kept_rows(session, atoms, atom_count, begin, end, out, error);
}

static const sculpt_parameter parameters[] = {
    {SCULPT_PARAMETER_PATH, 0, "file", "null", 0, 0, NULL, NULL,
     "the Python file; without it, the task of the dataset or the features", NULL, 0},
    {SCULPT_PARAMETER_TEXT, 0, "class", "null", 0, 0, NULL, NULL,
     "the class; without it, the only one that has methods of a task", NULL, 0},
    {SCULPT_PARAMETER_JSON, 0, "with", "null", 0, 0, NULL, NULL,
     "the parameters of the class, {\"name\": value}", NULL, 0},
    {SCULPT_PARAMETER_INT, 0, "workers", "1", 1, 256, NULL, NULL,
     "processes that answer queries of the oracle at the same time", NULL, 0},
    {SCULPT_PARAMETER_REAL, 0, "worker_seconds", "null", 0, HUGE_VAL, NULL, "seconds",
     "the most that a worker may take for one example", "workers", 0}};
enum { all_parameters = 5, no_workers = 3 };

/* Defines the component `part` of a kind, with its extensions. */
#define COMPONENT(part, KIND, api_of, used_parameters, ...)                               \
  static const char* const part##_extensions[] = {__VA_ARGS__};                           \
  static sculpt_status create_##part(const sculpt_host* host, const sculpt_value* values, \
                                     void** self, sculpt_error* error) {                  \
    return create(KIND, host, values, self, error);                                       \
  }                                                                                       \
  static const sculpt_life part##_life = {create_##part, destroy, bind,     seal,         \
                                          NULL,          NULL,    extension};             \
  static const sculpt_component part##_component = {                                      \
      sizeof(sculpt_component),                                                           \
      KIND,                                                                               \
      SCULPT_TRAIT_SERIAL, /* the interpreter runs one thread at a time */                \
      "org.sculpt.python",                                                                \
      "1.0.0",                                                                            \
      "a task written in Python",                                                         \
      NULL,                                                                               \
      parameters,                                                                         \
      used_parameters,                                                                    \
      part##_extensions,                                                                  \
      sizeof part##_extensions / sizeof part##_extensions[0],                             \
      &part##_life,                                                                       \
      &api_of}

static const sculpt_dataset_api dataset_api = {load, count, split, truth};
static const sculpt_features_api features_api = {dimension, accumulate};
static const sculpt_loss_api loss_api = {loss};
static const sculpt_oracle_api oracle_api = {argmax};
static const sculpt_kernel_api kernel_api = {claims, rows, diagonal, write_atom, keep, kept_rows};

COMPONENT(dataset, SCULPT_KIND_DATASET, dataset_api, all_parameters, SCULPT_EXT_STATE,
          SCULPT_EXT_LABEL_TEXT, SCULPT_EXT_OUTPUT_SHAPE);
COMPONENT(features, SCULPT_KIND_FEATURES, features_api, all_parameters, SCULPT_EXT_STATE,
          SCULPT_EXT_OUTPUT_SHAPE, SCULPT_EXT_NAMES, SCULPT_EXT_ENUMERATE,
          SCULPT_EXT_BATCH_FEATURES);
COMPONENT(loss, SCULPT_KIND_LOSS, loss_api, all_parameters, SCULPT_EXT_STATE,
          SCULPT_EXT_BATCH_LOSS);
COMPONENT(oracle, SCULPT_KIND_ORACLE, oracle_api, all_parameters, SCULPT_EXT_STATE,
          SCULPT_EXT_ENUMERATE, SCULPT_EXT_BATCH_ARGMAX);
COMPONENT(kernel, SCULPT_KIND_KERNEL, kernel_api, no_workers, SCULPT_EXT_STATE, SCULPT_EXT_KERNEL);

static const sculpt_component* const list[] = {
    &dataset_component, &features_component, &loss_component, &oracle_component, &kernel_component};

/* Examples of the package as experiments, after "file": PATH. */
static const char* const month =
    "\"dataset\": {\"use\": \"python\", \"file\": \"%s/month.py\", \"with\": {\"months\": 6}, "
    "\"train\": {\"text\": \"1 9.4 0.1\\n2 11.2 3.3\\n3 14.3 16.2\\n4 14.7 22\\n5 12.7 20\\n"
    "6 9.8 6.1\\n\"}, \"test\": {\"text\": \"2 11.4 4\\n3 11.4 4\\n? 12 9\\n\"}}, "
    "\"features\": \"python\", \"loss\": \"python\", \"oracle\": \"python\"";
static const char* const common_words =
    "\"kernel\": {\"use\": \"python\", \"file\": \"%s/common_words.py\"}, "
    "\"dataset\": {\"use\": \"texts\", \"symbols\": \"words\", \"train\": {\"text\": "
    "\"spam\\tbuy cheap pills\\nspam\\tcheap pills for you\\nham\\tmeeting at noon\\n"
    "ham\\tlunch at noon with you\\n\"}}, "
    "\"features\": \"multiclass\", \"loss\": \"zero_one\", \"oracle\": \"enumerate\"";
static char texts[2][4096];
static const char* const experiments[] = {texts[0], texts[1]};

/* Writes the experiment with the folder of the examples in it. Returns whether it fits. */
static int write_experiment(char* text, const char* parts, const char* folder) {
  char filled[sizeof texts[0] - 64];
  int length = snprintf(filled, sizeof filled, parts, folder);
  if (length < 0 || (size_t)length >= sizeof filled) return 0;
  length = snprintf(text, sizeof texts[0], "{%s, \"solver\": {\"use\": \"n_slack\", \"C\": 10}}",
                    filled);
  return length > 0 && (size_t)length < sizeof texts[0];
}

/* Returns how many experiments there are: 0 if the folder has characters that JSON escapes. */
static int write_experiments(void) {
  char folder[2048];
  char examples[2048 + sizeof "/sculpt/examples"];
  if (sculpt_package_folder(folder, sizeof folder) != 0 || strpbrk(folder, "\"\\") != NULL)
    return 0;
  snprintf(examples, sizeof examples, "%s/sculpt/examples", folder);
  return write_experiment(texts[0], month, examples) &&
                 write_experiment(texts[1], common_words, examples)
             ? 2
             : 0;
}

SCULPT_EXPORT const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  static sculpt_plugin plugin = {sizeof(sculpt_plugin),
                                 {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                 "python",
                                 "1.0.0",
                                 {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                 "Apache-2.0",
                                 list,
                                 sizeof list / sizeof list[0],
                                 experiments,
                                 0};
  (void)host_abi;
  if (texts[0][0] == '\0') plugin.experiment_count = write_experiments();
  return &plugin;
}
