// metric_list.hpp - the metrics that a component offers (sculpt/ext/metrics.h).
//
// Called by Predictor, which sums them, and by sweep, which needs their names.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

struct MetricList {
  std::span<const sculpt_metric> metrics;  // owned by the component
  std::size_t sum_count = 0;               // number of sums that the metrics are computed from
};

// Returns the metrics of the component, an empty list if it offers none. Requires a sealed
// component. Throws Failure(Exit::plugin) if names are missing, repeated or reserved. [any]
MetricList metrics_of(const Component& component);

// Returns "higher" or "lower", whichever is better, or "" if neither is.
std::string better_direction(const sculpt_metric& metric);

// Returns the displayed name of a metric: its name, or "<component>.<name>" if `used_names` has
// that name. Adds the plain name to `used_names`.
std::string unique_name(const Component& component, const sculpt_metric& metric,
                        std::set<std::string>& used_names);

}  // namespace sculpt::core
