#include "sweep/choice.hpp"

#include <cmath>
#include <optional>
#include <tuple>

#include "failure.hpp"
#include "message_text.hpp"

namespace sculpt::core {
namespace {

bool is_cost(const std::string& metric) {
  return metric.find("loss") != std::string::npos || metric.find("error") != std::string::npos;
}

[[noreturn]] void refuse(const std::string& metric, const std::vector<SweepRow>& rows) {
  for (const SweepRow& row : rows) {
    std::vector<std::string> names;
    for (const Measurement& one : row.validation) names.push_back(one.name);
    if (names.empty()) continue;
    throw Failure(Exit::usage, "--best: nothing held out has a figure \"" + metric +
                                   "\"; there are " + joined(names, ", ") +
                                   "; --resume goes on from here");
  }
  throw Failure(Exit::not_reached, "--best: no point to choose, all have failed");
}

}  // namespace

Criterion::Criterion(const std::string& text)
    : metric(text.substr(0, text.find(':'))), lower_is_better(is_cost(metric)) {
  if (text == metric) return;
  const std::string direction = text.substr(metric.size() + 1);
  if (direction != "min" && direction != "max") {
    throw Failure(Exit::usage, "--best " + text + ": METRIC, METRIC:min or METRIC:max is expected");
  }
  lower_is_better = direction == "min";
}

std::size_t best_point(const Criterion& criterion, const std::vector<SweepRow>& rows,
                       const std::vector<PointTraits>& traits) {
  using Rank = std::tuple<double, double, std::size_t>;
  std::optional<Rank> best;
  for (std::size_t point = 0; point < rows.size(); ++point) {
    if (!rows[point].failed.empty()) continue;
    const Measurement* const found = find(rows[point].validation, criterion.metric);
    if (found == nullptr || !std::isfinite(found->value.mean)) continue;
    const double cost = criterion.lower_is_better ? found->value.mean : -found->value.mean;
    const Rank rank{cost, traits[point].C, point};
    if (!best || rank < *best) best = rank;
  }
  if (!best) refuse(criterion.metric, rows);
  return std::get<2>(*best);
}

}  // namespace sculpt::core
