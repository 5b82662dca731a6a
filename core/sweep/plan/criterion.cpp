#include "sweep/plan/criterion.hpp"

#include <algorithm>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

bool lower_is_better_for(const std::string& metric) {
  return metric.find("loss") != std::string::npos || metric.find("error") != std::string::npos;
}

}  // namespace

Criterion::Criterion(const std::string& text)
    : metric(text.substr(0, text.find(':'))), lower_is_better(lower_is_better_for(metric)) {
  if (text == metric) return;
  const std::string direction = text.substr(metric.size() + 1);
  if (direction != "min" && direction != "max") {
    throw Failure(Exit::usage, "--best " + text + ": METRIC, METRIC:min or METRIC:max is expected");
  }
  lower_is_better = direction == "min";
}

void require_known_metric(const Criterion& criterion, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), criterion.metric) != names.end()) return;
  throw Failure(Exit::usage, "--best: there is no metric \"" + criterion.metric +
                                 "\" on held-out data; choose one of " + joined(names, ", "));
}

}  // namespace sculpt::core
