// sculpt predict: the outputs of a model on new data, as the dataset writes them, or the scores
// that they are decided by.

#include <iostream>

#include "command/command.hpp"
#include "command/loaded_model.hpp"
#include "message_text.hpp"
#include "problem/scores.hpp"
#include "problem/seed.hpp"

namespace sculpt::core {
namespace {

void print_outputs(LoadedModel& model) {
  const Dataset& dataset = model.problem().dataset();
  model.predictor().run(model.examples(), [&](std::int64_t example, const Prediction& guess) {
    std::cout << (guess.no_output ? std::string() : dataset.format(example, guess.raw())) << '\n';
  });
}

// A line for each row; above them, where there are several columns, "#" and what these are.
void print_scores(LoadedModel& model) {
  Scores scores(model.problem().features().component());
  if (scores.columns() > 1) {
    std::cout << '#';
    for (const std::string& name : scores.names()) std::cout << ' ' << printable(name);
    std::cout << '\n';
  }
  const sculpt_weights w{model.weights().data(), model.problem().dimension(), next_stamp()};
  const Range examples = model.examples();
  for (std::int64_t example = examples.begin; example < examples.end; ++example) {
    model.problem().services().throw_if_cancelled();
    std::size_t column = 0;
    for (const double score : scores.of(example, w)) {
      const bool is_last = ++column == scores.columns();
      std::cout << exact_number_text(score) << (is_last ? '\n' : ' ');
      if (is_last) column = 0;
    }
  }
}

}  // namespace

Exit predict(const Arguments& arguments) {
  CommandLine line("predict", {"MODEL", "DATA"});
  line.add()("scores", "print the scores that outputs are decided by in place of these");
  const std::unique_ptr<LoadedModel> model = load_model(line, arguments);
  if (!model) return Exit::reached;
  if (line.has("scores")) {
    print_scores(*model);
  } else {
    print_outputs(*model);
  }
  return Exit::reached;
}

}  // namespace sculpt::core
