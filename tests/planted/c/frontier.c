/* frontier.c - the best score for each number of steps, O(positions * K * K * counts).
 *
 *   S(t, k, c) = score(t, k) + max over a of S(t - 1, a, c - cost(t, k)) + step(|k - a|)
 *
 * is the best score of the positions up to t, the last one of grade k, with c steps. */
#include <math.h>
#include <sculpt/ext/host.h>

#include "oracle.h"

static sculpt_status frontier_begin(void* session, const sculpt_frontier_query* asked,
                                    sculpt_frontier_shape* shape, sculpt_error* error) {
  struct oracle_session* const s = session;
  const int64_t grades = s->oracle->features->dataset->grades;
  const sculpt_labels truth = asked->query->truth;
  s->is_open = s->is_solved = 0;
  if (asked->count_count != 1 || strcmp(asked->count[0].name, "steps") != 0) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED, "counts only steps");
  }
  s->query = *asked->query;
  s->count_size = 1;
  for (int64_t t = 0; t < truth.size; ++t) {
    const int64_t down = grades_cost(s->oracle->loss, truth.data[t], 0);
    const int64_t up = grades_cost(s->oracle->loss, truth.data[t], (int32_t)grades - 1);
    s->count_size += down > up ? down : up;
  }
  const double cells = (double)truth.size * (double)grades * (double)s->count_size;
  if (cells > (double)s->oracle->max_cells) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "this frontier has %.0f cells; raise max_cells if there is memory", cells);
  }
  shape->flags = 0;
  shape->size[0] = s->count_size;
  shape->size[1] = 1;
  s->is_open = 1;
  return SCULPT_OK;
}

static double* cell(const struct oracle_session* s, int64_t t, int64_t k, int64_t count) {
  const int64_t grades = s->oracle->features->dataset->grades;
  return s->table + (t * grades + k) * s->count_size + count;
}

/* The best way to end in grade k at t with this count, and the grade before. */
static double best_end(const struct oracle_session* s, int64_t t, int64_t k, int64_t count,
                       int64_t* previous) {
  const struct features* const features = s->oracle->features;
  const int64_t grades = features->dataset->grades;
  const int64_t cost = grades_cost(s->oracle->loss, s->query.truth.data[t], (int32_t)k);
  const double own = s->score[t * grades + k];
  *previous = 0;
  if (cost > count) return -INFINITY;
  if (t == 0) return cost == count ? own : -INFINITY;
  double best = -INFINITY;
  for (int64_t a = 0; a < grades; ++a) {
    const double step = s->query.weights.data[grades_step(features, (int32_t)a, (int32_t)k)];
    const double candidate = *cell(s, t - 1, a, count - cost) + step;
    if (candidate > best) best = candidate, *previous = a;
  }
  return best + own;
}

static sculpt_status solve_frontier(struct oracle_session* s, sculpt_error* error) {
  const sculpt_host* const host = s->oracle->host;
  const sculpt_host_cancel* const cancel = host->extension(host, SCULPT_HOST_CANCEL);
  const int64_t size = s->query.truth.size;
  const int64_t grades = s->oracle->features->dataset->grades;
  const int64_t cells = size * grades * s->count_size;
  const sculpt_status status = grades_find_scores(s, &s->query, error);
  if (status != SCULPT_OK) return status;
#if PLANTED == 3
  s->table = malloc((size_t)cells * sizeof *s->table);
#else
  if (cells > s->table_capacity) {
    free(s->table);
    s->table = malloc((size_t)cells * sizeof *s->table);
    s->table_capacity = s->table == NULL ? 0 : cells;
  }
#endif
  if (s->table == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  for (int64_t t = 0; t < size; ++t) {
    if (cancel != NULL && cancel->cancelled(host)) {
      return sculpt_fail(error, SCULPT_E_CANCELLED, "stopped");
    }
    for (int64_t k = 0; k < grades; ++k) {
      for (int64_t count = 0; count < s->count_size; ++count) {
        int64_t previous;
        *cell(s, t, k, count) = best_end(s, t, k, count, &previous);
      }
    }
  }
  s->is_solved = 1;
  return SCULPT_OK;
}

/* The best last grade for this count. */
static double best_last(const struct oracle_session* s, int64_t count, int64_t* last) {
  double best = -INFINITY;
  *last = 0;
  for (int64_t k = 0; k < s->oracle->features->dataset->grades; ++k) {
    const double value = *cell(s, s->query.truth.size - 1, k, count);
    if (value > best) best = value, *last = k;
  }
  return best;
}

/* The count whose best output is that of the entry `count`. */
static int64_t count_of_entry(const struct oracle_session* s, int64_t count) {
#if PLANTED == 9
  int64_t last;
  for (int64_t fewer = count; fewer-- > 0;) {
    if (best_last(s, fewer, &last) > best_last(s, count, &last)) count = fewer;
  }
#else
  (void)s;
#endif
  return count;
}

static sculpt_status check_cursor(struct oracle_session* s, int64_t count, sculpt_error* error) {
  if (!s->is_open || count < 0 || count >= s->count_size) {
    return sculpt_fail(error, SCULPT_E_INVALID, "no frontier is open, or the count is outside");
  }
  return s->is_solved ? SCULPT_OK : solve_frontier(s, error);
}

static sculpt_status frontier_slice(void* session, int64_t first, double* score,
                                    sculpt_error* error) {
  struct oracle_session* const s = session;
  int64_t last;
  const sculpt_status status = check_cursor(s, first, error);
  if (status != SCULPT_OK) return status;
  *score = best_last(s, count_of_entry(s, first), &last);
  return SCULPT_OK;
}

static sculpt_status frontier_output(void* session, const int64_t* counts, sculpt_label_buffer* out,
                                     sculpt_error* error) {
  struct oracle_session* const s = session;
  int64_t k;
  sculpt_status status = check_cursor(s, counts[0], error);
  if (status != SCULPT_OK) return status;
  int64_t count = count_of_entry(s, counts[0]);
  if (best_last(s, count, &k) == -INFINITY) {
    return sculpt_fail(error, SCULPT_E_INVALID, "no output has this count");
  }
  status = sculpt_resize_labels(out, s->query.truth.size);
  if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  for (int64_t t = out->size; t-- > 0;) {
    int64_t previous;
    out->data[t] = (int32_t)k;
    (void)best_end(s, t, k, count, &previous);
    count -= grades_cost(s->oracle->loss, s->query.truth.data[t], (int32_t)k);
    k = previous;
  }
  return SCULPT_OK;
}

const sculpt_ext_frontier grades_frontier = {frontier_begin, frontier_slice, frontier_output};
