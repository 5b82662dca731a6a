/* my_task_oracle.c - the best labels by dynamic programming, exact.
 *
 *   best(t, k) = score(t, k) + loss_weight [truth_t != k]
 *              + max over a with |a - k| <= jump of  best(t - 1, a) + step(a, k) */
#include <sculpt/ext/batch_argmax.h>
#include <sculpt/ext/complete.h>
#include <sculpt/ext/cut.h>
#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/expectation.h>
#include <sculpt/ext/frontier.h>
#include <sculpt/ext/k_best.h>
#include <sculpt/ext/sample.h>

#include "my_task.h"

/* What a thread needs for itself. */
struct session {
  const struct task* task;
  double* best;    /* [capacity][labels] the best value up to t, if position t has this label */
  int32_t* before; /* [capacity][labels] the label in front of it */
  int64_t capacity;
};

static sculpt_status open_session(void* self, void** session, sculpt_error* error) {
  struct session* const s = calloc(1, sizeof *s);
  if (s == NULL) return my_task_no_memory(error);
  s->task = ((const struct part*)self)->task;
  *session = s;
  return SCULPT_OK;
}

static void close_session(void* session) {
  struct session* const s = session;
  free(s->best);
  free(s->before);
  free(s);
}

static sculpt_status make_room(struct session* s, int64_t size, sculpt_error* error) {
  const size_t cells = (size_t)size * (size_t)s->task->labels;
  if (size <= s->capacity) return SCULPT_OK;
  free(s->best);
  free(s->before);
  s->best = malloc(cells * sizeof *s->best);
  s->before = malloc(cells * sizeof *s->before);
  s->capacity = s->best != NULL && s->before != NULL ? size : 0;
  return s->capacity > 0 ? SCULPT_OK : my_task_no_memory(error);
}

/* The value of label k at position t, and the best way to it. */
static void fill_cell(struct session* s, const sculpt_query* query, int64_t t, int32_t k) {
  const struct task* const task = s->task;
  const double* const w = query->weights.data;
  const double* const x = task->sequences[query->example].x + t * task->width;
  const double* const row = t > 0 ? s->best + (t - 1) * task->labels : NULL;
  double value = 0, step = 0;
  int32_t from = -1;
  for (int64_t j = 0; j < task->width; ++j) value += w[my_task_input(task, k) + j] * x[j];
  /* Delta counts only if loss_weight says so. Without a truth loss_weight is 0. */
  if (query->loss_weight > 0 && query->truth.data[t] != k) value += query->loss_weight;
  for (int32_t a = t > 0 ? 0 : task->labels; a < task->labels; ++a) {
    if (a < k - task->jump || a > k + task->jump) continue;
    const double candidate = row[a] + w[my_task_step(task, a, k)];
    if (from < 0 || candidate > step) step = candidate, from = a;
  }
  s->best[t * task->labels + k] = value + step;
  s->before[t * task->labels + k] = from;
}

static int is_output(const struct task* task, sculpt_labels y) {
  for (int64_t t = 1; t < y.size; ++t) {
    if (y.data[t - 1] - y.data[t] > task->jump || y.data[t] - y.data[t - 1] > task->jump) return 0;
  }
  return 1;
}

static sculpt_status argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                            sculpt_error* error) {
  struct session* const s = session;
  const struct task* const task = s->task;
  const int64_t size = task->sequences[query->example].size;
  sculpt_status status = make_room(s, size, error);
  if (status != SCULPT_OK) return status;
  for (int64_t t = 0; t < size; ++t) {
    for (int32_t k = 0; k < task->labels; ++k) fill_cell(s, query, t, k);
  }
  status = sculpt_resize_labels(&answer->labels, size);
  if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  int32_t k = 0;
  answer->value = 0;
  if (size > 0) {
    const double* const last = s->best + (size - 1) * task->labels;
    for (int32_t a = 1; a < task->labels; ++a) k = last[a] > last[k] ? a : k;
    answer->value = last[k];
  }
  for (int64_t t = size; t-- > 0; k = s->before[t * task->labels + k]) answer->labels.data[t] = k;
  /* EXACT: nothing has a larger value. 0 is no promise. BOUND: nothing has a value above `bound`.
   */
  answer->flags = SCULPT_ANSWER_EXACT;
  if (query->truth.data != NULL && !is_output(task, query->truth)) {
    answer->flags |= SCULPT_ANSWER_TRUTH_OUTSIDE;
  }
  return SCULPT_OK;
}

/* Moves to the next output; the last label changes fastest. Returns 0 after the last one. The first
 * output is all 0. */
static int next_output(const struct task* task, int32_t* y, int64_t size) {
  for (int64_t t = size; t-- > 0;) {
    ++y[t];
    if (y[t] >= task->labels || (t > 0 && y[t] > y[t - 1] + task->jump)) continue;
    /* The smallest labels that may follow. */
    for (int64_t u = t + 1; u < size; ++u) {
      y[u] = y[u - 1] > task->jump ? y[u - 1] - task->jump : 0;
    }
    return 1;
  }
  return 0;
}

/* All outputs, so that `sculpt check` can compare answers with them. It visits none if there are
 * more than `limit`. */
static sculpt_status enumerate(void* session, int64_t example, int64_t limit, sculpt_visit visit,
                               void* context, int64_t* count, sculpt_error* error) {
  const struct task* const task = ((struct session*)session)->task;
  const int64_t size = task->sequences[example].size;
  int32_t* const y = calloc((size_t)size + 1, sizeof *y);
  if (y == NULL) return my_task_no_memory(error);
  *count = 1;
  while (*count <= limit && next_output(task, y, size)) ++*count;
  sculpt_status status = SCULPT_OK;
  if (*count <= limit) {
    memset(y, 0, (size_t)size * sizeof *y);
    do {
      const sculpt_labels output = {y, size};
      status = visit(context, output);
    } while (status == SCULPT_OK && next_output(task, y, size));
  }
  free(y);
  return status == SCULPT_OK ? SCULPT_OK : sculpt_fail(error, status, "was ended by the host");
}

static const sculpt_ext_enumerate enumerate_table = {enumerate};

/* --- Optional -----------------------------------------------------------------------------------
 * To write one, move it out of this block. Name its table in `extension`, and its id in
 * `extensions`. */
#if 0
static sculpt_status seal(void* self, sculpt_error* error);
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

static const void* extension(const void* self, const char* id) {
  (void)self;
  return strcmp(id, SCULPT_EXT_ENUMERATE) == 0 ? &enumerate_table : NULL;
}
static const char* const extensions[] = {SCULPT_EXT_ENUMERATE};
static const sculpt_life life = {.create = my_task_create,
                                 .destroy = free,
                                 .bind = my_task_bind,
                                 .open_session = open_session,
                                 .close_session = close_session,
                                 .extension = extension};
static const sculpt_oracle_api api = {argmax};
const sculpt_component my_task_oracle = {
    .struct_size = sizeof my_task_oracle,
    .kind = SCULPT_KIND_ORACLE,
    .id = "org.example.my_task",
    .version = "1.0.0",
    .summary = "the best labels, exact",
    .extensions = extensions,
    .extension_count = sizeof extensions / sizeof extensions[0],
    .life = &life,
    .api = &api};
