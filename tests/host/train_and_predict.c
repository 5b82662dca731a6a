/* Trains on four points and predicts them. */

#include <math.h>
#include <sculpt/host/host.h>
#include <stdio.h>
#include <string.h>

static const char experiment[] =
    "{\"dataset\": {\"use\": \"svmlight\", \"train\": {\"text\": \"1 1:1\\n2 2:1\\n2 2:2\\n1 "
    "1:3\\n\"}},"
    " \"features\": \"multiclass\", \"loss\": \"zero_one\", \"oracle\": \"enumerate\","
    " \"solver\": {\"use\": \"n_slack\", \"C\": 10}}";

static double last_gap = 1;

static void remember_gap(void* user, const sculpt_pass* pass) {
  (void)user;
  last_gap = pass->relative_gap;
}

/* Prints the failure. Returns 1, an exit code. */
static int fail(sculpt_failure* failure) {
  fprintf(stderr, "%s%s\n", sculpt_failure_text(failure), sculpt_failure_advice(failure));
  sculpt_failure_free(failure);
  return 1;
}

int main(void) {
  const char* const changes[] = {"solver.relative_gap=1e-6"};
  const char text[] = "1 1:1\n2 2:1\n2 2:2\n1 1:3\n";
  sculpt_failure* failure = NULL;
  sculpt_session* session = NULL;
  sculpt_model* model = NULL;
  sculpt_examples* examples = NULL;
  sculpt_training_options options;
  sculpt_examples_source source;
  sculpt_predict_options choices;
  sculpt_outputs outputs;
  int64_t k;

  if (sculpt_session_open(NULL, &session, &failure) != SCULPT_EXIT_REACHED) return fail(failure);

  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.json = experiment;
  options.set = changes;
  options.set_count = 1;
  options.pass_done = remember_gap;
  if (sculpt_train(session, &options, &model, &failure) != SCULPT_EXIT_REACHED) {
    return fail(failure);
  }
  printf("reached, gap %s 1e-06\n", last_gap <= 1e-6 ? "below" : "above");

  memset(&source, 0, sizeof source);
  source.struct_size = sizeof source;
  source.text = text;
  source.text_size = (int64_t)strlen(text);
  if (sculpt_examples_read(session, model, &source, &examples, &failure) != SCULPT_EXIT_REACHED) {
    return fail(failure);
  }
  memset(&choices, 0, sizeof choices);
  choices.struct_size = sizeof choices;
  choices.has_text = 1;
  memset(&outputs, 0, sizeof outputs);
  outputs.struct_size = sizeof outputs;
  if (sculpt_predict(examples, &choices, &outputs, &failure) != SCULPT_EXIT_REACHED) {
    return fail(failure);
  }
  for (k = 0; k < outputs.example_count; ++k) {
    printf("%s%s", outputs.text[outputs.first_output[k]],
           k + 1 < outputs.example_count ? " " : "\n");
  }

  sculpt_examples_free(examples);
  sculpt_model_free(model);
  sculpt_session_free(session);
  return 0;
}
