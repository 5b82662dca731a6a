// The examples of a Problem: read from their sources or mapped from a cache, and divided into those
// of training and those held out.
#include <utility>

#include "problem/components/dataset_rows.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

const char* Problem::remedy(Purpose purpose) {
  return purpose == Purpose::prediction ? remedy_in_prediction : remedy_in_training;
}

void Problem::find_cache(const ProblemSpec& spec, Purpose purpose) {
  cached_ = find_or_make(*spec.cache, {spec.dataset, spec.sources, remedy(purpose), spec.storage},
                         *services_, ranks_);
}

// What a cache holds was checked when it was made.
void Problem::load_examples(const ProblemSpec& spec, Purpose purpose) {
  if (cached_) {
    cached_->read_into(*dataset_component_);
    return bind_and_seal(*dataset_component_, {});
  }
  for (const SplitSource& source : spec.sources) {
    services_->throw_if_cancelled();
    dataset_->load(source);
  }
  bind_and_seal(*dataset_component_, {});
  require_row_magnitudes(*dataset_, *workers_, *services_, remedy(purpose));
}

void Problem::load(const ProblemSpec& spec, Purpose purpose) {
  const std::vector<SplitSource>& sources = spec.sources;
  load_examples(spec, purpose);
  training_ = ExampleList(dataset_->split("train"));
  if (purpose != Purpose::training) return;
  if (training_.size() == 0 && sources.empty()) require_examples({"train", "", std::nullopt});
  for (const SplitSource& source : sources) require_examples(source);
  if (!cached_ || !cached_->has_whole_truths()) {
    for (std::int64_t k = 0; k < training_.size(); ++k) require_whole_truth(training_[k]);
  }
  if (spec.hold_out) apply_hold_out(*spec.hold_out);
  example_weights_ = dataset_->training_weights(training_);
}

void Problem::apply_hold_out(const HoldOut& hold_out) {
  HoldOutSplit split = split_examples(hold_out, *dataset_);
  training_ = std::move(split.training);
  held_out_ = std::move(split.held_out);
}

// A split that the experiment names must not be empty: the path or the file is wrong.
void Problem::require_examples(const SplitSource& source) const {
  const bool is_train = source.split == "train";
  if ((is_train ? training_.size() : dataset_->split(source.split).size()) > 0) return;
  const std::string where = source.path.empty() ? "" : source.path + ": ";
  dataset_component_->refuse(Exit::data, -1,
                             where + "the split \"" + source.split + "\" contains no examples");
}

}  // namespace sculpt::core
