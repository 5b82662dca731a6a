/* features.c - an ordinal model with steps between neighbours.
 *
 *   psi(x, y) = sum over t of  y_t x_t                       [width]     slope
 *             + sum over t of  [y_t >= k],  k = 1 .. K-1     [K - 1]     thresholds
 *             + sum over t of  e(min(|y_t - y_t-1|, limit))  [limit + 1] steps
 *
 * Offers a factor graph: a chain whose pairs share one table. */
#include <sculpt/ext/names.h>

#include "grades.h"

double grades_slope(const struct dataset* dataset, const double* w, int64_t position) {
  const double* const x = dataset->x + position * dataset->width;
  double sum = 0;
  for (int64_t j = 0; j < dataset->width; ++j) sum += w[j] * x[j];
  return sum;
}

int64_t grades_step(const struct features* features, int32_t a, int32_t b) {
  const int64_t step = a < b ? b - a : a - b;
  const int64_t first = features->dataset->width + features->dataset->grades - 1;
  return first + (step < features->limit ? step : features->limit);
}

/* The graph of a sequence of one length, with the arrays that it points to. */
struct chain {
  sculpt_factor_graph graph;
  int64_t capacity; /* positions */
  int32_t* states;
  int64_t* scope_from;
  int32_t* scope;
  int64_t* table;
};

struct session {
  const struct features* features;
  struct chain* chain;
};

static void free_chain(struct chain* chain) {
  if (chain == NULL) return;
  free(chain->states);
  free(chain->scope_from);
  free(chain->scope);
  free(chain->table);
  free(chain);
}

static sculpt_status features_create(const sculpt_host* host, const sculpt_value* values,
                                     void** self, sculpt_error* error) {
  (void)host;
  struct features* const features = calloc(1, sizeof *features);
  if (features == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  features->limit = values[0].integer;
  features->shared = calloc(1, sizeof(struct chain));
  *self = features;
  return SCULPT_OK;
}

static void features_destroy(void* self) {
  free_chain(((struct features*)self)->shared);
  free(self);
}

static sculpt_status features_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct features* const features = self;
  if (to->dataset.component != &grades_dataset) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "works only with its own dataset; set dataset.use to grades");
  }
  features->dataset = to->dataset.self;
  return SCULPT_OK;
}

static sculpt_status features_open_session(void* self, void** session, sculpt_error* error) {
  struct session* const s = calloc(1, sizeof *s);
#if PLANTED == 8
  struct chain* const chain = ((struct features*)self)->shared;
#else
  struct chain* const chain = calloc(1, sizeof *chain);
#endif
  if (s == NULL || chain == NULL) {
    free(s);
    return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  }
  s->features = self;
  s->chain = chain;
  *session = s;
  return SCULPT_OK;
}

static void features_close_session(void* session) {
  struct session* const s = session;
#if PLANTED != 8
  free_chain(s->chain);
#endif
  free(s);
}

static sculpt_status features_dimension(const void* self, int64_t* out, sculpt_error* error) {
  const struct features* const features = self;
  (void)error;
  *out = features->dataset->width + features->dataset->grades - 1 + features->limit + 1;
  return SCULPT_OK;
}

static sculpt_status features_accumulate(void* session, int64_t example, sculpt_labels y,
                                         double scale, sculpt_accumulator* sum,
                                         sculpt_error* error) {
  const struct features* const features = ((struct session*)session)->features;
  const struct dataset* const dataset = features->dataset;
  const int64_t begin = dataset->sequences[example].begin;
  sculpt_status status = SCULPT_OK;
  for (int64_t t = 0; t < y.size && status == SCULPT_OK; ++t) {
    const double* const x = dataset->x + (begin + t) * dataset->width;
    for (int64_t j = 0; j < dataset->width && status == SCULPT_OK; ++j) {
      status = sculpt_add(sum, (int32_t)j, scale * y.data[t] * x[j]);
    }
    for (int32_t k = 1; k <= y.data[t] && status == SCULPT_OK; ++k) {
      status = sculpt_add(sum, (int32_t)(dataset->width + k - 1), scale);
    }
    if (t > 0 && status == SCULPT_OK) {
      const int64_t step = grades_step(features, y.data[t - 1], y.data[t]);
#if PLANTED == 4
      status = sculpt_add(sum, (int32_t)step, 1);
#else
      status = sculpt_add(sum, (int32_t)step, scale);
#endif
    }
  }
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "too many feature values");
}

/* --- the factor graph -------------------------------------------------------------------------*/

static sculpt_status graph_classes(const void* self, uint32_t* out, sculpt_error* error) {
  (void)self, (void)error;
  *out = SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN;
  return SCULPT_OK;
}

static int make_room(struct chain* chain, int64_t size) {
  if (size <= chain->capacity) return 1;
  const size_t n = (size_t)size;
  free(chain->states);
  free(chain->scope_from);
  free(chain->scope);
  free(chain->table);
  chain->capacity = 0;
  chain->states = malloc(n * sizeof *chain->states);
  chain->scope_from = malloc(2 * n * sizeof *chain->scope_from);
  chain->scope = malloc(3 * n * sizeof *chain->scope);
  chain->table = malloc(2 * n * sizeof *chain->table);
  if (!chain->states || !chain->scope_from || !chain->scope || !chain->table) return 0;
  chain->capacity = size;
  return 1;
}

/* Cells: [size][K] of the positions, then one table [K][K] of all pairs. */
static sculpt_status graph_of(void* session, int64_t example, const sculpt_factor_graph** out,
                              sculpt_error* error) {
  struct session* const s = session;
  const struct dataset* const dataset = s->features->dataset;
  const int64_t size = dataset->sequences[example].end - dataset->sequences[example].begin;
  const int64_t grades = dataset->grades;
  struct chain* const chain = s->chain;
  if (!make_room(chain, size)) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  int64_t used = 0;
  for (int64_t f = 0; f < 2 * size - 1; ++f) {
    const int is_pair = f >= size;
    chain->scope_from[f] = used;
    chain->scope[used++] = (int32_t)(is_pair ? f - size : f);
    if (is_pair) chain->scope[used++] = (int32_t)(f - size + 1);
    if (!is_pair) chain->states[f] = dataset->grades;
    chain->table[f] = (is_pair ? size : f) * grades;
  }
  chain->scope_from[2 * size - 1] = used;
  sculpt_factor_graph* const graph = &chain->graph;
  graph->struct_size = sizeof *graph;
  (void)graph_classes(NULL, &graph->classes, NULL);
  graph->topology = (uint64_t)size;
  graph->variable_count = size;
  graph->factor_count = 2 * size - 1;
  graph->theta_size = size * grades + (size > 1 ? grades * grades : 0);
  graph->states = chain->states;
  graph->scope_from = chain->scope_from;
  graph->scope = chain->scope;
  graph->table = chain->table;
  *out = graph;
  return SCULPT_OK;
}

static sculpt_status graph_potentials(void* session, int64_t example, sculpt_weights w,
                                      double* theta, sculpt_error* error) {
  const struct features* const features = ((struct session*)session)->features;
  const struct dataset* const dataset = features->dataset;
  const struct range range = dataset->sequences[example];
  const double* const threshold = w.data + dataset->width;
  (void)error;
  for (int64_t t = range.begin; t < range.end; ++t) {
    const double slope = grades_slope(dataset, w.data, t);
    double above = 0;
    for (int32_t k = 0; k < dataset->grades; ++k) {
      if (k > 0) above += threshold[k - 1];
      *theta++ = k * slope + above;
    }
  }
  if (range.end - range.begin == 1) return SCULPT_OK;
  for (int32_t a = 0; a < dataset->grades; ++a) {
    for (int32_t b = 0; b < dataset->grades; ++b) *theta++ = w.data[grades_step(features, a, b)];
  }
  return SCULPT_OK;
}

static sculpt_status graph_pullback(void* session, int64_t example, const double* mu, double scale,
                                    sculpt_accumulator* sum, sculpt_error* error) {
  const struct features* const features = ((struct session*)session)->features;
  const struct dataset* const dataset = features->dataset;
  const struct range range = dataset->sequences[example];
  sculpt_status status = SCULPT_OK;
  for (int64_t t = range.begin; t < range.end; ++t) {
    const double* const x = dataset->x + t * dataset->width;
    for (int32_t k = 0; k < dataset->grades; ++k, ++mu) {
      if (*mu == 0) continue;
      for (int64_t j = 0; j < dataset->width && status == SCULPT_OK; ++j) {
        status = sculpt_add(sum, (int32_t)j, scale * *mu * k * x[j]);
      }
      for (int32_t a = 1; a <= k && status == SCULPT_OK; ++a) {
        status = sculpt_add(sum, (int32_t)(dataset->width + a - 1), scale * *mu);
      }
    }
  }
  if (range.end - range.begin > 1) {
    for (int32_t a = 0; a < dataset->grades; ++a) {
      for (int32_t b = 0; b < dataset->grades && status == SCULPT_OK; ++b, ++mu) {
        if (*mu != 0) status = sculpt_add(sum, (int32_t)grades_step(features, a, b), scale * *mu);
      }
    }
  }
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "too many feature values");
}

/* --- names ------------------------------------------------------------------------------------*/

static sculpt_status features_name(const void* self, int64_t weight, sculpt_byte_buffer* out,
                                   sculpt_error* error) {
  const struct features* const features = self;
  const int64_t width = features->dataset->width;
  const int64_t step = weight - width - features->dataset->grades + 1;
  char text[64];
  int size;
  if (weight < width) {
    size = snprintf(text, sizeof text, "input %d", (int)weight + 1);
  } else if (step < 0) {
    size = snprintf(text, sizeof text, "grade %d or more", (int)(weight - width) + 2);
  } else {
#if PLANTED == 7
    static const char* const words[] = {"the same grade", "one step", "two steps", "three steps"};
    size = snprintf(text, sizeof text, "%s", words[step]);
#else
    size = snprintf(text, sizeof text, step < features->limit ? "%d steps" : "%d steps or more",
                    (int)step);
#endif
  }
  const sculpt_status status = sculpt_put(out, text, size);
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "out of memory");
}

static const sculpt_ext_factor_graph graph_table = {graph_classes, graph_of, graph_potentials,
                                                    graph_pullback};
static const sculpt_ext_names names_table = {features_name};
static const char* const features_extensions[] = {SCULPT_EXT_FACTOR_GRAPH, SCULPT_EXT_NAMES};

static const void* features_extension(const void* self, const char* id) {
  (void)self;
  if (strcmp(id, SCULPT_EXT_FACTOR_GRAPH) == 0) return &graph_table;
  if (strcmp(id, SCULPT_EXT_NAMES) == 0) return &names_table;
  return NULL;
}

static const sculpt_parameter features_parameters[] = {
    {.type = SCULPT_PARAMETER_INT,
     .name = "limit",
     .fallback = "2",
     .lower = 1,
     .upper = 20,
     .unit = "grades",
     .summary = "larger steps between neighbours count as this one"}};
static const sculpt_life features_life = {.create = features_create,
                                          .destroy = features_destroy,
                                          .bind = features_bind,
                                          .open_session = features_open_session,
                                          .close_session = features_close_session,
                                          .extension = features_extension};
static const sculpt_features_api features_api = {features_dimension, features_accumulate};
const sculpt_component grades_features = {.struct_size = sizeof(sculpt_component),
                                          .kind = SCULPT_KIND_FEATURES,
                                          .id = "org.example.grades",
                                          .version = "1.0.0",
                                          .summary = "slopes, thresholds and steps",
                                          .parameters = features_parameters,
                                          .parameter_count = 1,
                                          .extensions = features_extensions,
                                          .extension_count = 2,
                                          .life = &features_life,
                                          .api = &features_api};
