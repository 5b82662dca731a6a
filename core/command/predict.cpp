// sculpt predict: the outputs of a model on new data, in the format of the dataset, or the decision
// values that they follow from.

#include <algorithm>

#include "base/current_activity.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/inputs/loaded_model.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/prediction/scores.hpp"

namespace sculpt::core {
namespace {

void print_outputs(LoadedModel& model) {
  const Dataset& dataset = model.problem().dataset();
  model.predictor().run(model.examples(), [&](std::int64_t example, const Prediction& guess) {
    data_out() << (guess.no_output ? std::string() : dataset.format(example, guess.raw())) << '\n';
  });
}

// Writes "New York" as New_York, because blanks separate columns.
std::string as_one_word(const std::string& name) {
  std::string word = printable(name);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

void print_rows(const std::vector<double>& scores, std::size_t columns) {
  for (std::size_t k = 0; k < scores.size(); ++k) {
    data_out() << exact_number_text(scores[k]) << ((k + 1) % columns == 0 ? '\n' : ' ');
  }
}

// Prints one line for each row. If there are several columns, a first line with "#" names them.
void print_scores(LoadedModel& model) {
  Problem& problem = model.problem();
  const Scores scores(problem.features().component());
  if (scores.columns() > 1) {
    data_out() << '#';
    for (const std::string& name : scores.names()) data_out() << ' ' << as_one_word(name);
    data_out() << '\n';
  }
  const sculpt_weights w{model.weights().data(), problem.dimension(), next_stamp()};
  constexpr std::int64_t window_size = 1024;  // number of examples with their scores in memory
  const Range examples = model.examples();
  std::vector<std::vector<double>> window;
  for (std::int64_t from = examples.begin; from < examples.end; from += window_size) {
    const std::int64_t size = std::min(window_size, examples.end - from);
    window.resize(static_cast<std::size_t>(size));
    problem.workers().run_ranges(size, Workers::range_size(size),
                                 [&](std::int64_t begin, std::int64_t end, int) {
                                   for (std::int64_t k = begin; k < end; ++k) {
                                     problem.services().throw_if_cancelled();
                                     scores.write(from + k, w, window[static_cast<std::size_t>(k)]);
                                   }
                                 });
    for (const std::vector<double>& values : window) print_rows(values, scores.columns());
  }
}

}  // namespace

Exit predict(const Arguments& arguments) {
  CommandLine line("predict", {"MODEL", "DATA"});
  line.add()("scores", "print decision values instead of outputs, one line for each row");
  const std::unique_ptr<LoadedModel> model = load_model(line, arguments);
  if (!model) return Exit::reached;
  current_activity = {"predicting"};
  if (line.has("scores")) {
    print_scores(*model);
  } else {
    print_outputs(*model);
  }
  return Exit::reached;
}

}  // namespace sculpt::core
