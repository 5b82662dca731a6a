#include "command/data/column_scales.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr double min_row_share = 0.01;  // of the rows; see the header
constexpr std::size_t max_named = 3;    // of the large and of the small columns each

// "2 (4.26e+04), the bias (1) and 3 more": names and scales.
std::string columns_text(const std::vector<ColumnScale>& columns, const DatasetRows& rows) {
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
  const std::string scaling = dataset["scaling"].dump();
  if (scaling == "\"none\"") return {"set \"scaling\": \"max_abs\" in \"dataset\""};
  const bool is_max_abs = scaling == "\"max_abs\"";
  if (is_max_abs || scaling == "\"standard\"") {
    return {(is_max_abs ? "look for outliers, or set" : "set") +
                std::string(" \"scaling\": \"standard_centred\" or \"min_max\" in \"dataset\" in "
                            "place of ") +
                scaling,
            "another \"scaling\" (\"standard_centred\" or \"min_max\")"};
  }
  return {"look for outliers: " + scaling + " is set already", "data without outliers", false};
}

std::optional<ScaleImbalance> find_scale_imbalance(std::vector<ColumnScale> columns,
                                                   std::int64_t rows) {
  if (columns.empty()) return std::nullopt;
  std::sort(columns.begin(), columns.end(), [](const ColumnScale& a, const ColumnScale& b) {
    return a.size != b.size ? a.size < b.size : a.column < b.column;
  });
  const double min_entries = min_row_share * static_cast<double>(rows);
  double entries = 0;
  // With all smaller columns together it has enough entries.
  const auto small_column =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnScale& column) {
        return (entries += static_cast<double>(column.entries)) >= min_entries;
      });
  const double largest_size = columns.back().size;
  if (small_column == columns.end()) return std::nullopt;
  if (!(largest_size / ScaleImbalance::max_ratio > small_column->size)) return std::nullopt;
  ScaleImbalance imbalance;
  imbalance.factor = largest_size / small_column->size;
  for (auto column = columns.rbegin();
       column->size / ScaleImbalance::max_ratio > small_column->size; ++column) {
    imbalance.large.push_back(*column);
  }
  for (auto column = columns.begin(); column->size < largest_size / ScaleImbalance::max_ratio;
       ++column) {
    imbalance.small.push_back(*column);
  }
  return imbalance;
}

std::string column_scale_warning(Problem& problem, const DataColumns& columns,
                                 const ColumnRemedy& remedy, const Json& features) {
  std::vector<ColumnScale> scales = columns.scales;
  if (scales.empty()) return "";
  if (features.value("bias", Json()) == true) scales.push_back({-1, columns.rows, 1});
  const std::optional<ScaleImbalance> imbalance =
      find_scale_imbalance(std::move(scales), columns.rows);
  if (!imbalance) return "";
  const std::string component = problem.dataset().component().name();
  const DatasetRows rows(problem.dataset().component());
  return component + ": columns of the training data differ in size by a factor of " +
         factor_text(imbalance->factor) + "; large: " + columns_text(imbalance->large, rows) +
         "; small: " + columns_text(imbalance->small, rows) +
         "; the run may take long and weights mislead; " + remedy.instruction;
}

}  // namespace sculpt::core
