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

// "2 (mean |x| 4.26e+04), the bias (mean |x| 1) and 3 more".
std::string columns_text(const std::vector<ColumnMagnitude>& columns, const DatasetRows& rows) {
  std::vector<std::string> named;
  for (std::size_t k = 0; k < std::min(columns.size(), max_named); ++k) {
    named.push_back(rows.name(columns[k].column) + " (mean |x| " + number_text(columns[k].mean, 3) +
                    ")");
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
ColumnAdvice column_advice(const std::string& name, const Json& dataset) {
  if (!dataset.contains("scaling")) {
    return {"scale the columns in the file: " + name + " has no parameter \"scaling\"",
            "one size for all columns of the data"};
  }
  const std::string scaling = dataset["scaling"].dump();
  if (scaling == "\"none\"") return {"set \"scaling\": \"max_abs\" in \"dataset\""};
  const bool is_max_abs = scaling == "\"max_abs\"";
  if (is_max_abs || scaling == "\"standard\"") {
    return {(is_max_abs ? "look for outliers, or set" : "set") +
                std::string(" \"scaling\": \"standard_centred\" or \"min_max\" in \"dataset\" "
                            "instead of ") +
                scaling,
            "another \"scaling\" (\"standard_centred\" or \"min_max\")"};
  }
  return {"look for outliers: " + scaling + " is set already", "data without outliers", false};
}

ColumnAdvice kernel_column_advice() {
  return {"use a kernel with smaller values, such as a normalized one",
          "a kernel with smaller values, such as a normalized one", false};
}

std::optional<ScaleImbalance> find_scale_imbalance(std::vector<ColumnMagnitude> columns,
                                                   std::int64_t rows) {
  if (columns.empty()) return std::nullopt;
  std::sort(columns.begin(), columns.end(), [](const ColumnMagnitude& a, const ColumnMagnitude& b) {
    return a.mean != b.mean ? a.mean < b.mean : a.column < b.column;
  });
  const double min_entries = min_row_share * static_cast<double>(rows);
  double entries = 0;
  // With all smaller columns together it has enough entries.
  const auto small_column =
      std::find_if(columns.begin(), columns.end(), [&](const ColumnMagnitude& column) {
        return (entries += static_cast<double>(column.entries)) >= min_entries;
      });
  const double largest_mean = columns.back().mean;
  if (small_column == columns.end()) return std::nullopt;
  if (!(largest_mean / ScaleImbalance::max_ratio > small_column->mean)) return std::nullopt;
  ScaleImbalance imbalance;
  imbalance.factor = largest_mean / small_column->mean;
  for (auto column = columns.rbegin();
       column->mean / ScaleImbalance::max_ratio > small_column->mean; ++column) {
    imbalance.large.push_back(*column);
  }
  for (auto column = columns.begin(); column->mean < largest_mean / ScaleImbalance::max_ratio;
       ++column) {
    imbalance.small.push_back(*column);
  }
  return imbalance;
}

std::string column_scale_warning(Problem& problem, const DataColumns& columns,
                                 const ColumnAdvice& advice, const Json& features) {
  std::vector<ColumnMagnitude> magnitudes = columns.magnitudes;
  if (magnitudes.empty()) return "";
  if (features.value("bias", Json()) == true) magnitudes.push_back({-1, columns.rows, 1});
  const std::optional<ScaleImbalance> imbalance =
      find_scale_imbalance(std::move(magnitudes), columns.rows);
  if (!imbalance) return "";
  const std::string component = problem.dataset().component().name();
  const DatasetRows rows(problem.dataset().component());
  return component + ": columns of the training data differ in size by a factor of " +
         factor_text(imbalance->factor) +
         "; large columns: " + columns_text(imbalance->large, rows) +
         "; small columns: " + columns_text(imbalance->small, rows) +
         "; the run may take long, and weights of different columns cannot be compared; " +
         advice.instruction;
}

}  // namespace sculpt::core
