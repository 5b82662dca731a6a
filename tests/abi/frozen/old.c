/* old.c - a complete task as somebody wrote it for ABI 0.1, in C99, with the headers of then.
 *
 * A line "b 0.5" is a number x and its class out of a, b, c:
 *   psi(x, y) = (x - centre, 1) in block y,   Delta = [y differs],   the oracle tries every class
 * The centre, the mean of the training set, is the state of the dataset. */
#include <math.h>
#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/state.h>
#include <sculpt/kinds.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLASSES = 3, BLOCK = 2, MOST_EXAMPLES = 64, MOST_SPLITS = 8 };

static sculpt_status refuse(sculpt_error* error, sculpt_status status, const char* text) {
  if (error->capacity > 0) snprintf(error->text, (size_t)error->capacity, "%s", text);
  return status;
}

/* --- dataset ----------------------------------------------------------------------------------*/

struct lines {
  double x[MOST_EXAMPLES];
  int32_t y[MOST_EXAMPLES];
  int64_t count;
  char names[MOST_SPLITS][32];
  int64_t begin[MOST_SPLITS], end[MOST_SPLITS];
  int splits;
  double centre;
  int has_centre;
};

static sculpt_status lines_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                  sculpt_error* error) {
  (void)host, (void)values;
  *self = calloc(1, sizeof(struct lines));
  return *self != NULL ? SCULPT_OK : refuse(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status lines_read(struct lines* lines, FILE* file, sculpt_error* error) {
  char line[64];
  while (fgets(line, sizeof line, file) != NULL) {
    char* end = NULL;
    const double x = line[0] != '\0' ? strtod(line + 1, &end) : 0;
    if (line[0] < 'a' || line[0] > 'c' || end == line + 1 || lines->count == MOST_EXAMPLES) {
      return refuse(error, SCULPT_E_DATA,
                    "write a class from a to c and a number, 64 times at most");
    }
    lines->x[lines->count] = x;
    lines->y[lines->count++] = line[0] - 'a';
  }
  return SCULPT_OK;
}

static sculpt_status lines_load(void* self, const char* split, const sculpt_source* source,
                                sculpt_error* error) {
  struct lines* lines = self;
  const int k = lines->splits;
  if (k == MOST_SPLITS) return refuse(error, SCULPT_E_UNSUPPORTED, "takes 8 splits at most");
  FILE* file = source->text != NULL ? fmemopen((void*)source->text, (size_t)source->text_size, "r")
                                    : fopen(source->path, "r");
  if (file == NULL) return refuse(error, SCULPT_E_MISSING, "cannot be read");
  snprintf(lines->names[k], sizeof lines->names[k], "%s", split);
  lines->begin[k] = lines->count;
  const sculpt_status status = lines_read(lines, file, error);
  fclose(file);
  lines->end[k] = lines->count;
  lines->splits += 1;
  return status;
}

/* Learned once, from the split that comes first; a restored dataset knows it. */
static sculpt_status lines_seal(void* self, sculpt_error* error) {
  struct lines* lines = self;
  (void)error;
  const int64_t n = lines->splits > 0 ? lines->end[0] : 0;
  if (lines->has_centre || n == 0) return SCULPT_OK;
  for (int64_t i = 0; i < n; ++i) lines->centre += lines->x[i] / (double)n;
  lines->has_centre = 1;
  return SCULPT_OK;
}

static sculpt_status lines_count(const void* self, int64_t* out, sculpt_error* error) {
  (void)error;
  *out = ((const struct lines*)self)->count;
  return SCULPT_OK;
}

static sculpt_status lines_split(const void* self, const char* name, int64_t* begin, int64_t* end,
                                 sculpt_error* error) {
  const struct lines* lines = self;
  (void)error;
  *begin = *end = 0;
  for (int k = 0; k < lines->splits; ++k) {
    if (strcmp(lines->names[k], name) != 0) continue;
    *begin = lines->begin[k];
    *end = lines->end[k];
  }
  return SCULPT_OK;
}

static sculpt_status lines_truth(const void* self, int64_t example, sculpt_labels* out,
                                 sculpt_error* error) {
  (void)error;
  out->data = &((const struct lines*)self)->y[example];
  out->size = 1;
  return SCULPT_OK;
}

static sculpt_status lines_save(const void* self, sculpt_byte_buffer* out, sculpt_error* error) {
  const struct lines* lines = self;
  (void)error;
  return sculpt_put(out, &lines->centre, sizeof lines->centre);
}

static sculpt_status lines_restore(void* self, const char* data, int64_t size,
                                   sculpt_error* error) {
  struct lines* lines = self;
  if (size != (int64_t)sizeof lines->centre) {
    return refuse(error, SCULPT_E_DATA, "its state is damaged");
  }
  memcpy(&lines->centre, data, sizeof lines->centre);
  if (!isfinite(lines->centre)) return refuse(error, SCULPT_E_DATA, "its state is damaged");
  lines->has_centre = 1;
  return SCULPT_OK;
}

static sculpt_status lines_format(const void* self, int64_t example, sculpt_labels y,
                                  sculpt_byte_buffer* out, sculpt_error* error) {
  (void)self, (void)example, (void)error;
  const char letter = (char)('a' + y.data[0]);
  return sculpt_put(out, &letter, 1);
}

static sculpt_status lines_parse(const void* self, int64_t example, const char* text, int64_t size,
                                 sculpt_label_buffer* out, sculpt_error* error) {
  (void)self, (void)example;
  if (size != 1 || text[0] < 'a' || text[0] > 'c') {
    return refuse(error, SCULPT_E_DATA, "write a, b or c");
  }
  const sculpt_status status = sculpt_resize_labels(out, 1);
  if (status != SCULPT_OK) return refuse(error, status, "out of memory");
  out->data[0] = text[0] - 'a';
  return SCULPT_OK;
}

static const void* lines_extension(const void* self, const char* id) {
  static const sculpt_ext_state state = {lines_save, lines_restore};
  static const sculpt_ext_label_text text = {lines_format, lines_parse};
  (void)self;
  if (strcmp(id, SCULPT_EXT_STATE) == 0) return &state;
  return strcmp(id, SCULPT_EXT_LABEL_TEXT) == 0 ? &text : NULL;
}

static const char* const lines_extensions[] = {SCULPT_EXT_STATE, SCULPT_EXT_LABEL_TEXT};
static const sculpt_life lines_life = {lines_create, free, NULL,           lines_seal,
                                       NULL,         NULL, lines_extension};
static const sculpt_dataset_api lines_api = {lines_load, lines_count, lines_split, lines_truth};
static const sculpt_component lines_component = {sizeof(sculpt_component),
                                                 SCULPT_KIND_DATASET,
                                                 0,
                                                 "org.test.old_lines",
                                                 "1.0.0",
                                                 "a class and a number",
                                                 NULL,
                                                 NULL,
                                                 0,
                                                 lines_extensions,
                                                 2,
                                                 &lines_life,
                                                 &lines_api};

/* --- features: a class for each number
 * ----------------------------------------------------------*/

static sculpt_status keep_nothing(const sculpt_host* host, const sculpt_value* values, void** self,
                                  sculpt_error* error) {
  (void)host, (void)values;
  *self = calloc(1, sizeof(void*)); /* room for the lines it is bound to */
  return *self != NULL ? SCULPT_OK : refuse(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status bind_lines(void* self, const sculpt_bindings* to, sculpt_error* error) {
  if (to->dataset.component != &lines_component) {
    return refuse(error, SCULPT_E_UNSUPPORTED, "works only on the dataset old_lines");
  }
  *(const struct lines**)self = to->dataset.self;
  return SCULPT_OK;
}

static sculpt_status blocks_dimension(const void* self, int64_t* out, sculpt_error* error) {
  (void)self, (void)error;
  *out = CLASSES * BLOCK;
  return SCULPT_OK;
}

static sculpt_status blocks_accumulate(void* session, int64_t example, sculpt_labels y,
                                       double scale, sculpt_accumulator* sum, sculpt_error* error) {
  const struct lines* lines = *(const struct lines**)session;
  const int32_t block = y.data[0] * BLOCK;
  sculpt_status status = sculpt_add(sum, block, scale * (lines->x[example] - lines->centre));
  if (status == SCULPT_OK) status = sculpt_add(sum, block + 1, scale);
  return status == SCULPT_OK ? SCULPT_OK : refuse(error, status, "too many feature values");
}

static sculpt_status blocks_name(const void* self, int64_t weight, sculpt_byte_buffer* out,
                                 sculpt_error* error) {
  (void)self, (void)error;
  char text[32];
  const int size = snprintf(text, sizeof text, "%s of %c", weight % BLOCK == 0 ? "slope" : "bias",
                            (char)('a' + weight / BLOCK));
  return sculpt_put(out, text, size);
}

static sculpt_status all_classes(void* session, int64_t example, int64_t limit, sculpt_visit visit,
                                 void* context, int64_t* count, sculpt_error* error) {
  (void)session, (void)example, (void)error;
  *count = limit < CLASSES ? limit + 1 : CLASSES;
  for (int32_t y = 0; limit >= CLASSES && y < CLASSES; ++y) {
    const sculpt_labels one = {&y, 1};
    const sculpt_status status = visit(context, one);
    if (status != SCULPT_OK) return status;
  }
  return SCULPT_OK;
}

static const void* blocks_extension(const void* self, const char* id) {
  static const sculpt_ext_names names = {blocks_name};
  static const sculpt_ext_enumerate enumerate = {all_classes};
  (void)self;
  if (strcmp(id, SCULPT_EXT_NAMES) == 0) return &names;
  return strcmp(id, SCULPT_EXT_ENUMERATE) == 0 ? &enumerate : NULL;
}

static const char* const blocks_extensions[] = {SCULPT_EXT_NAMES, SCULPT_EXT_ENUMERATE};
static const sculpt_life blocks_life = {keep_nothing, free, bind_lines,      NULL,
                                        NULL,         NULL, blocks_extension};
static const sculpt_features_api blocks_api = {blocks_dimension, blocks_accumulate};
static const sculpt_component blocks_component = {sizeof(sculpt_component),
                                                  SCULPT_KIND_FEATURES,
                                                  0,
                                                  "org.test.old_blocks",
                                                  "1.0.0",
                                                  "the number in the block of its class",
                                                  NULL,
                                                  NULL,
                                                  0,
                                                  blocks_extensions,
                                                  2,
                                                  &blocks_life,
                                                  &blocks_api};

/* --- loss, with a parameter
 * ---------------------------------------------------------------------*/

static sculpt_status cost_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                 sculpt_error* error) {
  (void)host;
  double* cost = malloc(sizeof *cost);
  *self = cost;
  if (cost == NULL) return refuse(error, SCULPT_E_MEMORY, "out of memory");
  *cost = values[0].real;
  return SCULPT_OK;
}

static sculpt_status cost_loss(void* session, int64_t example, sculpt_labels truth,
                               sculpt_labels guess, double* out, sculpt_error* error) {
  (void)example, (void)error;
  *out = truth.data[0] == guess.data[0] ? 0 : *(const double*)session;
  return SCULPT_OK;
}

static const void* no_extension(const void* self, const char* id) {
  (void)self, (void)id;
  return NULL;
}

static const sculpt_parameter cost_parameters[] = {
    {SCULPT_PARAMETER_REAL, "cost", "1", 0, 100, NULL, NULL, "of a wrong class"}};
static const sculpt_life cost_life = {cost_create, free, NULL, NULL, NULL, NULL, no_extension};
static const sculpt_loss_api cost_api = {cost_loss};
static const sculpt_component cost_component = {sizeof(sculpt_component),
                                                SCULPT_KIND_LOSS,
                                                0,
                                                "org.test.old_cost",
                                                "1.0.0",
                                                "a cost for a wrong class",
                                                NULL,
                                                cost_parameters,
                                                1,
                                                NULL,
                                                0,
                                                &cost_life,
                                                &cost_api};

/* --- oracle
 * -------------------------------------------------------------------------------------*/

struct oracle {
  const struct lines* lines;
  double* cost; /* of the loss, which is of this library */
};

static sculpt_status oracle_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                   sculpt_error* error) {
  (void)host, (void)values;
  *self = calloc(1, sizeof(struct oracle));
  return *self != NULL ? SCULPT_OK : refuse(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status oracle_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct oracle* oracle = self;
  if (to->features.component != &blocks_component ||
      (to->loss.component != NULL && to->loss.component != &cost_component)) {
    return refuse(error, SCULPT_E_UNSUPPORTED, "works only with old_blocks and old_cost");
  }
  oracle->lines = to->dataset.self;
  oracle->cost = to->loss.self;
  return SCULPT_OK;
}

static sculpt_status oracle_argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                                   sculpt_error* error) {
  const struct oracle* oracle = session;
  const double x = oracle->lines->x[query->example] - oracle->lines->centre;
  const sculpt_status status = sculpt_resize_labels(&answer->labels, 1);
  if (status != SCULPT_OK) return refuse(error, status, "out of memory");
  answer->value = -INFINITY;
  for (int32_t y = 0; y < CLASSES; ++y) {
    const double* block = query->weights.data + y * BLOCK;
    double value = block[0] * x + block[1];
    if (query->loss_weight > 0 && query->truth.data[0] != y) {
      value += query->loss_weight * *oracle->cost;
    }
    if (value <= answer->value) continue;
    answer->value = value;
    answer->labels.data[0] = y;
  }
  answer->flags = SCULPT_ANSWER_EXACT;
  return SCULPT_OK;
}

static const sculpt_life oracle_life = {oracle_create, free, oracle_bind, NULL,
                                        NULL,          NULL, no_extension};
static const sculpt_oracle_api oracle_api = {oracle_argmax};
static const sculpt_component oracle_component = {sizeof(sculpt_component),
                                                  SCULPT_KIND_ORACLE,
                                                  0,
                                                  "org.test.old_argmax",
                                                  "1.0.0",
                                                  "tries every class",
                                                  NULL,
                                                  NULL,
                                                  0,
                                                  NULL,
                                                  0,
                                                  &oracle_life,
                                                  &oracle_api};

/* --- the library
 * --------------------------------------------------------------------------------*/

static const sculpt_component* const components[] = {&lines_component, &blocks_component,
                                                     &cost_component, &oracle_component};
static const char* const experiments[] = {
    "{\"name\": \"old\", \"dataset\": {\"use\": \"old_lines\", \"train\": {\"text\":"
    " \"a -1\\na -0.5\\nb 0\\nb 0.5\\nc 2\\nc 0.25\\n\"}}, \"features\": \"old_blocks\","
    " \"loss\": {\"use\": \"old_cost\", \"cost\": 2}, \"oracle\": \"old_argmax\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10, \"relative_gap\": 1e-6}}"};
static const sculpt_plugin plugin = {sizeof(sculpt_plugin),
                                     {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     "old",
                                     "1.0.0",
                                     "Apache-2.0",
                                     components,
                                     4,
                                     experiments,
                                     1};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi; /* the host compares plugin.abi with its own */
  return &plugin;
}
