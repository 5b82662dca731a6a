// metric_list.hpp - the metrics that a component offers (sculpt/ext/metrics.h).
//
// Called by Predictor, which adds them up, and by sweep, which has to know their names.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>

#include "problem/plugin/component.hpp"

namespace sculpt::core {

struct MetricList {
  std::span<const sculpt_metric> metrics;  // lent by the component
  std::size_t sum_count = 0;               // of the sums that they are made of
};

// None of a component that does not offer any. Requires that it is sealed. Throws
// Failure(Exit::plugin) for names that cannot be shown. [any]
MetricList metrics_of(const Component& component);

// What a metric is called beside those whose names are `taken`, to which it is added: its name, or
// "<component>.<name>".
std::string name_beside(const Component& component, const sculpt_metric& metric,
                        std::set<std::string>& taken);

}  // namespace sculpt::core
