#include "command/reports/probability_lines.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "command/reports/marginal_printer.hpp"
#include "command/reports/required_probabilities.hpp"
#include "launch/console.hpp"
#include "problem/prediction/example_window.hpp"

namespace sculpt::core {
namespace {

void print_scored(LoadedModel& model, std::int64_t example, const char* word,
                  const std::vector<ScoredOutput>& outputs) {
  if (outputs.empty()) data_out() << "# no output\n";
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const ScoredOutput& one = outputs[k];
    data_out() << "# " << word << ' ' << std::to_string(k + 1) << " score "
               << exact_number_text(one.score);
    if (!std::isnan(one.log_probability)) {
      data_out() << " probability " << exact_number_text(std::exp(one.log_probability));
    }
    data_out() << '\n' << model.problem().dataset().format(example, one.output.raw()) << '\n';
  }
}

}  // namespace

void warn_if_approximate(const LoadedModel& model, const Probabilities& probabilities) {
  if (probabilities.are_exact() || !model.is_first_part()) return;
  Console().warn(Probabilities::approximate_text);
}

void print_k_best(LoadedModel& model, Probabilities& probabilities, std::int64_t count) {
  require_k_best(probabilities);
  for_each_in_order<std::vector<ScoredOutput>>(
      model.problem(), ExampleList(model.examples()),
      [&](int worker, std::int64_t example, std::vector<ScoredOutput>& out) {
        probabilities.find_k_best(worker, example, count, out);
      },
      [&](std::int64_t example, const std::vector<ScoredOutput>& outputs) {
        print_scored(model, example, "rank", outputs);
      });
  warn_if_approximate(model, probabilities);
}

void print_draws(LoadedModel& model, Probabilities& probabilities, std::int64_t count,
                 std::uint64_t seed) {
  require_draws(probabilities, "--sample");
  for_each_in_order<std::vector<ScoredOutput>>(
      model.problem(), ExampleList(model.examples()),
      [&](int worker, std::int64_t example, std::vector<ScoredOutput>& out) {
        probabilities.draw(worker, example, count, seed, out);
      },
      [&](std::int64_t example, const std::vector<ScoredOutput>& outputs) {
        print_scored(model, example, "draw", outputs);
      });
}

bool print_marginals(LoadedModel& model, Probabilities& probabilities, bool names_labels) {
  require_marginals(probabilities, "--marginals");
  MarginalPrinter printer(model.problem().dataset(), data_out(), names_labels);
  for_each_in_order<Marginals>(
      model.problem(), ExampleList(model.examples()),
      [&](int worker, std::int64_t example, Marginals& out) {
        probabilities.find_marginals(worker, example, out);
      },
      [&](std::int64_t example, const Marginals& marginals) { printer.print(example, marginals); });
  warn_if_approximate(model, probabilities);
  return printer.has_begun();
}

}  // namespace sculpt::core
