/* my_task.h - what the files of this plugin share. */
#ifndef MY_TASK_H
#define MY_TASK_H
#include <sculpt/c_plugin.h>

struct sequence {
  int64_t size;
  int32_t* y; /* [size], -1: unknown */
  double* x;  /* [size][width] */
  int is_labelled;
};

struct split {
  char* name;
  int64_t begin, end;
};

/* The dataset. The other components find it in bind(). */
struct task {
  const sculpt_host* host;
  int32_t labels, jump;
  int64_t width; /* inputs of a position; learned from the training data */
  int is_restored, is_learning;
  struct sequence* sequences;
  int64_t count, capacity;
  struct split* splits;
  int64_t split_count;
};

static inline sculpt_status my_task_no_memory(sculpt_error* error) {
  return sculpt_fail(error, SCULPT_E_MEMORY, "out of memory");
}

/* Features, loss and oracle: each knows the dataset. */
struct part {
  const struct task* task;
};

/* The first weight of a label, and the weight of a step from one label to another. */
static inline int64_t my_task_input(const struct task* task, int64_t label) {
  return label * task->width;
}
static inline int64_t my_task_step(const struct task* task, int64_t first, int64_t second) {
  return my_task_input(task, task->labels) + first * task->labels + second;
}

/* create() and bind() of features, loss and oracle. */
sculpt_status my_task_create(const sculpt_host*, const sculpt_value*, void** self, sculpt_error*);
sculpt_status my_task_bind(void* self, const sculpt_bindings*, sculpt_error*);

extern const sculpt_component my_task_dataset;                /* my_task_data.c */
extern const sculpt_component my_task_features, my_task_loss; /* my_task.c */
extern const sculpt_component my_task_oracle;                 /* my_task_oracle.c */

#endif
