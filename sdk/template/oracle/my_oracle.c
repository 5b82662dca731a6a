/* my_oracle.c - an oracle for features of other libraries: it only asks for psi and Delta.
 *
 *   argmax over y of  <w, psi(x, y)> + loss_weight * Delta(truth, y)
 *
 * Small examples: tries all outputs, which is exact. Larger ones: begins with zeros and changes one
 * label at a time until nothing is better. README.md says more. */
#include <sculpt/c_plugin.h>
#include <sculpt/ext/batch_argmax.h>
#include <sculpt/ext/complete.h>
#include <sculpt/ext/cut.h>
#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/expectation.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/k_best.h>
#include <sculpt/ext/output_shape.h>
#include <sculpt/ext/sample.h>
#include <sculpt/ext/state.h>

struct oracle {
  const sculpt_host* host;
  int64_t exact_up_to;
  sculpt_ref features;
  sculpt_ref loss; /* component == NULL in prediction */
  const sculpt_ext_output_shape* shapes;
};

/* Takes a vector as pairs (index, value) and keeps only its product with w. */
struct score {
  sculpt_accumulator sum; /* first: fold() finds the rest from its address */
  const double* w;
  double total;
  int32_t index[64];
  double value[64];
};

/* What a thread needs for itself: sessions of the features and the loss, and two outputs. */
struct session {
  const struct oracle* oracle;
  void* features;
  void* loss;
  struct score score;
  sculpt_output_shape shape;
  int32_t* y;    /* [capacity] */
  int32_t* best; /* [capacity] */
  int64_t capacity;
};

/* --- Life --------------------------------------------------------------------------------------*/

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct oracle* const oracle = calloc(1, sizeof *oracle);
  if (oracle == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  oracle->host = host;
  oracle->exact_up_to = values[0].integer; /* in the order of the table `parameters` */
  *self = oracle;
  return SCULPT_OK;
}

static sculpt_status shape_of(const struct oracle* oracle, int64_t example,
                              sculpt_output_shape* shape, sculpt_error* error) {
  memset(shape, 0, sizeof *shape);
  shape->struct_size = sizeof *shape;
  return oracle->shapes->shape(oracle->features.self, example, shape, error);
}

/* Keeps what it works on, and refuses what cannot work. In prediction there is no loss. */
static sculpt_status bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct oracle* const oracle = self;
  const sculpt_dataset_api* const dataset = to->dataset.component->api;
  const char* const features = to->features.component->id;
  int64_t count = 0;
  sculpt_status status = dataset->count(to->dataset.self, &count, error);
  if (status != SCULPT_OK) return status;
  oracle->features = to->features;
  oracle->loss = to->loss;
  oracle->shapes = sculpt_find_extension(to->features, SCULPT_EXT_OUTPUT_SHAPE);
  if (oracle->shapes == NULL) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "needs features that offer output_shape; %s does not", features);
  }
  for (int64_t i = 0; i < count; ++i) {
    sculpt_output_shape shape;
    status = shape_of(oracle, i, &shape, error);
    if (status != SCULPT_OK) return status;
    if (!(shape.flags & SCULPT_SHAPE_COMPLETE) || shape.min_size != shape.max_size ||
        (shape.states == NULL && shape.state_count == 0)) {
      return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                         "changes labels one by one, but not every array of labels is an output of "
                         "%s; use the oracle that belongs to these features",
                         features);
    }
  }
  return SCULPT_OK;
}

static sculpt_status open_session(void* self, void** session, sculpt_error* error) {
  struct session* const s = calloc(1, sizeof *s);
  if (s == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  s->oracle = self;
  sculpt_status status = sculpt_open_session(s->oracle->features, &s->features, error);
  if (status != SCULPT_OK) {
    free(s);
    return status;
  }
  status = sculpt_open_session(s->oracle->loss, &s->loss, error);
  if (status != SCULPT_OK) {
    sculpt_close_session(s->oracle->features, s->features);
    free(s);
    return status;
  }
  *session = s;
  return SCULPT_OK;
}

static void close_session(void* session) {
  struct session* const s = session;
  sculpt_close_session(s->oracle->loss, s->loss);
  sculpt_close_session(s->oracle->features, s->features);
  free(s->y);
  free(s->best);
  free(s);
}

/* --- The search --------------------------------------------------------------------------------*/

static int32_t states(const struct session* s, int64_t t) {
  return s->shape.states != NULL ? s->shape.states[t] : s->shape.state_count;
}

/* Called if the list of pairs is full. */
static sculpt_status fold(sculpt_accumulator* sum, int64_t min_capacity) {
  struct score* const score = (struct score*)sum;
  (void)min_capacity;
  for (int64_t k = 0; k < sum->size; ++k) score->total += score->w[sum->index[k]] * sum->value[k];
  sum->size = 0;
  return SCULPT_OK;
}

/* *out = <w, psi(x, y)> + loss_weight * Delta(truth, y) for the output s->y. A query may have a
 * truth and loss_weight 0. */
static sculpt_status value_of(struct session* s, const sculpt_query* query, double* out,
                              sculpt_error* error) {
  const sculpt_features_api* const features = s->oracle->features.component->api;
  const sculpt_labels y = {s->y, s->shape.max_size};
  struct score* const score = &s->score;
  const sculpt_accumulator empty = {score->index,        score->value, 0,   64,
                                    query->weights.size, fold,         NULL};
  score->sum = empty;
  score->w = query->weights.data;
  score->total = 0;
  sculpt_status status =
      features->accumulate(s->features, query->example, y, 1, &score->sum, error);
  if (status != SCULPT_OK) return status;
  (void)fold(&score->sum, 0);
  *out = score->total;
  if (query->loss_weight > 0) {
    const sculpt_loss_api* const loss = s->oracle->loss.component->api;
    double delta = 0;
    status = loss->loss(s->loss, query->example, query->truth, y, &delta, error);
    *out += query->loss_weight * delta;
  }
  return status;
}

/* Keeps s->y if it is the first output or better than the best one. Polls the host. */
static sculpt_status try_output(struct session* s, const sculpt_query* query, int is_first,
                                double* best, int* is_better, sculpt_error* error) {
  double value = 0;
  if (sculpt_is_cancelled(s->oracle->host)) {
    return sculpt_fail(error, SCULPT_E_CANCELLED, "stopped");
  }
  const sculpt_status status = value_of(s, query, &value, error);
  if (status != SCULPT_OK) return status;
  if (!is_first && !(value > *best)) return SCULPT_OK;
  *best = value;
  *is_better = 1;
  memcpy(s->best, s->y, (size_t)s->shape.max_size * sizeof *s->y);
  return SCULPT_OK;
}

/* Moves to the next output; the last label changes fastest. Returns 0 after the last one. */
static int next(struct session* s) {
  for (int64_t t = s->shape.max_size; t-- > 0;) {
    if (++s->y[t] < states(s, t)) return 1;
    s->y[t] = 0;
  }
  return 0;
}

static sculpt_status climb(struct session* s, const sculpt_query* query, double* best,
                           sculpt_error* error) {
  for (int is_better = 1; is_better;) {
    is_better = 0;
    for (int64_t t = 0; t < s->shape.max_size; ++t) {
      for (s->y[t] = 0; s->y[t] < states(s, t); ++s->y[t]) {
        const sculpt_status status = try_output(s, query, 0, best, &is_better, error);
        if (status != SCULPT_OK) return status;
      }
      s->y[t] = s->best[t];
    }
  }
  return SCULPT_OK;
}

static sculpt_status make_room(struct session* s, int64_t size, sculpt_error* error) {
  if (size < s->capacity) return SCULPT_OK;
  free(s->y);
  free(s->best);
  s->y = malloc((size_t)(size + 1) * sizeof *s->y);
  s->best = malloc((size_t)(size + 1) * sizeof *s->best);
  s->capacity = s->y != NULL && s->best != NULL ? size + 1 : 0;
  return s->capacity > 0 ? SCULPT_OK : sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

static sculpt_status argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                            sculpt_error* error) {
  struct session* const s = session;
  double outputs = 1;
  double best = 0;
  int is_better = 0;
  sculpt_status status = shape_of(s->oracle, query->example, &s->shape, error);
  const int64_t size = s->shape.max_size;
  if (status == SCULPT_OK) status = make_room(s, size, error);
  if (status != SCULPT_OK) return status;
  for (int64_t t = 0; t < size; ++t) outputs *= states(s, t), s->y[t] = 0;
  if (outputs == 0) {
    answer->flags = SCULPT_ANSWER_NO_OUTPUT;
    return SCULPT_OK;
  }
  const int is_small = outputs <= (double)s->oracle->exact_up_to;
  status = try_output(s, query, 1, &best, &is_better, error);
  while (is_small && status == SCULPT_OK && next(s)) {
    status = try_output(s, query, 0, &best, &is_better, error); /* ties: the first output */
  }
  if (!is_small && status == SCULPT_OK) status = climb(s, query, &best, error);
  if (status != SCULPT_OK) return status;
  status = sculpt_resize_labels(&answer->labels, size);
  if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  if (size > 0) memcpy(answer->labels.data, s->best, (size_t)size * sizeof *s->best);
  answer->value = best;
  /* EXACT: nothing has a larger value. 0 is no promise. BOUND: nothing has a value above `bound`.
   * If the truth is none of the outputs, add SCULPT_ANSWER_TRUTH_OUTSIDE. */
  answer->flags = is_small ? SCULPT_ANSWER_EXACT : 0;
  return SCULPT_OK;
}

/* --- Optional -----------------------------------------------------------------------------------
 * To write one, move it out of this block. Name its table in an `extension` of `life`, and its id
 * in a list `extensions` of `component` (see sculpt/plugin.h). */
#if 0
static sculpt_status seal(void* self, sculpt_error* error);
/* ext/state.h: what was learned from data, for the model. */
static sculpt_status save(const void* self, sculpt_byte_buffer* out, sculpt_error* error);
static sculpt_status restore(void* self, const char* data, int64_t size, sculpt_error* error);
static const sculpt_ext_state state_table = {save, restore};
/* ext/enumerate.h: all outputs, so that `sculpt check` can compare answers with them. */
static sculpt_status enumerate(void* session, int64_t example, int64_t limit, sculpt_visit visit,
                               void* context, int64_t* count, sculpt_error* error);
static const sculpt_ext_enumerate enumerate_table = {enumerate};
/* ext/complete.h: the best output that agrees with a partial truth, in which -1 is unknown. */
static sculpt_status complete(void* session, const sculpt_query* query, sculpt_answer* answer,
                              sculpt_error* error);
static const sculpt_ext_complete complete_table = {complete};
/* ext/cut.h: a relaxed answer, psi and Delta of a point of a larger set. */
static sculpt_status cut(void* session, const sculpt_query* query, sculpt_accumulator* psi,
                         sculpt_cut* out, sculpt_error* error);
static const sculpt_ext_cut cut_table = {cut};
/* ext/frontier.h: the best score for each vector of counts. It makes every formulation exact. */
static sculpt_status begin_frontier(void* session, const sculpt_frontier_query* query,
                                    sculpt_frontier_shape* shape, sculpt_error* error);
static sculpt_status frontier_slice(void* session, int64_t first, double* scores,
                                    sculpt_error* error);
static sculpt_status frontier_output(void* session, const int64_t* counts, sculpt_label_buffer* out,
                                     sculpt_error* error);
static const sculpt_ext_frontier frontier_table = {begin_frontier, frontier_slice, frontier_output};
/* ext/batch_argmax.h: several queries in one call, for oracles that share work between them. */
static sculpt_status argmax_batch(void* session, int64_t count, const sculpt_query* const* queries,
                                  sculpt_answer* const* answers, int64_t* failed,
                                  sculpt_error* error);
static const sculpt_ext_batch_argmax batch_table = {argmax_batch};
/* ext/expectation.h: log Z, E[psi] and Cov[psi] v. */
static sculpt_status mean(void* session, const sculpt_query* query, sculpt_log_z* log_z,
                          double scale, sculpt_accumulator* sum, sculpt_error* error);
static sculpt_status covariance_times(void* session, const sculpt_query* query, sculpt_weights v,
                                      double scale, sculpt_accumulator* sum, sculpt_error* error);
static const sculpt_ext_expectation expectation_table = {mean, covariance_times};
/* ext/k_best.h: the k best outputs. */
static sculpt_status begin_k_best(void* session, const sculpt_query* query, sculpt_error* error);
static sculpt_status next_best(void* session, sculpt_answer* answer, sculpt_error* error);
static const sculpt_ext_k_best k_best_table = {begin_k_best, next_best};
/* ext/sample.h: random outputs. */
static sculpt_status begin_sample(void* session, const sculpt_query* query, double* log_z,
                                  sculpt_error* error);
static sculpt_status draw(void* session, uint64_t seed, sculpt_label_buffer* out,
                          sculpt_error* error);
static const sculpt_ext_sample sample_table = {begin_sample, draw};
#endif

/* --- The catalogue -----------------------------------------------------------------------------*/

static const sculpt_parameter parameters[] = {
    {.type = SCULPT_PARAMETER_INT,
     .name = "exact_up_to",
     .fallback = "1000",
     .lower = 0,
     .upper = 1e9,
     .unit = "outputs",
     .summary = "tries all outputs if there are at most so many"}};
static const sculpt_life life = {.create = create,
                                 .destroy = free,
                                 .bind = bind,
                                 .open_session = open_session,
                                 .close_session = close_session,
                                 .extension = sculpt_no_extension};
static const sculpt_oracle_api api = {argmax};
static const sculpt_component component = {
    .struct_size = sizeof component,
    .kind = SCULPT_KIND_ORACLE,
    .id = "org.example.my_oracle",
    .version = "1.0.0",
    .summary = "tries all outputs of small examples, else climbs",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .life = &life,
    .api = &api};

/* `sculpt check` tests the library with these: two features and losses of the host, and both ways
 * to search. The examples have several sizes, two have equal inputs, and one has no truth. No
 * word of letters is empty. */
static const char* const experiments[] = {
    "{\"dataset\": {\"use\": \"letters\", \"train\": {\"text\": "
    "\"1 0 0 a 1 10\\n1 0 1 b 0 01\\n2 0 0 b 1 10\\n2 0 1 a 0 01\\n3 0 0 c 1 00\\n"
    "3 0 1 a 1 11\\n3 0 2 c 0 11\\n4 0 0 b 0 10\\n5 0 0 ? 1 10\\n5 0 1 ? 0 01\\n\"}},"
    " \"features\": \"chain\", \"loss\": \"hamming\", \"oracle\": \"my_oracle\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 1}}",
    "{\"dataset\": {\"use\": \"svmlight\", \"train\": {\"text\": "
    "\"1 1:1\\n2 1:1\\n3 1:0.5 2:1\\n1:1 2:2\\n\"}},"
    " \"features\": \"multiclass\", \"loss\": \"zero_one\","
    " \"oracle\": {\"use\": \"my_oracle\", \"exact_up_to\": 0},"
    " \"solver\": {\"use\": \"n_slack\", \"C\": 1}}"};
static const sculpt_component* const components[] = {&component};
static const sculpt_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .name = "my_oracle",
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
