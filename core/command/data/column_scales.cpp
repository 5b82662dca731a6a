#include "command/data/column_scales.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr double small_share = 0.01;  // of the rows; see the header
constexpr std::size_t max_named = 3;  // of the large and of the small columns each
std::string list(const std::vector<ColumnScale>& columns, const DatasetRows& rows) {
  std::vector<std::string> named;
  for (std::size_t k = 0; k < std::min(columns.size(), max_named); ++k) {
    named.push_back(rows.name(columns[k].column) + " (" + number_text(columns[k].size, 3) + ")");
  }
  const std::size_t more = columns.size() - named.size();
  return joined(named, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string factor_text(double factor) {
  return std::isinf(factor) ? "more than 1e+308" : number_text(factor, 2);
}

}  // namespace

// With max_abs, an outlier makes the other values of its column small. With standard, a column with
// values far from 0 keeps a large scale. Both scalings that also shift columns help in these cases.
ColumnRemedy column_remedy(const std::string& name, const Json& dataset) {
  if (!dataset.contains("scaling")) {
    return {"bring them to one size in the data: " + name + " has no parameter \"scaling\"",
            "one size for all columns of the data"};
  }
  const std::string set = dataset["scaling"].dump();
  if (set == "\"none\"") return {"set \"scaling\": \"max_abs\" in \"dataset\""};
  const bool is_max_abs = set == "\"max_abs\"";
  if (is_max_abs || set == "\"standard\"") {
    return {(is_max_abs ? "look for outliers, or set" : "set") +
                std::string(" \"scaling\": \"standard_centred\" or \"min_max\" in \"dataset\" in "
                            "place of ") +
                set,
            "another scaling (standard_centred or min_max)"};
  }
  return {"look for outliers: " + set + " is set already", "a table without outliers", false};
}

std::optional<ScaleImbalance> find_scale_imbalance(std::vector<ColumnScale> columns,
                                                   std::int64_t rows) {
  if (columns.empty()) return std::nullopt;
  std::sort(columns.begin(), columns.end(), [](const ColumnScale& a, const ColumnScale& b) {
    return a.size != b.size ? a.size < b.size : a.column < b.column;
  });
  const double least = small_share * static_cast<double>(rows);
  double entries = 0;
  const auto low = std::find_if(columns.begin(), columns.end(), [&](const ColumnScale& column) {
    return (entries += static_cast<double>(column.entries)) >= least;
  });
  const double high = columns.back().size;
  if (low == columns.end() || !(high / ScaleImbalance::max_ratio > low->size)) return std::nullopt;
  ScaleImbalance gap;
  gap.factor = high / low->size;
  for (auto column = columns.rbegin(); column->size / ScaleImbalance::max_ratio > low->size;
       ++column) {
    gap.large.push_back(*column);
  }
  for (auto column = columns.begin(); column->size < high / ScaleImbalance::max_ratio; ++column) {
    gap.small.push_back(*column);
  }
  return gap;
}

std::string column_warning(Problem& problem, const DataColumns& columns, const ColumnRemedy& remedy,
                           const Json& features) {
  std::vector<ColumnScale> sizes = columns.sizes;
  if (sizes.empty()) return "";
  if (features.value("bias", Json()) == true) sizes.push_back({-1, columns.rows, 1});
  const std::optional<ScaleImbalance> gap = find_scale_imbalance(std::move(sizes), columns.rows);
  if (!gap) return "";
  const std::string component = problem.dataset().component().name();
  const DatasetRows rows(problem.dataset().component());
  return component + ": columns of the training data differ in size by a factor of " +
         factor_text(gap->factor) + "; large: " + list(gap->large, rows) +
         "; small: " + list(gap->small, rows) + "; the run may take long and weights mislead; " +
         remedy.to_do;
}

}  // namespace sculpt::core
