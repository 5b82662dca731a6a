// criterion.hpp - the metric by which the best point of a sweep is chosen, as --best names it.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

// "loss", "chunk_f1": lower is better for losses and errors, by their names, and higher for all
// else; "margin:min" and "margin:max" say it.
struct Criterion {
  explicit Criterion(const std::string& text);

  std::string metric;
  bool lower_is_better;
};

// Throws Failure(Exit::usage) unless the metric is one of `names`.
void require_known(const Criterion& criterion, const std::vector<std::string>& names);

}  // namespace sculpt::core
