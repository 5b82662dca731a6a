#include "command/reports/probability_lines.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "launch/console.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/prediction/example_window.hpp"

namespace sculpt::core {
namespace {

void require(const std::string& obstacle) {
  if (!obstacle.empty()) throw Failure(Exit::config, obstacle);
}

void require_known(const Probabilities& probabilities, const char* option) {
  if (probabilities.are_known()) return;
  throw Failure(
      Exit::config,
      std::string(option) +
          ": this model was not trained on a log-loss, so its scores are no logarithms of "
          "probabilities; train with the solver crf, or use --nbest");
}

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

// True if the outputs are label sets: the dataset has as many labels for every example, each on or
// off.
bool are_label_sets(const DatasetRows& rows, const Marginals& marginals) {
  if (!rows.is_offered()) return false;
  const auto positions = static_cast<std::int64_t>(marginals.positions());
  if (rows.shape().variable_count != positions) return false;
  for (std::size_t v = 0; v < marginals.positions(); ++v) {
    if (marginals.row(v).size() != 2) return false;
  }
  return true;
}

void print_names(const std::vector<std::string>& names) {
  data_out() << '#';
  for (const std::string& name : names) data_out() << ' ' << as_one_word(name);
  data_out() << '\n';
}

// Prints the marginals of one example after the other.
class MarginalPrinter {
 public:
  explicit MarginalPrinter(const Dataset& dataset)
      : dataset_(dataset), rows_(dataset.component()) {}

  void print(std::int64_t example, const Marginals& marginals) {
    const std::size_t positions = marginals.positions();
    if (positions == 0) {
      if (ends_with_empty_line_) data_out() << '\n';
      return;
    }
    const bool sets = are_label_sets(rows_, marginals);
    if (!has_names_) {
      print_names(sets ? names_of_set(example, positions) : names_of(marginals.row(0).size()));
    }
    if (!has_names_) ends_with_empty_line_ = has_empty_line_after(example, marginals);
    has_names_ = true;
    for (std::size_t v = 0; v < positions; ++v) {
      const std::span<const double> row = marginals.row(v);
      for (std::size_t k = sets ? 1 : 0; k < row.size(); ++k) {
        const bool ends_line = sets ? v + 1 == positions : k + 1 == row.size();
        data_out() << exact_number_text(row[k]) << (ends_line ? '\n' : ' ');
      }
    }
    if (ends_with_empty_line_) data_out() << '\n';
  }

 private:
  // The names that the dataset has for labels, or their numbers.
  std::vector<std::string> names_of(std::size_t count) const {
    const bool are_named =
        rows_.is_offered() && rows_.shape().state_count == static_cast<std::int64_t>(count);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < count; ++k) {
      names.push_back(are_named ? rows_.state_name(static_cast<std::int32_t>(k))
                                : std::to_string(k));
    }
    return names;
  }
  // How the dataset writes the sets of one label.
  std::vector<std::string> names_of_set(std::int64_t example, std::size_t count) const {
    std::vector<std::string> names;
    for (std::size_t v = 0; v < count; ++v) {
      std::vector<std::int32_t> set(count, 0);
      set[v] = 1;
      names.push_back(
          dataset_.format(example, {set.data(), static_cast<std::int64_t>(set.size())}));
    }
    return names;
  }

  // True if predict prints an empty line after this example, which is a sentence then.
  bool has_empty_line_after(std::int64_t example, const Marginals& marginals) const {
    const Prediction guess = most_probable_labels(marginals);
    return dataset_.format(example, guess.raw()).ends_with('\n');
  }

  const Dataset& dataset_;
  DatasetRows rows_;
  bool has_names_ = false;
  bool ends_with_empty_line_ = false;
};

}  // namespace

std::string as_one_word(const std::string& name) {
  std::string word = printable(name);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

void require_marginals(const Probabilities& probabilities, const char* option) {
  require_known(probabilities, option);
  require(probabilities.obstacle_to_marginals());
}

void warn_if_approximate(const Probabilities& probabilities) {
  if (probabilities.are_exact()) return;
  Console().warn("log Z of this oracle is an approximation, and so are the probabilities");
}

void print_k_best(LoadedModel& model, Probabilities& probabilities, std::int64_t count) {
  require(probabilities.obstacle_to_k_best());
  if (probabilities.are_known()) require(probabilities.obstacle_to_log_z());
  for_each_in_order<std::vector<ScoredOutput>>(
      model.problem(), ExampleList(model.examples()),
      [&](int worker, std::int64_t example, std::vector<ScoredOutput>& out) {
        probabilities.find_k_best(worker, example, count, out);
      },
      [&](std::int64_t example, const std::vector<ScoredOutput>& outputs) {
        print_scored(model, example, "rank", outputs);
      });
  warn_if_approximate(probabilities);
}

void print_draws(LoadedModel& model, Probabilities& probabilities, std::int64_t count,
                 std::uint64_t seed) {
  require_known(probabilities, "--sample");
  require(probabilities.obstacle_to_draws());
  for_each_in_order<std::vector<ScoredOutput>>(
      model.problem(), ExampleList(model.examples()),
      [&](int worker, std::int64_t example, std::vector<ScoredOutput>& out) {
        probabilities.draw(worker, example, count, seed, out);
      },
      [&](std::int64_t example, const std::vector<ScoredOutput>& outputs) {
        print_scored(model, example, "draw", outputs);
      });
}

void print_marginals(LoadedModel& model, Probabilities& probabilities) {
  require_marginals(probabilities, "--marginals");
  MarginalPrinter printer(model.problem().dataset());
  for_each_in_order<Marginals>(
      model.problem(), ExampleList(model.examples()),
      [&](int worker, std::int64_t example, Marginals& out) {
        probabilities.find_marginals(worker, example, out);
      },
      [&](std::int64_t example, const Marginals& marginals) { printer.print(example, marginals); });
  warn_if_approximate(probabilities);
}

}  // namespace sculpt::core
