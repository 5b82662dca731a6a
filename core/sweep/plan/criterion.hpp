// criterion.hpp - the metric of --best, by which a sweep chooses its best point.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

// "loss", "chunk_f1". Lower is better for losses and errors, which are known by their names; higher
// is better for all others. "margin:min" and "margin:max" set it.
struct Criterion {
  explicit Criterion(const std::string& text);

  std::string metric;
  bool lower_is_better;
};

// Throws Failure(Exit::usage) unless the metric is one of `names`.
void require_known(const Criterion& criterion, const std::vector<std::string>& names);

}  // namespace sculpt::core
