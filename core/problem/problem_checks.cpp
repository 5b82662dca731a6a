// The checks of the data before training: truths, their shapes and features, frontiers.

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/text/message_text.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/frontier_probe.hpp"
#include "problem/plugin/oracle_seed.hpp"
#include "problem/plugin/read_only_weights.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {
namespace {

// Runs a task over [0, count), or over the part of this rank if there are ranks. `step`: a literal.
void run_divided(Ranks* ranks, Workers& workers, const char* step, std::int64_t count,
                 const Workers::RangeTask& task) {
  if (ranks == nullptr) return workers.run_ranges(count, Workers::range_size(count), task);
  const std::int64_t first = begin_of_part(count, ranks->count(), ranks->rank());
  const std::int64_t own = begin_of_part(count, ranks->count(), ranks->rank() + 1) - first;
  ranks->together(step, [&] {
    workers.run_ranges(own, Workers::range_size(own),
                       [&](std::int64_t begin, std::int64_t end, int worker) {
                         task(first + begin, first + end, worker);
                       });
  });
}

}  // namespace

// Called before features and loss use labels as indices. In other splits, losses skip a -1.
void Problem::require_whole_truth(std::int64_t example) const {
  const sculpt_labels truth = dataset_->truth(example);
  if (truth.data == nullptr) {
    dataset_->refuse(Exit::data, example,
                     "unlabelled; every example of the split \"train\" needs a true output: "
                     "add it, or remove the example");
  }
  const std::int32_t* const unknown = std::find_if(truth.data, truth.data + truth.size,
                                                   [](std::int32_t label) { return label < 0; });
  if (unknown == truth.data + truth.size) return;
  dataset_->refuse(Exit::data, example,
                   "label " + std::to_string(unknown - truth.data + 1) +
                       " of its truth is unknown (" + std::to_string(*unknown) +
                       "); training needs complete truths: "
                       "remove the example from the split \"train\"");
}

// Called before the loss and the oracle use labels as indices. Truths may have labels of -1.
void Problem::check_truth_shapes() {
  const std::int64_t count = dataset_->count();
  if (!output_shapes_->is_known() || count == 0) return;
  dataset_->begin_keeping();
  const auto check = [&](std::int64_t begin, std::int64_t end, int worker) {
    services_->throw_if_cancelled();
    for (std::int64_t example = begin; example < end; ++example) {
      const sculpt_labels truth = dataset_->truth(example);
      dataset_->keep_truth(example, truth);
      const std::string fault = output_shapes_->fault_of_truth(worker, example, truth);
      if (!fault.empty()) dataset_->refuse(Exit::data, example, "its truth " + fault);
    }
  };
  run_divided(ranks_of_checks(), *workers_, "the shapes of the truths", count, check);
}

void Problem::check_truths() {
  const std::int64_t max_bytes =
      std::min(TruthVectors::usual_max_bytes, max_memory_ / part_of_memory_for_truths);
  if (!services_->is_guarded()) truths_ = TruthVectors(dataset_->count(), max_bytes);
  dataset_->begin_keeping();
  std::deque<SparseAccumulator> scratch;  // per worker; a deque keeps addresses
  for (int worker = 0; worker < workers_->threads(); ++worker) scratch.emplace_back(dimension_);
  const auto check = [&](std::int64_t begin, std::int64_t end, int worker) {
    services_->throw_if_cancelled();
    for (std::int64_t k = begin; k < end; ++k) {
      check_truth(worker, training_[k], scratch[static_cast<std::size_t>(worker)]);
    }
  };
  run_divided(ranks_of_checks(), *workers_, "the features of the truths", training_.size(), check);
}

// Before training, a value in psi(x, y) of a truth that is not finite is reported as an error of
// the data (Exit::data). The input is the most likely cause.
void Problem::check_truth(int worker, std::int64_t example, SparseAccumulator& scratch) {
  const sculpt_labels truth = dataset_->truth(example);
  dataset_->keep_truth(example, truth);
  FeatureSum vector;
  features_->vector(worker, example, truth, Exit::data, scratch, vector.psi);
  require_magnitudes(example, vector.psi);
  vector.cancelling = scratch.cancelling(vector.psi);
  truths_.store(example, vector);
  const double loss = loss_->value(worker, example, truth, truth);
  if (loss != 0) {
    loss_component_->refuse(
        Exit::plugin, example,
        "the loss of the truth against itself is " + number_text(loss) + "; it must be 0");
  }
}

// Checks the values that the features compute. The rows of the data were checked before.
void Problem::require_magnitudes(std::int64_t example, const SparseVector& psi) const {
  for (std::size_t k = 0; k < psi.value.size(); ++k) {
    const double magnitude = std::abs(psi.value[k]);
    if (magnitude <= max_feature_magnitude) continue;
    std::string name = features_->weight_name(psi.index[k]);
    if (name.empty()) name = std::to_string(psi.index[k]);
    refuse_magnitude(*dataset_, example, magnitude, "the weight " + name, remedy_in_training);
  }
}

// Refuses frontiers that are too large now, not after hours of training. Begins a frontier query
// for every example, but reads slices only to compare the loss with that of its counts: one example
// of each size, or all under --guard.
void Problem::check_frontiers() {
  ReadOnlyWeights zero(dimension_);  // few oracles read it, and pages not read take no memory
  zero.close();
  const sculpt_weights w{zero.values().data(), dimension_, next_stamp()};
  const FrontierProbe probe(*oracle_, *loss_, output_counts_.get());
  const std::vector<std::uint8_t> is_probed = one_example_of_each_size(*dataset_, training_);
  const ThrowIfStopped poll = [this] { services_->throw_if_cancelled(); };
  const auto check = [&](std::int64_t begin, std::int64_t end, int worker) {
    for (std::int64_t k = begin; k < end; ++k) {
      poll();
      sculpt_query query = {};
      query.struct_size = sizeof query;
      query.example = training_[k];
      query.truth = dataset_->truth(query.example);
      query.weights = w;
      oracle_->require_frontier_fits(worker, query);
      const bool is_guarded = services_->is_guarded();
      if (is_guarded || is_probed[static_cast<std::size_t>(k)] != 0) probe.run(worker, query, poll);
    }
  };
  workers_->run_ranges(training_.size(), Workers::range_size(training_.size()), check);
}

}  // namespace sculpt::core
