/* grades.h - what the files of this plugin share. grades.c has the catalogue.
 *
 * Visits of one patient, one review after the other, and the like: a sequence of positions, each
 * with some inputs x_t and an ordered grade y_t in 0 .. K-1. */
#ifndef GRADES_H
#define GRADES_H
#include <sculpt/c_plugin.h>
#include <sculpt/ext/count_loss.h>

/* The number of the fault that is switched on; see ../LIST.md. 0: none. */
#ifndef PLANTED
#define PLANTED 0
#endif

/* A part of the positions, or of the sequences: [begin, end). */
struct range {
  int64_t begin, end;
};

struct split {
  char* name;
  struct range sequences;
};

struct dataset {
  const sculpt_host* host;
  int32_t grades; /* K */
  int64_t width;  /* inputs of a position; 0 before the first line of "train" */
  double* x;      /* [positions][width] */
  int32_t* y;     /* [positions], -1: unlabelled */
  int64_t position_count, x_capacity, y_capacity;
  struct range* sequences; /* [sequence_count] positions */
  int64_t sequence_count, sequence_capacity;
  struct split* splits; /* [split_count] */
  int64_t split_count;
};

/* Weights: [width] slope of each input, [K - 1] thresholds, [limit + 1] steps between neighbours.
 */
struct features {
  const struct dataset* dataset;
  int64_t limit; /* larger steps count as this */
  void* shared;  /* used by one of the faults */
};

struct loss {
  int64_t cap;
  sculpt_count count;
};

extern const sculpt_component grades_dataset;
extern const sculpt_component grades_features;
extern const sculpt_component grades_loss;
extern const sculpt_component grades_oracle;

/* The sum over the inputs of a position, <slope, x_t>. */
double grades_slope(const struct dataset* dataset, const double* w, int64_t position);

/* The weight of a step between neighbours. */
int64_t grades_step(const struct features* features, int32_t a, int32_t b);

/* Delta of one position. */
int64_t grades_cost(const struct loss* loss, int32_t truth, int32_t guess);

#endif
