/* plain.c - multiclass classification in C99, with the C headers alone.
 *
 *   psi(x, y) = x in block y,   Delta = [guess != truth],   the oracle tries all classes
 *
 * Works with any dataset that has one label per example and offers ext/sites.h. */
#include <sculpt/c_plugin.h>
#include <sculpt/ext/sites.h>

/* --- features ---------------------------------------------------------------------------------*/

struct features {
  sculpt_ref dataset;
  const sculpt_ext_sites* sites;
  int64_t attributes;
  int32_t classes;
  int label_per_site;
};

static sculpt_status features_create(const sculpt_host* host, const sculpt_value* values,
                                     void** self, sculpt_error* error) {
  (void)host, (void)values;
  *self = calloc(1, sizeof(struct features));
  return *self != NULL ? SCULPT_OK : sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status features_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct features* features = self;
  features->dataset = to->dataset;
  features->sites = sculpt_find_extension(to->dataset, SCULPT_EXT_SITES);
  if (features->sites == NULL) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "needs a dataset that offers " SCULPT_EXT_SITES ", such as svmlight");
  }
  sculpt_sites_shape shape;
  shape.struct_size = sizeof shape; /* the dataset fills this record */
  const sculpt_status status = features->sites->shape(to->dataset.self, &shape, error);
  if (status != SCULPT_OK) return status;
  if (shape.variable_count > 1) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED, "needs a dataset with one label per example");
  }
  features->attributes = shape.feature_count;
  features->classes = shape.state_count;
  features->label_per_site = shape.variable_count == 0;
  return SCULPT_OK;
}

static sculpt_status features_dimension(const void* self, int64_t* out, sculpt_error* error) {
  const struct features* features = self;
  (void)error;
  *out = features->attributes * features->classes;
  return SCULPT_OK;
}

static sculpt_status features_input(const struct features* features, int64_t example,
                                    sculpt_sites* x, sculpt_error* error) {
  x->struct_size = sizeof *x;
  const sculpt_status status = features->sites->sites(features->dataset.self, example, x, error);
  if (status != SCULPT_OK) return status;
  if (x->site_count != 1 && features->label_per_site) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED, "needs a dataset with one label per example");
  }
  return SCULPT_OK;
}

static sculpt_status features_accumulate(void* session, int64_t example, sculpt_labels y,
                                         double scale, sculpt_accumulator* sum,
                                         sculpt_error* error) {
  const struct features* features = session; /* without open_session the session is the component */
  sculpt_sites x;
  sculpt_status status = features_input(features, example, &x, error);
  if (status != SCULPT_OK) return status;
  const int64_t block = y.data[0] * features->attributes;
  for (int64_t k = x.row_from[0]; k < x.row_from[x.site_count]; ++k) {
    status = sculpt_add(sum, (int32_t)(block + x.index[k]), scale * x.value[k]);
    if (status != SCULPT_OK) return sculpt_fail(error, status, "too many feature values");
  }
  return SCULPT_OK;
}

static const sculpt_life features_life = {.create = features_create,
                                          .destroy = free,
                                          .bind = features_bind,
                                          .extension = sculpt_no_extension};
static const sculpt_features_api features_api = {features_dimension, features_accumulate};
static const sculpt_component features_component = {
    .struct_size = sizeof(sculpt_component),
    .kind = SCULPT_KIND_FEATURES,
    .id = "org.example.plain_multiclass",
    .version = "1.0.0",
    .summary = "the input in the block of its class",
    .life = &features_life,
    .api = &features_api};

/* --- loss -------------------------------------------------------------------------------------*/

static sculpt_status loss_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                 sculpt_error* error) {
  (void)host, (void)values, (void)error;
  *self = NULL; /* no state */
  return SCULPT_OK;
}

static sculpt_status loss_loss(void* session, int64_t example, sculpt_labels truth,
                               sculpt_labels guess, double* out, sculpt_error* error) {
  (void)session, (void)example, (void)error;
  *out = truth.data[0] == guess.data[0] ? 0 : 1;
  return SCULPT_OK;
}

static const sculpt_life loss_life = {
    .create = loss_create, .destroy = free, .extension = sculpt_no_extension};
static const sculpt_loss_api loss_api = {loss_loss};
static const sculpt_component loss_component = {.struct_size = sizeof(sculpt_component),
                                                .kind = SCULPT_KIND_LOSS,
                                                .id = "org.example.plain_zero_one",
                                                .version = "1.0.0",
                                                .summary = "1 for a wrong class",
                                                .life = &loss_life,
                                                .api = &loss_api};

/* --- oracle -----------------------------------------------------------------------------------*/

/* Works with the features above and any loss. */
struct oracle {
  const struct features* features;
  sculpt_ref loss;
};

struct oracle_session {
  const struct oracle* oracle;
  void* loss;     /* a session of the loss, opened with this one */
  double* scores; /* [classes] */
};

static sculpt_status oracle_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                   sculpt_error* error) {
  (void)host, (void)values;
  *self = calloc(1, sizeof(struct oracle));
  return *self != NULL ? SCULPT_OK : sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status oracle_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct oracle* oracle = self;
  if (to->features.component != &features_component) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "works only with the features plain_multiclass");
  }
  oracle->features = to->features.self;
  oracle->loss = to->loss;
  return SCULPT_OK;
}

static void oracle_close_session(void* session) {
  struct oracle_session* s = session;
  sculpt_close_session(s->oracle->loss, s->loss);
  free(s->scores);
  free(s);
}

static sculpt_status oracle_open_session(void* self, void** session, sculpt_error* error) {
  const struct oracle* oracle = self;
  struct oracle_session* s = calloc(1, sizeof *s);
  double* scores = calloc((size_t)oracle->features->classes, sizeof(double));
  sculpt_status status;
  if (s == NULL || scores == NULL) {
    free(s);
    free(scores);
    return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  }
  s->oracle = oracle;
  s->scores = scores;
  status = sculpt_open_session(oracle->loss, &s->loss, error);
  if (status != SCULPT_OK) {
    free(scores);
    free(s);
    return status;
  }
  *session = s;
  return SCULPT_OK;
}

/* scores[y] = <w, psi(x, y)> + loss_weight Delta(truth, y) */
static sculpt_status oracle_scores(struct oracle_session* s, const sculpt_query* query,
                                   sculpt_error* error) {
  const struct features* features = s->oracle->features;
  sculpt_sites x;
  sculpt_status status = features_input(features, query->example, &x, error);
  if (status != SCULPT_OK) return status;
  for (int32_t y = 0; y < features->classes; ++y) {
    const double* block = query->weights.data + y * features->attributes;
    double score = 0;
    for (int64_t k = x.row_from[0]; k < x.row_from[x.site_count]; ++k) {
      score += block[x.index[k]] * x.value[k];
    }
    if (query->loss_weight > 0) {
      const sculpt_loss_api* api = s->oracle->loss.component->api;
      const sculpt_labels guess = {&y, 1};
      double loss = 0;
      status = api->loss(s->loss, query->example, query->truth, guess, &loss, error);
      if (status != SCULPT_OK) return status;
      score += query->loss_weight * loss;
    }
    s->scores[y] = score;
  }
  return SCULPT_OK;
}

static sculpt_status oracle_argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                                   sculpt_error* error) {
  struct oracle_session* s = session;
  sculpt_status status = oracle_scores(s, query, error);
  if (status != SCULPT_OK) return status;
  int32_t best = 0;
  for (int32_t y = 1; y < s->oracle->features->classes; ++y) {
    if (s->scores[y] > s->scores[best]) best = y;
  }
  status = sculpt_resize_labels(&answer->labels, 1);
  if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  answer->labels.data[0] = best;
  answer->value = s->scores[best];
  answer->flags = SCULPT_ANSWER_EXACT;
  return SCULPT_OK;
}

static const sculpt_life oracle_life = {.create = oracle_create,
                                        .destroy = free,
                                        .bind = oracle_bind,
                                        .open_session = oracle_open_session,
                                        .close_session = oracle_close_session,
                                        .extension = sculpt_no_extension};
static const sculpt_oracle_api oracle_api = {oracle_argmax};
static const sculpt_component oracle_component = {.struct_size = sizeof(sculpt_component),
                                                  .kind = SCULPT_KIND_ORACLE,
                                                  .id = "org.example.plain_argmax",
                                                  .version = "1.0.0",
                                                  .summary = "tries every class",
                                                  .life = &oracle_life,
                                                  .api = &oracle_api};

/* --- the library ------------------------------------------------------------------------------*/

static const sculpt_component* const components[] = {&features_component, &loss_component,
                                                     &oracle_component};
static const sculpt_plugin plugin = {.struct_size = sizeof(sculpt_plugin),
                                     .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
                                     .name = "plain",
                                     .version = "1.0.0",
                                     .license = "MIT",
                                     .components = components,
                                     .component_count = sizeof components / sizeof components[0]};

const sculpt_plugin* sculpt_entry(sculpt_version host_abi) {
  (void)host_abi; /* the host compares plugin.abi with its own */
  return &plugin;
}
