/* my_task.c - labels along a sequence: features, loss and the catalogue.
 *
 *   psi(x, y) = sum over t of      x_t in the block of y_t        [labels][width]
 *             + sum over t > 0 of  e(y_t-1, y_t)                  [labels][labels]
 *   Delta(y, y') = the number of positions with another label
 *   Y = the sequences whose neighbours differ by at most `jump`
 *
 * my_task_data.c is the dataset, my_task_oracle.c the oracle. README.md says more. To make it your
 * own, change one part after the other, and let `sculpt check` test it each time. */
#include <sculpt/ext/count_loss.h>
#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/factor_graph.h>
#include <sculpt/ext/groups.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/names.h>
#include <sculpt/ext/output_shape.h>
#include <sculpt/ext/row_blocks.h>
#include <sculpt/ext/scores.h>
#include <sculpt/ext/weight_bounds.h>

#include "my_task.h"

sculpt_status my_task_create(const sculpt_host* host, const sculpt_value* values, void** self,
                             sculpt_error* error) {
  (void)host, (void)values;
  *self = calloc(1, sizeof(struct part));
  return *self != NULL ? SCULPT_OK : my_task_no_memory(error);
}

/* Keeps the dataset. Refuses components that it does not know. In prediction there is no loss. */
sculpt_status my_task_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct part* const part = self;
  const int is_own =
      to->dataset.component == &my_task_dataset &&
      (to->features.component == NULL || to->features.component == &my_task_features) &&
      (to->loss.component == NULL || to->loss.component == &my_task_loss);
  if (!is_own) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "works only with its own dataset, features and loss; set them to my_task");
  }
  part->task = to->dataset.self;
  return SCULPT_OK;
}

/* --- Features ----------------------------------------------------------------------------------*/

static sculpt_status features_dimension(const void* self, int64_t* out, sculpt_error* error) {
  const struct task* const task = ((const struct part*)self)->task;
  (void)error;
  *out = my_task_step(task, task->labels, 0);
  return SCULPT_OK;
}

/* A trap: the host also asks for psi of a truth that is none of the outputs. So psi must exist for
 * every output of the shape below. */
static sculpt_status features_accumulate(void* session, int64_t example, sculpt_labels y,
                                         double scale, sculpt_accumulator* sum,
                                         sculpt_error* error) {
  const struct task* const task = ((const struct part*)session)->task;
  const double* const x = task->sequences[example].x;
  sculpt_status status = SCULPT_OK;
  for (int64_t t = 0; t < y.size && status == SCULPT_OK; ++t) {
    for (int64_t k = 0; k < task->width && status == SCULPT_OK; ++k) {
      const int64_t j = my_task_input(task, y.data[t]) + k;
      status = sculpt_add(sum, (int32_t)j, scale * x[t * task->width + k]);
    }
    if (t > 0 && status == SCULPT_OK) {
      status = sculpt_add(sum, (int32_t)my_task_step(task, y.data[t - 1], y.data[t]), scale);
    }
  }
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "out of memory");
}

/* The host refuses answers and truths of another shape. Set SCULPT_SHAPE_COMPLETE if every array of
 * the shape is an output. */
static sculpt_status features_shape(const void* self, int64_t example, sculpt_output_shape* out,
                                    sculpt_error* error) {
  const struct task* const task = ((const struct part*)self)->task;
  (void)error;
  out->min_size = out->max_size = task->sequences[example].size;
  out->state_count = task->labels;
  return SCULPT_OK;
}

/* --- Loss --------------------------------------------------------------------------------------*/

static sculpt_status loss_loss(void* session, int64_t example, sculpt_labels truth,
                               sculpt_labels guess, double* out, sculpt_error* error) {
  (void)session, (void)example, (void)error;
  *out = 0;
  for (int64_t t = 0; t < truth.size; ++t) *out += truth.data[t] != guess.data[t] ? 1 : 0;
  return SCULPT_OK;
}

static const sculpt_ext_output_shape shape_table = {features_shape};

/* --- Optional -----------------------------------------------------------------------------------
 * To write one, move it out of this block. Name its table in `features_extension`, and its id in
 * `features_extensions`; for a loss give it an `extension` of its own. */
#if 0
/* ext/names.h: what a weight means. */
static sculpt_status weight_name(const void* self, int64_t weight, sculpt_byte_buffer* out,
                                 sculpt_error* error);
static const sculpt_ext_names names_table = {weight_name};
/* ext/weight_bounds.h: 1 for weights that must not be negative. */
static sculpt_status weight_bounds(const void* self, uint8_t* nonnegative, sculpt_error* error);
static const sculpt_ext_weight_bounds weight_bounds_table = {weight_bounds};
/* ext/groups.h: the weights that form one multinomial, for generative training. */
static sculpt_status weight_groups(const void* self, int32_t* group, sculpt_error* error);
static const sculpt_ext_groups groups_table = {weight_groups};
/* ext/factor_graph.h: a factor graph, for every map_solver. */
static sculpt_status factor_classes(const void* self, uint32_t* out, sculpt_error* error);
static sculpt_status factor_graph(void* session, int64_t example, const sculpt_factor_graph** out,
                                  sculpt_error* error);
static sculpt_status potentials(void* session, int64_t example, sculpt_weights w, double* theta,
                                sculpt_error* error);
static sculpt_status pullback(void* session, int64_t example, const double* mu, double scale,
                              sculpt_accumulator* sum, sculpt_error* error);
static const sculpt_ext_factor_graph graph_table = {factor_classes, factor_graph, potentials,
                                                    pullback};
/* ext/scores.h: decision values, for `sculpt predict --scores`. */
static sculpt_status score_columns(const void* self, int64_t* columns, sculpt_error* error);
static sculpt_status score_name(const void* self, int64_t column, sculpt_byte_buffer* out,
                                sculpt_error* error);
static sculpt_status score_rows(const void* self, int64_t example, int64_t* rows,
                                sculpt_error* error);
static sculpt_status write_scores(const void* self, int64_t example, sculpt_weights w,
                                  double* scores, sculpt_error* error);
static sculpt_status score_rule(const void* self, uint32_t* rule, sculpt_error* error);
static const sculpt_ext_scores scores_table = {score_columns, score_name, score_rows, write_scores,
                                               score_rule};
/* ext/count_loss.h: Delta as a function of counts, for oracles with a frontier and, by cells, for
 * map_solvers. */
static sculpt_status list_counts(const void* self, const sculpt_count** out, int64_t* count,
                                 sculpt_error* error);
static sculpt_status loss_of_counts(void* session, int64_t example, sculpt_labels truth,
                                    const int64_t* counts, double* out, sculpt_error* error);
static sculpt_status count_slopes(void* session, int64_t example, sculpt_labels truth,
                                  double* constant, double* slope, sculpt_error* error);
static sculpt_status demands(const void* self, uint32_t* out, sculpt_error* error);
static sculpt_status add_factor_counts(void* session, int64_t example,
                                       const sculpt_factor_graph* graph, sculpt_labels truth,
                                       int32_t* const* tables, sculpt_error* error);
static const sculpt_ext_count_loss count_table = {list_counts, loss_of_counts, count_slopes};
static const sculpt_ext_factor_counts factor_counts_table = {demands, add_factor_counts};
/* ext/factor_graph.h: Delta as a sum over the cells of a factor graph, for map_solvers. */
static sculpt_status add_factor_loss(void* session, int64_t example,
                                     const sculpt_factor_graph* graph, sculpt_labels truth,
                                     double scale, double* theta, double* constant,
                                     sculpt_error* error);
static const sculpt_ext_factor_loss factor_table = {demands, add_factor_loss};
/* ext/metrics.h: metrics, made of sums over the examples. A guess with data NULL is all wrong. */
static sculpt_status metrics(const void* self, const sculpt_metric** out, int64_t* metric_count,
                             int64_t* sum_count, sculpt_error* error);
static sculpt_status add_metrics(void* session, int64_t example, sculpt_labels truth,
                                 sculpt_labels guess, double* sums, sculpt_error* error);
static sculpt_status finish_metrics(const void* self, const double* sums, double* values,
                                    sculpt_error* error);
static const sculpt_ext_metrics metrics_table = {metrics, add_metrics, finish_metrics};
/* Drafts, which may still change. ext/draft/column_scale.h: the column of the dataset that a
 * weight of the features multiplies, or -1. */
static sculpt_status weight_column(const void* self, int64_t weight, int64_t* feature,
                                   sculpt_error* error);
static const sculpt_ext_weight_column weight_column_table = {weight_column};
/* ext/row_blocks.h: where the weights of the dataset's rows are, for kernels. */
static sculpt_status row_blocks(const void* self, sculpt_row_blocks* out, sculpt_error* error);
static const sculpt_ext_row_blocks row_blocks_table = {row_blocks};
#endif

/* --- The catalogue -----------------------------------------------------------------------------*/

static const void* features_extension(const void* self, const char* id) {
  (void)self;
  return strcmp(id, SCULPT_EXT_OUTPUT_SHAPE) == 0 ? &shape_table : NULL;
}
static const char* const features_extensions[] = {SCULPT_EXT_OUTPUT_SHAPE};
static const sculpt_life features_life = {.create = my_task_create,
                                          .destroy = free,
                                          .bind = my_task_bind,
                                          .extension = features_extension};
static const sculpt_features_api features_api = {features_dimension, features_accumulate};
const sculpt_component my_task_features = {
    .struct_size = sizeof my_task_features,
    .kind = SCULPT_KIND_FEATURES,
    .id = "org.example.my_task",
    .version = "1.0.0",
    .summary = "inputs and steps of each label",
    .extensions = features_extensions,
    .extension_count = sizeof features_extensions / sizeof features_extensions[0],
    .life = &features_life,
    .api = &features_api};

static const sculpt_life loss_life = {.create = my_task_create,
                                      .destroy = free,
                                      .bind = my_task_bind,
                                      .extension = sculpt_no_extension};
static const sculpt_loss_api loss_api = {loss_loss};
const sculpt_component my_task_loss = {.struct_size = sizeof my_task_loss,
                                       .kind = SCULPT_KIND_LOSS,
                                       .id = "org.example.my_task",
                                       .version = "1.0.0",
                                       .summary = "the number of wrong labels",
                                       .life = &loss_life,
                                       .api = &loss_api};

/* `sculpt check` tests the library with these. They have an empty example, two of equal size, a
 * truth at each limit, and one outside: 0 2 with a jump of 1. */
static const char* const experiments[] = {
    "{\"dataset\": {\"use\": \"my_task\", \"train\": {\"text\": "
    "\"0:1,0.2 1:0,0.9 2:0.4,0\\n-\\n2:0.1,1 1:0.3,0.8 1:1,1\\n0:1,0.5\\n1:1,0.5\\n"
    "0:0.9,0 2:0,0.8\\n\"}},"
    " \"features\": \"my_task\", \"loss\": \"my_task\", \"oracle\": \"my_task\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10}}",
    "{\"dataset\": {\"use\": \"my_task\", \"labels\": 4, \"jump\": 3, \"train\": {\"text\": "
    "\"0:1 3:0.5 3:0.4 1:2\\n2:1.5 0:0.1\\n-\\n?:1 ?:0.5\\n\"}},"
    " \"features\": \"my_task\", \"loss\": \"my_task\", \"oracle\": \"my_task\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10}}"};
static const sculpt_component* const components[] = {&my_task_dataset, &my_task_features,
                                                     &my_task_loss, &my_task_oracle};
static const sculpt_plugin plugin = {
    .struct_size = sizeof plugin,
    .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .name = "my_task",
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
