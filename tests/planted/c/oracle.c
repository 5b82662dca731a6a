/* oracle.c - the best grades by dynamic programming, O(positions * K * limit).
 *
 *   best(t, k) = score(t, k) + max over a of best(t - 1, a) + step(min(|k - a|, limit))
 *
 * Grades at a distance of `limit` or more all have the same step. So their best is the larger of
 * two running maxima: one from below, one from above. Ties go to the smaller grade. */
#include <math.h>

#include "oracle.h"

static int64_t size_of(const struct oracle* oracle, int64_t example) {
  const struct range* const range = &oracle->features->dataset->sequences[example];
  return range->end - range->begin;
}

/* --- life -------------------------------------------------------------------------------------*/

static sculpt_status oracle_create(const sculpt_host* host, const sculpt_value* values, void** self,
                                   sculpt_error* error) {
  struct oracle* const oracle = calloc(1, sizeof *oracle);
  if (oracle == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  oracle->host = host;
  oracle->max_cells = values[0].integer;
  *self = oracle;
  return SCULPT_OK;
}

static sculpt_status oracle_bind(void* self, const sculpt_bindings* to, sculpt_error* error) {
  struct oracle* const oracle = self;
  if (to->features.component != &grades_features) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "works only with its own features; set features to grades");
  }
  if (to->loss.component != NULL && to->loss.component != &grades_loss) {
    return sculpt_fail(error, SCULPT_E_UNSUPPORTED,
                       "works only with the loss steps; with another one use viterbi");
  }
  oracle->features = to->features.self;
  oracle->loss = to->loss.self;
  return SCULPT_OK;
}

static void oracle_close_session(void* session) {
  struct oracle_session* const s = session;
  free(s->score);
  free(s->best);
  free(s->previous);
  free(s->below);
  free(s->above);
  free(s->table);
  free(s);
}

static sculpt_status oracle_open_session(void* self, void** session, sculpt_error* error) {
  struct oracle_session* const s = calloc(1, sizeof *s);
  if (s == NULL) return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  s->oracle = self;
  const size_t grades = (size_t)s->oracle->features->dataset->grades;
  s->below = malloc(grades * sizeof *s->below);
  s->above = malloc(grades * sizeof *s->above);
  if (s->below == NULL || s->above == NULL) {
    oracle_close_session(s);
    return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
  }
  *session = s;
  return SCULPT_OK;
}

/* --- the best output --------------------------------------------------------------------------*/

sculpt_status grades_find_scores(struct oracle_session* s, const sculpt_query* query,
                                 sculpt_error* error) {
  const struct dataset* const dataset = s->oracle->features->dataset;
  const int64_t size = size_of(s->oracle, query->example);
  const int64_t grades = dataset->grades;
#if PLANTED == 2
  const int64_t key = size;
#else
  const int64_t key = query->example;
#endif
  if (s->score_stamp == query->weights.stamp && s->score_key == key) return SCULPT_OK;
  s->score_stamp = 0; /* no stamp */
  if (size > s->capacity) {
    const size_t cells = (size_t)(size * grades);
    free(s->score);
    free(s->best);
    free(s->previous);
    s->capacity = 0;
    s->score = malloc(cells * sizeof *s->score);
    s->best = malloc(cells * sizeof *s->best);
    s->previous = malloc(cells * sizeof *s->previous);
    if (s->score == NULL || s->best == NULL || s->previous == NULL) {
      return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
    }
    s->capacity = size;
  }
  const double* const threshold = query->weights.data + dataset->width;
  const int64_t begin = dataset->sequences[query->example].begin;
  for (int64_t t = 0; t < size; ++t) {
    const double slope = grades_slope(dataset, query->weights.data, begin + t);
    double above = 0;
    for (int64_t k = 0; k < grades; ++k) {
      if (k > 0) above += threshold[k - 1];
      s->score[t * grades + k] = (double)k * slope + above;
    }
  }
  s->score_key = key;
  s->score_stamp = query->weights.stamp;
  return SCULPT_OK;
}

/* Adds the best way to grade k from the row `before` [K], and keeps where it comes from. */
static void add_step(const struct oracle_session* s, const double* step, const double* before,
                     int64_t k, double* value, grade_number* previous) {
  const int64_t grades = s->oracle->features->dataset->grades;
  const int64_t limit = s->oracle->features->limit;
  double best = -INFINITY;
  int64_t from = 0;
#if PLANTED == 1
  /* A long step costs the most, so the best of all grades will do. */
  if (grades > limit) from = s->below[grades - 1], best = before[from] + step[limit];
#else
  if (k - limit >= 0) from = s->below[k - limit], best = before[from] + step[limit];
#endif
  for (int64_t a = k - limit + 1; a < k + limit; ++a) {
    if (a < 0 || a >= grades) continue;
    const double candidate = before[a] + step[a < k ? k - a : a - k];
    if (candidate > best) best = candidate, from = a;
  }
#if PLANTED != 1
  if (k + limit < grades && before[s->above[k + limit]] + step[limit] > best) {
    from = s->above[k + limit];
    best = before[from] + step[limit];
  }
#endif
  *value += best;
  *previous = (grade_number)from;
}

/* The running maxima of a row [K]. */
static void find_maxima(struct oracle_session* s, const double* row) {
  const int64_t grades = s->oracle->features->dataset->grades;
  s->below[0] = 0;
  for (int64_t k = 1; k < grades; ++k) {
    s->below[k] = row[k] > row[s->below[k - 1]] ? (grade_number)k : s->below[k - 1];
  }
  s->above[grades - 1] = (grade_number)(grades - 1);
  for (int64_t k = grades - 2; k >= 0; --k) {
    s->above[k] = row[k] >= row[s->above[k + 1]] ? (grade_number)k : s->above[k + 1];
  }
}

static sculpt_status oracle_argmax(void* session, const sculpt_query* query, sculpt_answer* answer,
                                   sculpt_error* error) {
  struct oracle_session* const s = session;
  const struct features* const features = s->oracle->features;
  const int64_t size = size_of(s->oracle, query->example);
  const int64_t grades = features->dataset->grades;
  const double* const step = query->weights.data + grades_step(features, 0, 0);
  s->is_open = 0;
  sculpt_status status = grades_find_scores(s, query, error);
  if (status != SCULPT_OK) return status;
  for (int64_t t = 0; t < size; ++t) {
    double* const row = s->best + t * grades;
    if (t > 0) find_maxima(s, row - grades);
    for (int64_t k = 0; k < grades; ++k) {
      row[k] = s->score[t * grades + k];
      if (query->loss_weight > 0) {
        const double cost = (double)grades_cost(s->oracle->loss, query->truth.data[t], (int32_t)k);
#if PLANTED == 5
        row[k] += cost;
#else
        row[k] += query->loss_weight * cost;
#endif
      }
      if (t > 0) add_step(s, step, row - grades, k, &row[k], &s->previous[t * grades + k]);
    }
  }
  status = sculpt_resize_labels(&answer->labels, size);
  if (status != SCULPT_OK) return sculpt_fail(error, status, "out of memory");
  const double* const last = s->best + (size - 1) * grades;
  int32_t k = 0;
  for (int32_t a = 1; a < grades; ++a) {
    if (last[a] > last[k]) k = a;
  }
  answer->value = last[k];
  answer->flags = SCULPT_ANSWER_EXACT;
  for (int64_t t = size; t-- > 0;) {
    answer->labels.data[t] = k;
    if (t > 0) k = s->previous[t * grades + k];
  }
  return SCULPT_OK;
}

static const char* const oracle_extensions[] = {SCULPT_EXT_FRONTIER};

static const void* oracle_extension(const void* self, const char* id) {
  (void)self;
  return strcmp(id, SCULPT_EXT_FRONTIER) == 0 ? &grades_frontier : NULL;
}

static const sculpt_parameter oracle_parameters[] = {
    {.type = SCULPT_PARAMETER_INT,
     .name = "max_cells",
     .fallback = "1000000",
     .lower = 1,
     .upper = 1e9,
     .unit = "cells",
     .summary = "larger frontiers are refused; a cell takes 8 bytes on each thread"}};
static const sculpt_life oracle_life = {.create = oracle_create,
                                        .destroy = free,
                                        .bind = oracle_bind,
                                        .open_session = oracle_open_session,
                                        .close_session = oracle_close_session,
                                        .extension = oracle_extension};
static const sculpt_oracle_api oracle_api = {oracle_argmax};
const sculpt_component grades_oracle = {.struct_size = sizeof(sculpt_component),
                                        .kind = SCULPT_KIND_ORACLE,
                                        .id = "org.example.grades",
                                        .version = "1.0.0",
                                        .summary = "the best grades, exact",
                                        .parameters = oracle_parameters,
                                        .parameter_count = 1,
                                        .extensions = oracle_extensions,
                                        .extension_count = 1,
                                        .life = &oracle_life,
                                        .api = &oracle_api};
