/* my_map_solver.c - finds the best assignment of a factor graph.
 *
 *   score(y) = sum over factors f of theta[table_f + offset_f(y)]
 *
 * Small graphs: tries all assignments, which is exact. Larger graphs: starts from the best label of
 * each variable and changes one label at a time until nothing is better (ICM). See README.md. */
#include <sculpt/c_plugin.h>
#include <sculpt/ext/cut.h>
#include <sculpt/ext/expectation.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/k_best.h>
#include <sculpt/ext/sample.h>

struct solver {
  const sculpt_host* host;
  int64_t exact_up_to;
};

/* What a thread needs for itself: two assignments. */
struct session {
  const struct solver* solver;
  int32_t* y;    /* [capacity] */
  int32_t* best; /* [capacity] */
  int64_t capacity;
};

static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  struct solver* const solver = calloc(1, sizeof *solver);
  if (solver == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  solver->host = host;
  solver->exact_up_to = values[0].integer; /* in the order of the table `parameters` */
  *self = solver;
  return SCULPT_OK;
}

static sculpt_status open_session(void* self, void** session, sculpt_error* error) {
  struct session* const s = calloc(1, sizeof *s);
  if (s == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  s->solver = self;
  *session = s;
  return SCULPT_OK;
}

static void close_session(void* session) {
  struct session* const s = session;
  free(s->y);
  free(s->best);
  free(s);
}

static sculpt_status make_room(struct session* s, int64_t size, sculpt_error* error) {
  if (size <= s->capacity) return SCULPT_OK;
  free(s->y);
  free(s->best);
  s->y = malloc((size_t)size * sizeof *s->y);
  s->best = malloc((size_t)size * sizeof *s->best);
  s->capacity = s->y != NULL && s->best != NULL ? size : 0;
  return s->capacity > 0 ? SCULPT_OK : sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

static double score(const sculpt_factor_graph* graph, const double* theta, const int32_t* y) {
  double sum = 0;
  for (int64_t f = 0; f < graph->factor_count; ++f) {
    int64_t offset = 0;
    for (int64_t p = graph->scope_from[f]; p < graph->scope_from[f + 1]; ++p) {
      offset = offset * graph->states[graph->scope[p]] + y[graph->scope[p]];
    }
    sum += theta[graph->table[f] + offset];
  }
  return sum;
}

/* Keeps y if it is better than the best one. */
static int keep_better(struct session* s, const sculpt_factor_graph* graph, double value,
                       double* best) {
  if (!(value > *best)) return 0;
  *best = value;
  memcpy(s->best, s->y, (size_t)graph->variable_count * sizeof *s->y);
  return 1;
}

/* Moves to the next assignment; the last variable changes fastest. Returns 0 after the last one. */
static int next(const sculpt_factor_graph* graph, int32_t* y) {
  for (int64_t v = graph->variable_count; v-- > 0;) {
    if (++y[v] < graph->states[v]) return 1;
    y[v] = 0;
  }
  return 0;
}

/* Ties: the first assignment. */
static sculpt_status try_all(struct session* s, const sculpt_map_query* query, double* best,
                             sculpt_error* error) {
  for (int64_t round = 1; next(query->graph, s->y); ++round) {
    if (round % 1024 == 0 && sculpt_is_cancelled(s->solver->host)) {
      return sculpt_fail(error, SCULPT_E_CANCELLED, "stopped");
    }
    (void)keep_better(s, query->graph, score(query->graph, query->theta, s->y), best);
  }
  return SCULPT_OK;
}

static sculpt_status climb(struct session* s, const sculpt_map_query* query, double* best,
                           sculpt_error* error) {
  const sculpt_factor_graph* const graph = query->graph;
  for (int is_better = 1; is_better;) {
    is_better = 0;
    for (int64_t v = 0; v < graph->variable_count; ++v) {
      if (sculpt_is_cancelled(s->solver->host))
        return sculpt_fail(error, SCULPT_E_CANCELLED, "stopped");
      for (s->y[v] = 0; s->y[v] < graph->states[v]; ++s->y[v]) {
        if (keep_better(s, graph, score(graph, query->theta, s->y), best)) is_better = 1;
      }
      s->y[v] = s->best[v];
    }
  }
  return SCULPT_OK;
}

static sculpt_status solve(void* session, const sculpt_map_query* query, sculpt_answer* answer,
                           sculpt_error* error) {
  struct session* const s = session;
  const sculpt_factor_graph* const graph = query->graph;
  const int64_t size = graph->variable_count;
  double assignments = 1;
  sculpt_status status = make_room(s, size, error);
  if (status != SCULPT_OK) return status;
  for (int64_t v = 0; v < size; ++v) assignments *= graph->states[v];
  if (assignments == 0) { /* a variable without states */
    answer->flags = SCULPT_ANSWER_NO_OUTPUT;
    return SCULPT_OK;
  }
  const int is_small = assignments <= (double)s->solver->exact_up_to;
  for (int64_t v = 0; v < size; ++v) {
    const double* const own = query->theta + graph->table[v];
    s->y[v] = 0;
    for (int32_t k = 1; !is_small && k < graph->states[v]; ++k) {
      if (own[k] > own[s->y[v]]) s->y[v] = k;
    }
    s->best[v] = s->y[v];
  }
  double best = score(graph, query->theta, s->y);
  status = is_small ? try_all(s, query, &best, error) : climb(s, query, &best, error);
  if (status != SCULPT_OK) return status;
  status = sculpt_resize_labels(&answer->labels, size);
  if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  if (size > 0) memcpy(answer->labels.data, s->best, (size_t)size * sizeof *s->best);
  answer->value = best;
  /* EXACT: nothing has a larger score. 0 is no promise. BOUND: nothing has a score above `bound`.
   */
  answer->flags = is_small ? SCULPT_ANSWER_EXACT : 0;
  return SCULPT_OK;
}

/* The sets of classes of graphs that it takes, SCULPT_GRAPH_BINARY and so on. 0: it takes all. */
static sculpt_status demands(const void* self, const uint32_t** out, int64_t* count,
                             sculpt_error* error) {
  static const uint32_t sets[] = {0};
  (void)self, (void)error;
  *out = sets;
  *count = 1;
  return SCULPT_OK;
}

/* --- Optional -----------------------------------------------------------------------------------
 * To write one, move it out of this block. Name its table in an `extension` of `life`, and its id
 * in a list `extensions` of `component` (see sculpt/plugin.h). */
#if 0
static sculpt_status seal(void* self, sculpt_error* error);
/* ext/cut.h: a relaxed answer, a point of the local polytope. */
static sculpt_status cut(void* session, const sculpt_map_query* query, double* mu, sculpt_cut* out,
                         sculpt_error* error);
static const sculpt_ext_map_cut cut_table = {cut};
/* The classes of graphs that only the frontier needs; the third function of `api`. */
static sculpt_status frontier_demands(const void* self, uint32_t* out, sculpt_error* error);
/* ext/frontier.h: the best score for each vector of counts. It makes every formulation exact. */
static sculpt_status begin_frontier(void* session, const sculpt_frontier_query* query,
                                    sculpt_frontier_shape* shape, sculpt_error* error);
static sculpt_status frontier_slice(void* session, int64_t first, double* scores,
                                    sculpt_error* error);
static sculpt_status frontier_output(void* session, const int64_t* counts, sculpt_label_buffer* out,
                                     sculpt_error* error);
static const sculpt_ext_frontier frontier_table = {begin_frontier, frontier_slice, frontier_output};
/* ext/expectation.h: log Z, E[z] and Cov[z] v. */
static sculpt_status mean(void* session, const sculpt_map_query* query, sculpt_log_z* log_z,
                          double* mu, sculpt_error* error);
static sculpt_status covariance_times(void* session, const sculpt_map_query* query,
                                      const double* direction, double* out, sculpt_error* error);
static const sculpt_ext_map_expectation expectation_table = {mean, covariance_times};
/* ext/k_best.h: the k best outputs. */
static sculpt_status begin_k_best(void* session, const sculpt_map_query* query,
                                  sculpt_error* error);
static sculpt_status next_best(void* session, sculpt_answer* answer, sculpt_error* error);
static const sculpt_ext_map_k_best k_best_table = {begin_k_best, next_best};
/* ext/sample.h: random outputs. */
static sculpt_status begin_sample(void* session, const sculpt_map_query* query, double* log_z,
                                  sculpt_error* error);
static sculpt_status draw(void* session, uint64_t seed, sculpt_label_buffer* out,
                          sculpt_error* error);
static const sculpt_ext_map_sample sample_table = {begin_sample, draw};
#endif

/* --- The catalogue -----------------------------------------------------------------------------*/

static const sculpt_parameter parameters[] = {
    {.type = SCULPT_PARAMETER_INT,
     .name = "exact_up_to",
     .fallback = "10000",
     .lower = 0,
     .upper = 1e9,
     .unit = "assignments",
     .summary = "tries all assignments if there are at most so many"}};
static const sculpt_life life = {.create = create,
                                 .destroy = free,
                                 .open_session = open_session,
                                 .close_session = close_session,
                                 .extension = sculpt_no_extension};
static const sculpt_map_solver_api api = {.demands = demands, .solve = solve};
static const sculpt_component component = {
    .struct_size = sizeof component,
    .kind = SCULPT_KIND_MAP_SOLVER,
    .id = "org.example.my_map_solver",
    .version = "1.0.0",
    .summary = "tries all assignments of small graphs, else climbs",
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof parameters[0],
    .life = &life,
    .api = &api};

/* `sculpt check` tests the library with these: with random graphs, and with both ways to search.
 * The examples are words of three sizes, two of them with equal inputs, and one without a truth.
 * No word of letters is empty. */
static const char* const experiments[] = {
    "{\"dataset\": {\"use\": \"letters\", \"train\": {\"text\": "
    "\"1 0 0 a 1 10\\n1 0 1 b 0 01\\n2 0 0 b 1 10\\n2 0 1 a 0 01\\n3 0 0 c 1 00\\n"
    "3 0 1 a 1 11\\n3 0 2 c 0 11\\n4 0 0 b 0 10\\n5 0 0 ? 1 10\\n5 0 1 ? 0 01\\n\"}},"
    " \"features\": \"chain\", \"loss\": \"hamming\", \"oracle\": \"my_map_solver\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 1}}",
    "{\"dataset\": {\"use\": \"letters\", \"train\": {\"text\": "
    "\"1 0 0 a 1 10\\n1 0 1 b 0 01\\n2 0 0 b 1 10\\n2 0 1 a 0 01\\n3 0 0 c 1 00\\n"
    "3 0 1 a 1 11\\n3 0 2 c 0 11\\n4 0 0 b 0 10\\n5 0 0 ? 1 10\\n5 0 1 ? 0 01\\n\"}},"
    " \"features\": \"chain\", \"loss\": \"hamming\","
    " \"oracle\": {\"use\": \"my_map_solver\", \"exact_up_to\": 0},"
    " \"solver\": {\"use\": \"n_slack\", \"C\": 1}}"};
static const sculpt_component* const components[] = {&component};
static const sculpt_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .name = "my_map_solver",
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
