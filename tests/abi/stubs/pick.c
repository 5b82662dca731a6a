/* pick.c - features and an oracle in C99, with the helpers of c_plugin.h. The oracle proves its
 * maximum (ext/draft/witness.h).
 *
 *   psi(x, y) = sum over sites t with y_t = 1 of x_t,   y_t in {0, 1}
 *   outputs: at most `most` sites have y_t = 1
 *   value = c_0 + sum_t c_t y_t,   c_t = <w, x_t> + loss_weight (Delta(e_t) - Delta(0))
 *
 * It works with every loss that is such a sum, as the number of wrong labels is. It asks features
 * and loss for the outputs e_t (only site t) and 0. The parameter `witness` chooses the proof:
 *
 *   dual        the LP max c_0 + <c, y>, sum_t y_t <= most, 0 <= y <= 1. One number, of its row.
 *   potentials  the program with the nodes (t, k): k of the first t sites, t <= T, k <= most.
 *               Node (t, k) is number t (most + 1) + k. The root stands behind them.
 *               A node with k > t has no edge, and u = 0. The edges of the others, with their
 *               scores:
 *
 *                 into (0, 0), without a tail   c_0
 *                 (t, k) to (t + 1, k)          0
 *                 (t, k) to (t + 1, k + 1)      c_t
 *                 (T, k) to the root            0
 *
 *   none        no numbers. */
#include <float.h>
#include <math.h>
#include <sculpt/c_plugin.h>
#include <sculpt/ext/draft/witness.h>
#include <sculpt/ext/sites.h>

/* Features. */

struct marks {
  sculpt_ref dataset;
  const sculpt_ext_sites* sites;
  int64_t dimension;
};

static sculpt_status marks_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                  sculpt_error* error) {
  (void)host, (void)values;
  *self = calloc(1, sizeof(struct marks));
  return *self != NULL ? SCULPT_OK : sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status marks_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct marks* marks = self;
  sculpt_sites_shape shape = {.struct_size = sizeof shape};
  sculpt_status status;
  marks->dataset = to->dataset;
  marks->sites = sculpt_find_extension(to->dataset, SCULPT_EXT_SITES);
  if (marks->sites == NULL) return sculpt_fail(error, SCULPT_E_UNSUPPORTED, "needs sites");
  status = marks->sites->shape(to->dataset.self, &shape, error);
  marks->dimension = shape.feature_count;
  return status;
}

static sculpt_status marks_dimension(const void* self, int64_t* out, sculpt_error* error) {
  (void)error;
  *out = ((const struct marks*)self)->dimension;
  return SCULPT_OK;
}

static sculpt_status marks_accumulate(void* session, int64_t example, sculpt_labels y, double scale,
                                      sculpt_accumulator* sum, sculpt_error* error) {
  const struct marks* marks = session; /* without open_session the session is the component */
  sculpt_sites x = {.struct_size = sizeof x};
  sculpt_status status = marks->sites->sites(marks->dataset.self, example, &x, error);
  for (int64_t t = 0; status == SCULPT_OK && t < y.size; ++t) {
    if (y.data[t] == 0) continue;
    for (int64_t k = x.row_from[t]; status == SCULPT_OK && k < x.row_from[t + 1]; ++k) {
      status = sculpt_add(sum, x.index[k], scale * x.value[k]);
    }
  }
  return status;
}

static const sculpt_life marks_life = {
    .create = marks_create, .destroy = free, .bind = marks_bind, .extension = sculpt_no_extension};
static const sculpt_features_api marks_api = {marks_dimension, marks_accumulate};
static const sculpt_component marks_component = {.struct_size = sizeof(sculpt_component),
                                                 .kind = SCULPT_KIND_FEATURES,
                                                 .id = "org.sculpt.stub.marks",
                                                 .version = "1.0.0",
                                                 .summary = "the sum of the marked sites",
                                                 .life = &marks_life,
                                                 .api = &marks_api};

/* The oracle. */

enum { DUAL, POTENTIALS, NONE }; /* in the order of the choices */

struct pick {
  const sculpt_host* host;
  sculpt_bindings to;
  const sculpt_ext_sites* sites;
  int64_t most, witness;
};

struct pick_session {
  const struct pick* oracle;
  void *features, *loss;
  sculpt_accumulator psi; /* in memory of the session */
  int64_t size;           /* sites of the example */
  int32_t* y;             /* [size] */
  double* score;          /* [size] c_t */
  double* error;          /* [size] the largest rounding error of c_t */
  double base;            /* c_0 */
  double base_error;
};

static const sculpt_parameter pick_parameters[] = {{.name = "most",
                                                    .type = SCULPT_PARAMETER_INT,
                                                    .fallback = "2",
                                                    .lower = 0,
                                                    .upper = 1000,
                                                    .summary = "the most sites that are picked"},
                                                   {.name = "witness",
                                                    .type = SCULPT_PARAMETER_CHOICE,
                                                    .fallback = "\"dual\"",
                                                    .choices = "dual|potentials|none",
                                                    .summary = "the kind of proof"}};

static sculpt_status pick_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                 sculpt_error* error) {
  struct pick* pick = calloc(1, sizeof *pick);
  if (pick == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  pick->host = host;
  pick->most = values[0].integer;
  pick->witness = values[1].integer;
  *self = pick;
  return SCULPT_OK;
}

static sculpt_status pick_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct pick* pick = self;
  pick->to = *to;
  pick->sites = sculpt_find_extension(to->dataset, SCULPT_EXT_SITES);
  if (pick->sites == NULL) return sculpt_fail(error, SCULPT_E_UNSUPPORTED, "needs sites");
  if (pick->most == 0) sculpt_log(pick->host, SCULPT_LOG_WARNING, "picks no site at all");
  return SCULPT_OK;
}

static sculpt_status grow_sum(sculpt_accumulator* sum, int64_t min_capacity) {
  const int64_t capacity = 2 * min_capacity + 16;
  int32_t* const index = realloc(sum->index, (size_t)capacity * sizeof *index);
  double* value;
  if (index == NULL) return SCULPT_E_MEMORY;
  sum->index = index;
  value = realloc(sum->value, (size_t)capacity * sizeof *value);
  if (value == NULL) return SCULPT_E_MEMORY;
  sum->value = value;
  sum->capacity = capacity;
  return SCULPT_OK;
}

static void pick_close_session(void* session) {
  struct pick_session* s = session;
  sculpt_close_session(s->oracle->to.features, s->features);
  sculpt_close_session(s->oracle->to.loss, s->loss);
  free(s->psi.index);
  free(s->psi.value);
  free(s->y);
  free(s->score);
  free(s->error);
  free(s);
}

static sculpt_status pick_open_session(void* self, void** session, sculpt_error* error) {
  const struct pick* pick = self;
  struct pick_session* s = calloc(1, sizeof *s);
  sculpt_status status;
  if (s == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  s->oracle = pick;
  s->psi.grow = grow_sum;
  status = sculpt_open_session(pick->to.features, &s->features, error);
  if (status == SCULPT_OK) {
    status = sculpt_open_session(pick->to.loss, &s->loss, error);
    if (status != SCULPT_OK) sculpt_close_session(pick->to.features, s->features);
  }
  if (status != SCULPT_OK) {
    free(s);
    return status;
  }
  *session = s;
  return SCULPT_OK;
}

/* *value = the value of the output s->y, *error_bound = how far it is from the exact one at most.
 */
static sculpt_status value_of(struct pick_session* s, const sculpt_query* query, double* value,
                              double* error_bound, sculpt_error* error) {
  const sculpt_ref features = s->oracle->to.features, loss = s->oracle->to.loss;
  const sculpt_labels y = {s->y, s->size};
  sculpt_accumulator* const psi = &s->psi;
  double terms = 0, delta = 0;
  sculpt_status status;
  psi->size = 0;
  psi->dimension = query->weights.size;
  status = ((const sculpt_features_api*)features.component->api)
               ->accumulate(s->features, query->example, y, 1.0, psi, error);
  if (status != SCULPT_OK) return status;
  *value = 0;
  for (int64_t k = 0; k < psi->size; ++k) {
    const double term = query->weights.data[psi->index[k]] * psi->value[k];
    *value += term;
    terms += fabs(term);
  }
  if (query->loss_weight > 0) {
    status = ((const sculpt_loss_api*)loss.component->api)
                 ->loss(s->loss, query->example, query->truth, y, &delta, error);
    if (status != SCULPT_OK) return status;
    *value += query->loss_weight * delta;
    terms += query->loss_weight * delta;
  }
  *error_bound = (double)(psi->size + 4) * DBL_EPSILON * terms;
  return SCULPT_OK;
}

/* Fills size, c_0 and c_t. */
static sculpt_status find_scores(struct pick_session* s, const sculpt_query* query,
                                 sculpt_error* error) {
  sculpt_sites x = {.struct_size = sizeof x};
  sculpt_status status =
      s->oracle->sites->sites(s->oracle->to.dataset.self, query->example, &x, error);
  if (status != SCULPT_OK) return status;
  s->size = x.site_count;
  free(s->y);
  free(s->score);
  free(s->error);
  s->y = calloc((size_t)s->size + 1, sizeof *s->y);
  s->score = calloc((size_t)s->size + 1, sizeof *s->score);
  s->error = calloc((size_t)s->size + 1, sizeof *s->error);
  if (s->y == NULL || s->score == NULL || s->error == NULL) {
    return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  }
  status = value_of(s, query, &s->base, &s->base_error, error);
  for (int64_t t = 0; status == SCULPT_OK && t < s->size; ++t) {
    if (sculpt_is_cancelled(s->oracle->host)) return SCULPT_E_CANCELLED;
    s->y[t] = 1;
    status = value_of(s, query, &s->score[t], &s->error[t], error);
    s->y[t] = 0;
    s->score[t] -= s->base;
    s->error[t] += s->base_error + DBL_EPSILON * (fabs(s->base) + fabs(s->score[t]));
  }
  return status;
}

/* Picks the sites with the largest positive scores. *last = the score of the last one if all are
 * picked that may be, else 0. */
static void pick_best(struct pick_session* s, double* value, double* last) {
  *value = s->base;
  *last = 0;
  for (int64_t count = 0; count < s->oracle->most; ++count) {
    int64_t best = -1;
    for (int64_t t = 0; t < s->size; ++t) {
      if (s->y[t] == 0 && s->score[t] > (best < 0 ? 0 : s->score[best])) best = t;
    }
    if (best < 0) return;
    s->y[best] = 1;
    *value += s->score[best];
    if (count + 1 == s->oracle->most) *last = s->score[best];
  }
  if (s->oracle->most > 0) return;
  for (int64_t t = 0; t < s->size; ++t) *last = s->score[t] > *last ? s->score[t] : *last;
}

static sculpt_status pick_answer(struct pick_session* s, const sculpt_query* query,
                                 sculpt_answer* answer, double* last, sculpt_error* error) {
  sculpt_status status = find_scores(s, query, error);
  if (status != SCULPT_OK) return status;
  pick_best(s, &answer->value, last);
  answer->flags = SCULPT_ANSWER_EXACT;
  status = sculpt_resize_labels(&answer->labels, s->size);
  if (status == SCULPT_OK && s->size > 0) {
    memcpy(answer->labels.data, s->y, (size_t)s->size * sizeof *s->y);
  }
  return status;
}

static sculpt_status pick_argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                                 sculpt_error* error) {
  double last;
  return pick_answer(session, query, answer, &last, error);
}

static sculpt_status set_size(sculpt_number_buffer* numbers, int64_t size) {
  if (size > numbers->capacity) {
    const sculpt_status status = numbers->grow(numbers, size);
    if (status != SCULPT_OK) return status;
  }
  numbers->size = size;
  return SCULPT_OK;
}

/* a + b, rounded up. */
static double sum_above(double a, double b) {
  return nextafter(a + b, INFINITY);
}

/* u of all nodes. c_t and c_0 are rounded up by their errors. */
static void fill_potentials(const struct pick_session* s, double* u) {
  const int64_t most = s->oracle->most, width = most + 1;
  double* const root = u + (s->size + 1) * width;
  for (double* node = u; node < root; ++node) *node = 0;
  u[0] = sum_above(s->base, s->base_error);
  for (int64_t t = 0; t < s->size; ++t) {
    const double* const from = u + t * width;
    double* const to = u + (t + 1) * width;
    const double score = sum_above(s->score[t], s->error[t]);
    for (int64_t k = 0; k <= most && k <= t + 1; ++k) {
      const double kept = k <= t ? from[k] : -INFINITY;
      const double taken = k > 0 ? sum_above(from[k - 1], score) : -INFINITY;
      to[k] = taken > kept ? taken : kept;
    }
  }
  *root = -INFINITY;
  for (int64_t k = 0; k <= most && k <= s->size; ++k) {
    if (u[s->size * width + k] > *root) *root = u[s->size * width + k];
  }
}

static sculpt_status pick_prove(void* session, const sculpt_query* query, sculpt_answer* answer,
                                sculpt_witness* out, sculpt_error* error) {
  struct pick_session* s = session;
  double last;
  sculpt_status status = pick_answer(s, query, answer, &last, error);
  if (status != SCULPT_OK) return status;
  if (s->oracle->witness == NONE) {
    out->kind = SCULPT_WITNESS_NONE;
    return set_size(&out->numbers, 0);
  }
  if (s->oracle->witness == DUAL) {
    out->kind = SCULPT_WITNESS_DUAL;
    status = set_size(&out->numbers, 1);
    if (status == SCULPT_OK) out->numbers.data[0] = last;
    return status;
  }
  out->kind = SCULPT_WITNESS_POTENTIALS;
  status = set_size(&out->numbers, (s->size + 1) * (s->oracle->most + 1) + 1);
  if (status == SCULPT_OK) fill_potentials(s, out->numbers.data);
  return status;
}

static const void* pick_extension(const void* self, const char* id) {
  static const sculpt_ext_witness witness = {pick_prove};
  (void)self;
  return strcmp(id, SCULPT_EXT_WITNESS) == 0 ? &witness : NULL;
}

static const char* const pick_extensions[] = {SCULPT_EXT_WITNESS};
static const sculpt_life pick_life = {.create = pick_create,
                                      .destroy = free,
                                      .bind = pick_bind,
                                      .open_session = pick_open_session,
                                      .close_session = pick_close_session,
                                      .extension = pick_extension};
static const sculpt_oracle_api pick_api = {pick_argmax};
static const sculpt_component pick_component = {
    .struct_size = sizeof(sculpt_component),
    .kind = SCULPT_KIND_ORACLE,
    .id = "org.sculpt.stub.pick",
    .version = "1.0.0",
    .summary = "picks a few sites, with a proof that they are the best",
    .parameters = pick_parameters,
    .parameter_count = 2,
    .extensions = pick_extensions,
    .extension_count = 1,
    .life = &pick_life,
    .api = &pick_api};

static const sculpt_component* const components[] = {&marks_component, &pick_component};
static const sculpt_plugin plugin = {.struct_size = sizeof(sculpt_plugin),
                                     .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .name = "stub_pick",
                                     .version = "1.0.0",
                                     .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .license = "Apache-2.0",
                                     .components = components,
                                     .component_count = 2};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi;
  return &plugin;
}
