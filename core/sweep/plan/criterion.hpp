// criterion.hpp - the metric of --best, by which a sweep chooses its best point.
//
// Made by the command sweep.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

// "loss", "chunk_f1". Lower is better if the name contains "loss" or "error"; otherwise higher is
// better. "margin:min" and "margin:max" set the direction.
struct Criterion {
  explicit Criterion(const std::string& text);

  std::string metric;
  bool lower_is_better;
};

// Throws Failure(Exit::usage) unless the metric is one of `names`.
void require_known_metric(const Criterion& criterion, const std::vector<std::string>& names);

}  // namespace sculpt::core
