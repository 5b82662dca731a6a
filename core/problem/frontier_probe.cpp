#include "problem/frontier_probe.hpp"

#include <algorithm>
#include <set>

#include "base/infinity.hpp"

namespace sculpt::core {

namespace {

constexpr std::int64_t max_entries = 4096;
// Chains compute a frontier in entries * labels steps, so more would take noticeable time.
constexpr std::int64_t max_steps = 65536;
constexpr std::size_t max_outputs = 64;
constexpr std::size_t max_sizes = 64;

// True if reading all slices takes little time, for a truth with this many labels.
bool is_small(const Frontier::Shape& shape, std::int64_t labels) {
  if (shape.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return false;
  const std::int64_t most = std::min(max_entries, max_steps / std::max<std::int64_t>(labels, 1));
  return shape.size[0] <= most / shape.size[1];
}

}  // namespace

void FrontierProbe::run(int worker, const sculpt_query& query, const ThrowIfStopped& poll) const {
  const Frontier::Shape& shape = oracle_.begin_frontier(worker, query);
  const std::int64_t slices = is_small(shape, query.truth.size) ? shape.size[0] : 0;
  std::vector<Counts> entries;
  std::vector<double> scores;
  for (std::int64_t first = 0; first < slices; ++first) {
    poll();
    oracle_.frontier_slice(worker, first, scores);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      if (scores[k] == -infinity) continue;
      entries.push_back({first, static_cast<std::int64_t>(k)});
    }
  }
  // From the last entry on: the outputs with the largest counts are those that others miss.
  const std::size_t step = (entries.size() + max_outputs - 1) / max_outputs;
  Answer answer;
  for (std::size_t k = entries.size(); k > 0; k -= std::min(k, step)) {
    check_entry(worker, query, entries[k - 1], answer);
  }
  oracle_.end_frontier(worker);
}

void FrontierProbe::check_entry(int worker, const sculpt_query& query, const Counts& entry,
                                Answer& answer) const {
  const std::int64_t example = query.example;
  oracle_.frontier_output(worker, example, entry, answer);
  const sculpt_labels y = answer.labels();
  CountedOutput output = {oracle_.count_loss().counts(), entry};
  output.loss_of_counts = oracle_.count_loss().value(worker, example, query.truth, entry);
  output.loss = loss_.value(worker, example, query.truth, y);
  output.labels = static_cast<double>(query.truth.size);
  if (counts_ != nullptr) output.actual = counts_->of(worker, example, query.truth, y);
  require_counts(oracle_.component(), loss_.component(), example, output);
}

std::vector<std::uint8_t> one_example_of_each_size(const Dataset& dataset,
                                                   const ExampleList& examples) {
  std::vector<std::uint8_t> chosen(static_cast<std::size_t>(examples.size()), 0);
  std::set<std::int64_t> sizes;
  for (std::int64_t k = 0; k < examples.size() && sizes.size() < max_sizes; ++k) {
    const std::int64_t size = dataset.truth(examples[k]).size;
    chosen[static_cast<std::size_t>(k)] = sizes.insert(size).second ? 1 : 0;
  }
  return chosen;
}

}  // namespace sculpt::core
