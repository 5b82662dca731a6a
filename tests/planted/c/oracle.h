/* oracle.h - the session of the oracle, for its two files. */
#ifndef ORACLE_H
#define ORACLE_H
#include <sculpt/ext/frontier.h>

#include "grades.h"

#if PLANTED == 6
typedef int8_t grade_number;
#else
typedef int16_t grade_number;
#endif

struct oracle {
  const sculpt_host* host;
  const struct features* features;
  const struct loss* loss; /* NULL in prediction */
  int64_t max_cells;
};

struct oracle_session {
  const struct oracle* oracle;
  int64_t capacity;       /* positions */
  double* score;          /* [positions][K] of score_key at the weights with this stamp */
  double* best;           /* [positions][K] */
  grade_number* previous; /* [positions][K] */
  grade_number* below;    /* [K] the best grade up to this one */
  grade_number* above;    /* [K] the best grade from this one on */
  int64_t score_key;
  uint64_t score_stamp;
  /* The frontier: the best score of the positions up to t, the last one k, with c steps. */
  int is_open, is_solved;
  sculpt_query query;
  int64_t count_size; /* C */
  double* table;      /* [positions][K][C] */
  int64_t table_capacity;
};

/* Fills s->score for the query, without a loss, unless it is there already. */
sculpt_status grades_find_scores(struct oracle_session* s, const sculpt_query* query,
                                 sculpt_error* error);

extern const sculpt_ext_frontier grades_frontier; /* frontier.c */

#endif
