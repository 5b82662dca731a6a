#include "sweep/plan/criterion.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {

Criterion::Criterion(const std::string& text) : metric(text.substr(0, text.find(':'))) {
  if (text == metric) return;
  direction = text.substr(metric.size() + 1);
  if (direction != "min" && direction != "max") {
    throw Failure(Exit::usage, "--best " + text + ": METRIC, METRIC:min or METRIC:max is expected");
  }
}

bool lower_is_better(const Criterion& criterion, const std::vector<MetricDirection>& metrics) {
  const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const auto& metric) {
    return metric.first == criterion.metric;
  });
  if (found == metrics.end()) {
    std::vector<std::string> names;
    for (const auto& [name, better] : metrics) names.push_back(name);
    throw Failure(Exit::usage, "--best: there is no metric \"" + criterion.metric +
                                   "\" on held-out data; choose one of " + joined(names, ", "));
  }
  if (!criterion.direction.empty()) return criterion.direction == "min";
  if (found->second.empty()) {
    throw Failure(Exit::usage, "--best: the metric \"" + criterion.metric +
                                   "\" does not say what is better; write " + criterion.metric +
                                   ":max or " + criterion.metric + ":min");
  }
  return found->second == "lower";
}

}  // namespace sculpt::core
