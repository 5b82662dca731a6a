/* my_loss.c - a weighted Hamming loss.
 *
 *   Delta(truth, guess) = g(errors) = cost * errors,   errors = sum over t of [truth_t != guess_t]
 *
 * It is a function of the count `errors`, so oracles with a frontier take it. It is also a sum over
 * the cells of a factor graph, so map_solvers take it. README.md says more. */
#include <sculpt/c_plugin.h>
#include <sculpt/ext/count_loss.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/state.h>

struct loss {
  double cost;
};

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct loss* const loss = calloc(1, sizeof *loss);
  (void)host;
  if (loss == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  loss->cost = values[0].real; /* in the order of the table `parameters` */
  *self = loss;
  return SCULPT_OK;
}

/* A label -1 of the truth is unobserved and does not count. There is no open_session, so the
 * session is the component itself, which many threads read at once. */
static sculpt_status loss(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                          double* out, sculpt_error* error) {
  const struct loss* const self = session;
  int64_t errors = 0;
  (void)example;
  if (truth.size != guess.size) {
    return sculpt_fail(error, SCULPT_E_INVALID,
                       "compares outputs of equal size, but the truth has %lld labels and the "
                       "guess %lld; use features with one label a site",
                       (long long)truth.size, (long long)guess.size);
  }
  for (int64_t t = 0; t < truth.size; ++t) {
    errors += truth.data[t] >= 0 && truth.data[t] != guess.data[t] ? 1 : 0;
  }
  *out = self->cost * (double)errors;
  return SCULPT_OK;
}

/* --- Counts, for oracles with a frontier -------------------------------------------------------*/

/* The counts that oracles must know by their names, at most two. Use "matched" and "predicted" for
 * parts of outputs. */
static const sculpt_count counts[] = {{.name = "errors", .limit = INT64_MAX}};

static sculpt_status list_counts(const void* self, const sculpt_count** out, int64_t* count,
                                 sculpt_error* error) {
  (void)self, (void)error;
  *out = counts;
  *count = sizeof counts / sizeof counts[0];
  return SCULPT_OK;
}

/* g(counts). loss() must give the same number for these counts, to the last bit. */
static sculpt_status loss_of_counts(void* session, int64_t example, sculpt_labels truth,
                                    const int64_t* count, double* out, sculpt_error* error) {
  const struct loss* const self = session;
  (void)example, (void)truth, (void)error;
  *out = self->cost * (double)count[0];
  return SCULPT_OK;
}

/* g as a constant and a slope. Write NULL in the table below if g is not linear. */
static sculpt_status count_slopes(void* session, int64_t example, sculpt_labels truth,
                                  double* constant, double* slope, sculpt_error* error) {
  const struct loss* const self = session;
  (void)example, (void)truth, (void)error;
  *constant = 0;
  slope[0] = self->cost;
  return SCULPT_OK;
}

/* --- Cells of a factor graph, for map_solvers --------------------------------------------------*/

/* The classes of graphs that it needs, SCULPT_GRAPH_BINARY and the like. 0: it takes all. */
static sculpt_status demands(const void* self, uint32_t* out, sculpt_error* error) {
  (void)self, (void)error;
  *out = 0;
  return SCULPT_OK;
}

static sculpt_status check_size(const sculpt_factor_graph* graph, sculpt_labels truth,
                                sculpt_error* error) {
  if (graph->variable_count == truth.size) return SCULPT_OK;
  return sculpt_fail(error, SCULPT_E_INVALID, "the truth has %lld labels and the graph %lld",
                     (long long)truth.size, (long long)graph->variable_count);
}

/* Adds scale * Delta to theta. What all outputs cost would go into *constant. */
static sculpt_status add_factor_loss(void* session, int64_t example,
                                     const sculpt_factor_graph* graph, sculpt_labels truth,
                                     double scale, double* theta, double* constant,
                                     sculpt_error* error) {
  const struct loss* const self = session;
  const sculpt_status status = check_size(graph, truth, error);
  (void)example, (void)constant;
  if (status != SCULPT_OK) return status;
  for (int64_t v = 0; v < graph->variable_count; ++v) {
    for (int32_t k = 0; truth.data[v] >= 0 && k < graph->states[v]; ++k) {
      if (k != truth.data[v]) theta[graph->table[v] + k] += scale * self->cost;
    }
  }
  return SCULPT_OK;
}

/* Adds what each cell counts. */
static sculpt_status add_factor_counts(void* session, int64_t example,
                                       const sculpt_factor_graph* graph, sculpt_labels truth,
                                       int32_t* const* tables, sculpt_error* error) {
  const sculpt_status status = check_size(graph, truth, error);
  (void)session, (void)example;
  if (status != SCULPT_OK) return status;
  for (int64_t v = 0; v < graph->variable_count; ++v) {
    for (int32_t k = 0; truth.data[v] >= 0 && k < graph->states[v]; ++k) {
      if (k != truth.data[v]) tables[0][graph->table[v] + k] += 1;
    }
  }
  return SCULPT_OK;
}

static const sculpt_ext_count_loss count_table = {list_counts, loss_of_counts, count_slopes};
static const sculpt_ext_factor_loss factor_table = {demands, add_factor_loss};
static const sculpt_ext_factor_counts factor_counts_table = {demands, add_factor_counts};

/* --- Optional -----------------------------------------------------------------------------------
 * To write one, move it out of this block. Name its table in `extension`, and its id in
 * `extensions`. The first four stand in `life`. */
#if 0
static sculpt_status bind(void* self, const sculpt_bindings* to, sculpt_error* error);
static sculpt_status seal(void* self, sculpt_error* error);
static sculpt_status open_session(void* self, void** session, sculpt_error* error);
static void close_session(void* session);
/* ext/state.h: what was learned from data, for the model. */
static sculpt_status save(const void* self, sculpt_byte_buffer* out, sculpt_error* error);
static sculpt_status restore(void* self, const char* data, int64_t size, sculpt_error* error);
static const sculpt_ext_state state_table = {save, restore};
/* ext/metrics.h: metrics, made of sums over the examples. A guess with data NULL is all wrong. */
static sculpt_status metrics(const void* self, const sculpt_metric** out, int64_t* metric_count,
                             int64_t* sum_count, sculpt_error* error);
static sculpt_status add_metrics(void* session, int64_t example, sculpt_labels truth,
                                 sculpt_labels guess, double* sums, sculpt_error* error);
static sculpt_status finish_metrics(const void* self, const double* sums, double* values,
                                    sculpt_error* error);
static const sculpt_ext_metrics metrics_table = {metrics, add_metrics, finish_metrics};
#endif

/* --- The catalogue -----------------------------------------------------------------------------*/

static const void* extension(const void* self, const char* id) {
  (void)self;
  if (strcmp(id, SCULPT_EXT_COUNT_LOSS) == 0) return &count_table;
  if (strcmp(id, SCULPT_EXT_FACTOR_LOSS) == 0) return &factor_table;
  if (strcmp(id, SCULPT_EXT_FACTOR_COUNTS) == 0) return &factor_counts_table;
  return NULL;
}
static const char* const extensions[] = {SCULPT_EXT_COUNT_LOSS, SCULPT_EXT_FACTOR_LOSS,
                                         SCULPT_EXT_FACTOR_COUNTS};
static const sculpt_parameter parameters[] = {{.type = SCULPT_PARAMETER_REAL,
                                               .name = "cost",
                                               .fallback = "1",
                                               .lower = 1e-6,
                                               .upper = 1e6,
                                               .summary = "loss of a wrong label"}};
static const sculpt_life life = {.create = create, .destroy = free, .extension = extension};
static const sculpt_loss_api api = {loss};
static const sculpt_component component = {
    .struct_size = sizeof component,
    .kind = SCULPT_KIND_LOSS,
    .id = "org.example.my_loss",
    .version = "1.0.0",
    .summary = "the number of wrong labels, times a cost",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .extensions = extensions,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .life = &life,
    .api = &api};

/* `sculpt check` tests the library with these: both ends of `cost`, and slack rescaling, which
 * asks for counts. The examples are words of three sizes, two of them with equal inputs, and one
 * without a truth. No word of letters is empty. */
static const char* const experiments[] = {
    "{\"dataset\": {\"use\": \"letters\", \"train\": {\"text\": "
    "\"1 0 0 a 1 10\\n1 0 1 b 0 01\\n2 0 0 b 1 10\\n2 0 1 a 0 01\\n3 0 0 c 1 00\\n"
    "3 0 1 a 1 11\\n3 0 2 c 0 11\\n4 0 0 b 0 10\\n5 0 0 ? 1 10\\n5 0 1 ? 0 01\\n\"}},"
    " \"features\": \"chain\", \"loss\": {\"use\": \"my_loss\", \"cost\": 2.5},"
    " \"oracle\": \"viterbi\", \"solver\": {\"use\": \"n_slack\", \"C\": 1, \"rescaling\": "
    "\"slack\"}}",
    "{\"dataset\": {\"use\": \"letters\", \"train\": {\"text\": "
    "\"1 0 0 a 1 10\\n1 0 1 b 0 01\\n2 0 0 b 1 10\\n2 0 1 a 0 01\\n3 0 0 c 1 00\\n"
    "3 0 1 a 1 11\\n3 0 2 c 0 11\\n4 0 0 b 0 10\\n5 0 0 ? 1 10\\n5 0 1 ? 0 01\\n\"}},"
    " \"features\": \"chain\", \"loss\": {\"use\": \"my_loss\", \"cost\": 1e-6},"
    " \"oracle\": \"viterbi\", \"solver\": {\"use\": \"n_slack\", \"C\": 1}}",
    "{\"dataset\": {\"use\": \"letters\", \"train\": {\"text\": "
    "\"1 0 0 a 1 10\\n1 0 1 b 0 01\\n2 0 0 b 1 10\\n2 0 1 a 0 01\\n3 0 0 c 1 00\\n"
    "3 0 1 a 1 11\\n3 0 2 c 0 11\\n4 0 0 b 0 10\\n5 0 0 ? 1 10\\n5 0 1 ? 0 01\\n\"}},"
    " \"features\": \"chain\", \"loss\": {\"use\": \"my_loss\", \"cost\": 1e6},"
    " \"oracle\": \"enumerate\", \"solver\": {\"use\": \"n_slack\", \"C\": 1}}"};
static const sculpt_component* const components[] = {&component};
static const sculpt_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .name = "my_loss",
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
