#include "problem/prediction/metric_list.hpp"

#include <cstdint>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "problem/prediction/probability_metrics.hpp"

namespace sculpt::core {
namespace {

// Protects the allocation. Real plugins have far fewer metrics.
constexpr std::int64_t max_metrics = 100000;
constexpr std::uint32_t directions = SCULPT_METRIC_HIGHER_IS_BETTER | SCULPT_METRIC_LOWER_IS_BETTER;

// Returns what is wrong with a component's metrics, or "". Their names share a JSON object with the
// counts of the host.
std::string metrics_fault(std::span<const sculpt_metric> metrics) {
  static const std::set<std::string> reserved = [] {
    std::set<std::string> names = {"loss",      "loss_standard_error", "examples", "unlabelled",
                                   "no_output", "log_loss_examples",   "warning"};
    for (const std::string& name : probability_metric_names(true)) names.insert(name);
    return names;
  }();
  std::set<std::string> seen;
  for (const sculpt_metric& metric : metrics) {
    if (metric.name == nullptr || *metric.name == '\0') return "offers a metric without a name";
    const std::string name = metric.name;
    if (reserved.count(name) > 0) {
      return "offers a metric \"" + name + "\"; that name is reserved, choose another";
    }
    if (!seen.insert(name).second) return "offers two metrics \"" + name + "\"";
    if ((metric.flags & ~directions) != 0 || metric.reserved != 0) {
      return "offers the metric \"" + name +
             "\" with flags that this host does not know; set unknown flags and the reserved field "
             "to 0";
    }
    if (metric.flags == directions) {
      return "offers the metric \"" + name + "\", of which both higher and lower are better";
    }
  }
  return "";
}

}  // namespace

MetricList metrics_of(const Component& component) {
  const auto* const table = component.extension<sculpt_ext_metrics>();
  if (table == nullptr) return {};
  const sculpt_metric* metrics = nullptr;
  std::int64_t count = 0;
  std::int64_t sums = 0;
  component.call("metrics.metrics", -1, [&](sculpt_error* error) {
    return table->metrics(component.self(), &metrics, &count, &sums, error);
  });
  if (count < 0 || count > max_metrics || sums < 0 || sums > max_metrics ||
      (count > 0 && metrics == nullptr)) {
    component.refuse(Exit::plugin, -1,
                     "offers " + std::to_string(count) + " metrics computed from " +
                         std::to_string(sums) + " sums");
  }
  const std::span<const sculpt_metric> list(metrics, static_cast<std::size_t>(count));
  const std::string fault = metrics_fault(list);
  if (!fault.empty()) component.refuse(Exit::plugin, -1, fault);
  return {list, static_cast<std::size_t>(sums)};
}

std::string better_direction(const sculpt_metric& metric) {
  if ((metric.flags & SCULPT_METRIC_HIGHER_IS_BETTER) != 0) return "higher";
  return (metric.flags & SCULPT_METRIC_LOWER_IS_BETTER) != 0 ? "lower" : "";
}

std::string unique_name(const Component& component, const sculpt_metric& metric,
                        std::set<std::string>& used_names) {
  std::string name = printable(metric.name);  // it may come from data, and is a key of the events
  if (!used_names.insert(name).second) name = component.name() + "." + name;
  return name;
}

}  // namespace sculpt::core
