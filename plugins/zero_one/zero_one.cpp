// zero_one.cpp - Delta(truth, guess) = 0 if they are equal, else 1.
//
// Entries of the truth that are -1 (unobserved) equal every label. The loss splits over factors
// only if there is one variable. It is always a function of one count, 0 or 1 errors, so it works
// with every map_solver that has a frontier.
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/cpp/metric_means.hpp>
#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class ZeroOne {
 public:
  static constexpr sculpt::About about{"org.sculpt.zero_one", "1.1.0",
                                       "1 if the output differs from the truth, else 0"};
  static constexpr sculpt_count counts[] = {sculpt::counted("errors", 1)};
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better(
      "error", "share of the examples whose output differs from the truth")};
  static constexpr std::int64_t sum_count = sculpt::sums_of_means(std::size(metrics));
  static constexpr const char* experiments[] = {R"({
    "name": "zero_one_two_classes",
    "dataset": {"use": "svmlight", "train": {"text": "+1 1:1\n-1 1:-1 2:1\n+1 1:0.5 2:1\n"}},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})"};

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    if (!guess.known() || truth.size() != guess.size()) return 1;  // no output is entirely wrong
    for (std::size_t v = 0; v < truth.size(); ++v) {
      if (sculpt::is_wrong_label(truth[v], guess[v])) return 1;
    }
    return 0;
  }

  // For graphs of any size whose variables are the labels.
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    return counts[0] > 0 ? 1 : 0;
  }
  void add_factor_counts(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                         std::span<std::int32_t* const> tables) const {
    sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell) { tables[0][cell] += 1; });
  }

  std::uint32_t factor_demands() const { return SCULPT_GRAPH_SINGLE; }

  // l(k) = 1 for every state k but the truth.
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    if (graph.variable_count != 1 || truth.count() != 1 || truth[0] >= graph.states[0]) {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "splits over one variable with one label, but this graph has " +
                              std::to_string(graph.variable_count) + " variables and the truth " +
                              std::to_string(truth.count()) +
                              " labels; use a map_solver with a frontier");
    }
    sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell) { theta[cell] += scale; });
  }

  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    sculpt::add_to_mean(sums, 0, loss(truth, guess));
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    sculpt::finish_means(sums, values);
  }
};

}  // namespace

SCULPT_PLUGIN("zero_one", "1.1.0", "Apache-2.0", sculpt::Loss<ZeroOne>)
