// set_data.hpp - the sets of a dataset, for the features, losses and the oracle of this library.
//
// Used by set_features.hpp and loss_with_metrics.hpp.
#pragma once

#include <sculpt/cpp/site_input.hpp>
#include <span>

#include "measures.hpp"

namespace contingency {

class SetData {
 public:
  SetData() = default;
  // Throws unless the dataset has sites with one of two labels each.
  explicit SetData(sculpt::Ref dataset) : input_(dataset) {
    if (input_.state_count() == 2 && input_.variable_count() == 0) return;
    throw sculpt::unsupported_error(
        "needs two labels, positive and negative, but " + input_.dataset_id() + " has " +
        std::to_string(input_.state_count()) +
        " labels; use the dataset svmlight_set, or one with two labels and one for each site");
  }

  const sculpt::SiteInput& input() const { return input_; }
  std::int64_t rows(std::int64_t example) const { return input_.sites(example).site_count; }

  // Calls visit(example, place) for the labelled sets of an experiment; place() returns "example 3
  // (test)". Sets of `sculpt predict` are skipped, because their rows may be arbitrary and their
  // labels meaningless.
  template <class Visit>
  void each_labelled(Visit visit) const {
    for (const char* name : {"train", "validation", "test"}) {
      const sculpt::Range split = input_.split(name);
      for (std::int64_t example = split.begin; example < split.end; ++example) {
        if (!input_.truth(example).known()) continue;
        visit(example,
              [example, name] { return "example " + std::to_string(example) + " (" + name + ")"; });
      }
    }
  }

  // Throws unless y is an output of the set.
  void check(std::int64_t example, sculpt::Labels y) const {
    const std::int64_t size = rows(example);
    if (y.count() != size) {
      throw sculpt::Error(SCULPT_E_INVALID, "an output of this set has " + std::to_string(size) +
                                                " numbers, not " + std::to_string(y.count()));
    }
    for (const std::int32_t number : y) {
      if (number < 0) {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "an output has a negative number; give numbers from 0");
      }
    }
  }

 private:
  sculpt::SiteInput input_;
};

}  // namespace contingency
