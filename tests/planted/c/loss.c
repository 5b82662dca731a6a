/* loss.c - the absolute error of ordinal regression, limited for each position.
 *
 *   Delta(y, y') = sum over t of min(|y_t - y'_t|, cap) = the count "steps"
 *
 * Works with all outputs of one label a position. */
#include <sculpt/ext/metrics.h>

#include "grades.h"

int64_t grades_cost(const struct loss* loss, int32_t truth, int32_t guess) {
  const int64_t steps = truth < guess ? (int64_t)guess - truth : (int64_t)truth - guess;
  if (truth < 0) return 0; /* unobserved */
  return steps < loss->cap ? steps : loss->cap;
}

static sculpt_status loss_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                 sculpt_error* error) {
  (void)host;
  struct loss* const loss = calloc(1, sizeof *loss);
  if (loss == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  loss->cap = values[0].integer;
  loss->count.name = "steps";
  loss->count.limit = INT64_MAX;
  *self = loss;
  return SCULPT_OK;
}

static sculpt_status loss_loss(void* session, int64_t example, sculpt_labels truth,
                               sculpt_labels guess, double* out, sculpt_error* error) {
  int64_t steps = 0;
  (void)example;
  if (truth.size != guess.size) {
    return sculpt_fail(error, SCULPT_E_INVALID, "the guess has another length than the truth");
  }
  for (int64_t t = 0; t < truth.size; ++t) {
    steps += grades_cost(session, truth.data[t], guess.data[t]);
  }
  *out = (double)steps;
  return SCULPT_OK;
}

/* --- counts -----------------------------------------------------------------------------------*/

static sculpt_status loss_counts(const void* self, const sculpt_count** counts, int64_t* count,
                                 sculpt_error* error) {
  const struct loss* const loss = self;
  (void)error;
  *counts = &loss->count;
  *count = 1;
  return SCULPT_OK;
}

static sculpt_status loss_value(void* session, int64_t example, sculpt_labels truth,
                                const int64_t* counts, double* out, sculpt_error* error) {
  (void)session, (void)example, (void)truth, (void)error;
  *out = (double)counts[0];
  return SCULPT_OK;
}

static sculpt_status loss_slopes(void* session, int64_t example, sculpt_labels truth,
                                 double* constant, double* slope, sculpt_error* error) {
  (void)session, (void)example, (void)truth, (void)error;
  *constant = 0;
  slope[0] = 1;
  return SCULPT_OK;
}

/* --- factor graphs ----------------------------------------------------------------------------*/

static sculpt_status loss_demands(const void* self, uint32_t* out, sculpt_error* error) {
  (void)self, (void)error;
  *out = 0;
  return SCULPT_OK;
}

static sculpt_status check_size(const sculpt_factor_graph* graph, sculpt_labels truth,
                                sculpt_error* error) {
  if (graph->variable_count == truth.size) return SCULPT_OK;
  return sculpt_fail(error, SCULPT_E_INVALID, "the graph has another length than the truth");
}

static sculpt_status loss_add(void* session, int64_t example, const sculpt_factor_graph* graph,
                              sculpt_labels truth, double scale, double* theta, double* constant,
                              sculpt_error* error) {
  (void)example, (void)constant;
  const sculpt_status status = check_size(graph, truth, error);
  if (status != SCULPT_OK) return status;
  for (int64_t v = 0; v < graph->variable_count; ++v) {
    for (int32_t k = 0; k < graph->states[v]; ++k) {
      theta[graph->table[v] + k] += scale * (double)grades_cost(session, truth.data[v], k);
    }
  }
  return SCULPT_OK;
}

static sculpt_status loss_add_counts(void* session, int64_t example,
                                     const sculpt_factor_graph* graph, sculpt_labels truth,
                                     int32_t* const* tables, sculpt_error* error) {
  (void)example;
  const sculpt_status status = check_size(graph, truth, error);
  if (status != SCULPT_OK) return status;
  for (int64_t v = 0; v < graph->variable_count; ++v) {
    for (int32_t k = 0; k < graph->states[v]; ++k) {
      tables[0][graph->table[v] + k] += (int32_t)grades_cost(session, truth.data[v], k);
    }
  }
  return SCULPT_OK;
}

/* --- metrics ----------------------------------------------------------------------------------*/

enum { sum_positions, sum_right, sum_near, sum_count };

static const sculpt_metric metrics[] = {
    {"accuracy", "share of positions with the right grade", SCULPT_METRIC_HIGHER_IS_BETTER, 0},
    {"within_one", "share of positions at most one grade off", SCULPT_METRIC_HIGHER_IS_BETTER, 0}};

static sculpt_status metrics_list(const void* self, const sculpt_metric** out, int64_t* count,
                                  int64_t* sums, sculpt_error* error) {
  (void)self, (void)error;
  *out = metrics;
  *count = 2;
  *sums = sum_count;
  return SCULPT_OK;
}

static sculpt_status metrics_add(void* session, int64_t example, sculpt_labels truth,
                                 sculpt_labels guess, double* sums, sculpt_error* error) {
  (void)session, (void)example, (void)error;
  for (int64_t t = 0; t < truth.size; ++t) {
    if (truth.data[t] < 0) continue;
    sums[sum_positions] += 1;
    if (guess.data == NULL) continue; /* entirely wrong */
    const int32_t off = truth.data[t] - guess.data[t];
    sums[sum_right] += off == 0 ? 1 : 0;
    sums[sum_near] += off >= -1 && off <= 1 ? 1 : 0;
  }
  return SCULPT_OK;
}

static sculpt_status metrics_finish(const void* self, const double* sums, double* values,
                                    sculpt_error* error) {
  (void)self, (void)error;
  values[0] = sums[sum_right] / sums[sum_positions]; /* 0 / 0 is the NaN of an undefined metric */
  values[1] = sums[sum_near] / sums[sum_positions];
  return SCULPT_OK;
}

static const sculpt_ext_count_loss count_table = {loss_counts, loss_value, loss_slopes};
static const sculpt_ext_factor_loss factor_table = {loss_demands, loss_add};
static const sculpt_ext_factor_counts factor_counts_table = {loss_demands, loss_add_counts};
static const sculpt_ext_metrics metrics_table = {metrics_list, metrics_add, metrics_finish};
static const char* const loss_extensions[] = {SCULPT_EXT_COUNT_LOSS, SCULPT_EXT_FACTOR_LOSS,
                                              SCULPT_EXT_FACTOR_COUNTS, SCULPT_EXT_METRICS};

static const void* loss_extension(const void* self, const char* id) {
  (void)self;
  if (strcmp(id, SCULPT_EXT_COUNT_LOSS) == 0) return &count_table;
  if (strcmp(id, SCULPT_EXT_FACTOR_LOSS) == 0) return &factor_table;
  if (strcmp(id, SCULPT_EXT_FACTOR_COUNTS) == 0) return &factor_counts_table;
  if (strcmp(id, SCULPT_EXT_METRICS) == 0) return &metrics_table;
  return NULL;
}

static const sculpt_parameter loss_parameters[] = {
    {.type = SCULPT_PARAMETER_INT,
     .name = "cap",
     .fallback = "1000",
     .lower = 1,
     .upper = 1000,
     .unit = "grades",
     .summary = "a position that is further off counts as this"}};
static const sculpt_life loss_life = {
    .create = loss_create, .destroy = free, .extension = loss_extension};
static const sculpt_loss_api loss_api = {loss_loss};
const sculpt_component grades_loss = {.struct_size = sizeof(sculpt_component),
                                      .kind = SCULPT_KIND_LOSS,
                                      .id = "org.example.steps",
                                      .version = "1.0.0",
                                      .summary = "grades between guess and truth",
                                      .parameters = loss_parameters,
                                      .parameter_count = 1,
                                      .extensions = loss_extensions,
                                      .extension_count = 4,
                                      .life = &loss_life,
                                      .api = &loss_api};
