/* train.c - gradient steps on the scores of two sequences, as a network would take them. */
#include <sculpt/host/batch.h>
#include <stdio.h>

enum { LABELS = 3, POSITIONS = 5 };

static int fail(sculpt_failure* failure) {
  fprintf(stderr, "%s%s\n", sculpt_failure_text(failure), sculpt_failure_advice(failure));
  return sculpt_failure_exit(failure);
}

int main(int argc, char** argv) {
  const int64_t lengths[2] = {3, 2};
  const int32_t truths[POSITIONS] = {0, 1, 1, 2, 0};
  double emissions[POSITIONS * LABELS] = {0}, transitions[LABELS * LABELS] = {0};
  double of_emissions[POSITIONS * LABELS], of_transitions[LABELS * LABELS], values[2];
  sculpt_batch_options options = {0};
  sculpt_batch_input input = {0};
  sculpt_batch_output output = {0};
  sculpt_failure* failure;
  sculpt_batch* batch;
  sculpt_batch_graphs* graphs;
  int step, k;

  options.struct_size = sizeof options;
  options.map_solver = "viterbi";
  options.plugin_path = (const char* const*)argv + 1;
  options.plugin_path_count = argc - 1;
  if (sculpt_batch_open(&options, &batch, &failure)) return fail(failure);
  if (sculpt_batch_chains(2, lengths, LABELS, SCULPT_BATCH_SHARED_TABLE, &graphs, &failure)) {
    return fail(failure);
  }
  input.struct_size = sizeof input;
  input.unary = emissions;
  input.unary_size = POSITIONS * LABELS;
  input.shared = transitions;
  input.shared_size = LABELS * LABELS;
  input.truths = truths;
  input.truth_size = POSITIONS;
  output.struct_size = sizeof output;
  output.values = values;
  output.unary = of_emissions;
  output.shared = of_transitions;
  for (step = 0; step <= 100; ++step) {
    if (sculpt_batch_loss(batch, graphs, SCULPT_BATCH_LOG_LOSS, &input, &output, &failure)) {
      return fail(failure);
    }
    if (step % 50 == 0) printf("step %3d  loss %.4f\n", step, values[0] + values[1]);
    for (k = 0; k < POSITIONS * LABELS; ++k) emissions[k] -= 0.5 * of_emissions[k];
    for (k = 0; k < LABELS * LABELS; ++k) transitions[k] -= 0.5 * of_transitions[k];
  }
  sculpt_batch_graphs_free(graphs);
  sculpt_batch_free(batch);
  return 0;
}
