#include "fold_choice.hpp"

#include <algorithm>
#include <string>

FoldChoice::FoldChoice(const sculpt::Parameters& given) {
  for (std::size_t s = 0; s < split_count; ++s) {
    is_set_[s] = !given.is_default(parameter_names[s]);
    folds_[s] = given.integers(parameter_names[s]);
    if (is_set_[s] && folds_[s].empty()) {
      throw sculpt::parameter_error(std::string(parameter_names[s]) +
                                    " is empty; list a fold, or remove the key");
    }
    for (const std::int64_t fold : folds_[s]) {
      for (std::size_t other = 0; other < s; ++other) {
        if (!is_listed(other, fold)) continue;
        throw sculpt::parameter_error("fold " + std::to_string(fold) + " is in " +
                                      parameter_names[other] + " and in " + parameter_names[s] +
                                      "; remove it from one of them");
      }
    }
  }
}

bool FoldChoice::contains(std::size_t split, std::int64_t fold) const {
  if (is_set_[split]) return is_listed(split, fold);
  return !is_listed(1, fold) && !is_listed(2, fold);
}

bool FoldChoice::is_listed(std::size_t split, std::int64_t fold) const {
  return std::find(folds_[split].begin(), folds_[split].end(), fold) != folds_[split].end();
}
