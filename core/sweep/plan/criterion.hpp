// criterion.hpp - the metric of --best, by which a sweep chooses its best point.
//
// Made by the command sweep.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sculpt::core {

// "loss", "chunk_f1". The metric itself says whether higher or lower is better (sculpt/ext/
// metrics.h). "margin:min" and "margin:max" say it in its place.
struct Criterion {
  explicit Criterion(const std::string& text);

  std::string metric;
  std::string direction;  // "min", "max", or "": as the metric says
};

// A metric, and what is better of it: "higher", "lower" or "".
using MetricDirection = std::pair<std::string, std::string>;

// Returns whether lower is better. Throws Failure(Exit::usage) if the metric is none of `metrics`,
// or if neither it nor the criterion has a direction.
bool lower_is_better(const Criterion& criterion, const std::vector<MetricDirection>& metrics);

}  // namespace sculpt::core
