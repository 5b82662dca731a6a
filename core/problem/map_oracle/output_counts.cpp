#include "problem/map_oracle/output_counts.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/text/message_text.hpp"

namespace sculpt::core {

namespace {

// As in answer_check.hpp: the possible error of a sum in single precision.
constexpr double single_precision_error = 1e-6;

bool is_assignment_of(const sculpt_factor_graph& graph, sculpt_labels y) {
  if (y.size != graph.variable_count) return false;
  for (std::int64_t v = 0; v < y.size; ++v) {
    if (y.data[v] < 0 || y.data[v] >= graph.states[v]) return false;
  }
  return true;
}

[[noreturn]] void refuse_loss(const Component& loss, std::int64_t example,
                              const CountedOutput& output) {
  loss.refuse(Exit::plugin, example,
              "the loss of an output with " + counts_text(output.names, output.counts) + " is " +
                  number_text(output.loss, 10) + ", but its loss of these counts is " +
                  number_text(output.loss_of_counts, 10) + "; the two must be equal");
}

}  // namespace

bool differ(const CountedOutput& output) {
  const double rounding =
      terms_of_loss(1, std::max(output.loss, output.loss_of_counts), output.labels).rounding();
  return std::abs(output.loss - output.loss_of_counts) >
         single_precision_error * (output.loss + output.loss_of_counts) + rounding;
}

void require_counts(const Component& oracle, const Component& loss, std::int64_t example,
                    const CountedOutput& output) {
  if (output.actual && *output.actual != output.counts) {
    oracle.refuse(Exit::plugin, example,
                  "the output it gives for " + counts_text(output.names, output.counts) + " has " +
                      counts_text(output.names, *output.actual));
  }
  if (!differ(output)) return;
  if (output.actual) refuse_loss(loss, example, output);
  oracle.refuse(Exit::plugin, example,
                "the output it gives for " + counts_text(output.names, output.counts) +
                    " has the loss " + number_text(output.loss, 10) +
                    ", but the loss of these counts is " + number_text(output.loss_of_counts, 10) +
                    ". Either the output has other counts, or " + loss.name() +
                    " gives the output and its counts different losses");
}

std::unique_ptr<OutputCounts> OutputCounts::if_possible(Features& features, Loss& loss,
                                                        int threads) {
  if (!features.offers_factor_graph()) return nullptr;
  std::optional<FactorCounts> counts = FactorCounts::if_offered(loss);
  if (!counts) return nullptr;
  return std::unique_ptr<OutputCounts>(new OutputCounts(features, std::move(*counts), threads));
}

OutputCounts::OutputCounts(Features& features, FactorCounts factor_counts, int threads)
    : features_(features.component()),
      graphs_(features_, threads),
      factor_counts_(std::move(factor_counts)),
      sessions_(features_, threads),
      tables_(static_cast<std::size_t>(threads)) {}

std::optional<Counts> OutputCounts::of(int worker, std::int64_t example, sculpt_labels truth,
                                       sculpt_labels y) {
  const sculpt_factor_graph& graph = graphs_.of(worker, sessions_.for_worker(worker), example);
  const bool has_counts =
      factor_counts_.demands().is_met_by(graph.classes) && is_assignment_of(graph, y);
  if (!has_counts) return std::nullopt;
  CountTables& tables = tables_[static_cast<std::size_t>(worker)];
  factor_counts_.fill(worker, example, truth, graph, tables);
  return factor_counts_.counts_of(graph, tables, y.data);
}

void OutputCounts::require_loss_of_counts(int worker, std::int64_t example, sculpt_labels truth,
                                          sculpt_labels y, double loss) {
  const std::optional<Counts> actual = of(worker, example, truth, y);
  if (!actual) return;
  CountedOutput output = {counts(), *actual, actual, loss};
  output.loss_of_counts = factor_counts_.count_loss().value(worker, example, truth, *actual);
  output.labels = static_cast<double>(truth.size);
  if (differ(output)) refuse_loss(factor_counts_.count_loss().loss().component(), example, output);
}

}  // namespace sculpt::core
