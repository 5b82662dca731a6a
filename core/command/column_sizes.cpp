#include "command/column_sizes.hpp"

#include <sculpt/ext/sites.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "message_text.hpp"
#include "problem/buffers.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_sites> {
  static constexpr const char* id = SCULPT_EXT_SITES;
  static constexpr std::size_t functions = 4;
};

namespace {

using Json = nlohmann::ordered_json;

constexpr double small_share = 0.01;   // of the rows
constexpr std::size_t most_named = 3;  // of the large columns, and of the small ones
// Beyond this many columns are words or the like, and sizes would take 64 MB.
constexpr std::int64_t most_columns = std::int64_t{1} << 22;

// Squares of features, times C, have to be numbers with room to spare.
constexpr double largest_feature = 1e100;

// The rows that a dataset lends.
class LentRows {
 public:
  LentRows(const Component& dataset, const sculpt_ext_sites& table)
      : dataset_(dataset), table_(table) {}

  std::int64_t column_count() const {
    sculpt_sites_shape shape = {};
    shape.struct_size = sizeof shape;
    dataset_.call("sites.shape", -1, [&](sculpt_error* error) {
      return table_.shape(dataset_.self(), &shape, error);
    });
    return shape.feature_count;
  }
  sculpt_sites sites(std::int64_t example) const {
    sculpt_sites sites = {};
    sites.struct_size = sizeof sites;
    dataset_.call("sites.sites", example, [&](sculpt_error* error) {
      return table_.sites(dataset_.self(), example, &sites, error);
    });
    return sites;
  }
  void require_size(double size, std::int64_t column, std::int64_t example) const {
    if (size <= largest_feature) return;
    dataset_.refuse(Exit::data, example,
                    "feature " + name(column) + " has size " + number_text(size) +
                        "; products of more than 1e+100 may be no numbers: set \"scaling\", or "
                        "give it in another unit");
  }
  std::string name(std::int64_t column) const {
    if (column < 0) return "the bias";
    ByteBuffer text;
    dataset_.call("sites.feature_name", -1, [&](sculpt_error* error) {
      return table_.feature_name(dataset_.self(), column, text.raw(), error);
    });
    return text.text_of(dataset_, -1);
  }

 private:
  const Component& dataset_;
  const sculpt_ext_sites& table_;
};

struct Measured {
  std::vector<ColumnSize> columns;  // those with entries
  std::int64_t rows = 0;
};

// Refuses what is too large to compute with; what is no number or lies in no column is for others.
Measured measure(Problem& problem, const LentRows& lent, std::int64_t column_count) {
  Measured measured;
  std::vector<ColumnSize> all(static_cast<std::size_t>(column_count));
  for (std::int64_t k = 0; k < problem.training().size(); ++k) {
    problem.services().throw_if_cancelled();
    const sculpt_sites sites = lent.sites(problem.training()[k]);
    measured.rows += sites.site_count;
    for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
      const std::int64_t column = sites.index[j];
      const double size = std::abs(sites.value[j]);
      if (column < 0 || column >= column_count || !(size > 0) || std::isinf(size)) continue;
      lent.require_size(size, column, problem.training()[k]);
      ColumnSize& of = all[static_cast<std::size_t>(column)];
      of.size += size;
      ++of.entries;
    }
  }
  for (std::int64_t column = 0; column < column_count; ++column) {
    ColumnSize& of = all[static_cast<std::size_t>(column)];
    if (of.entries == 0) continue;
    of.column = column;
    of.size =
        std::min(of.size, std::numeric_limits<double>::max()) / static_cast<double>(of.entries);
    measured.columns.push_back(of);
  }
  return measured;
}

std::string list(const std::vector<ColumnSize>& columns, const LentRows& lent) {
  std::vector<std::string> named;
  for (std::size_t k = 0; k < std::min(columns.size(), most_named); ++k) {
    named.push_back(lent.name(columns[k].column) + " (" + number_text(columns[k].size, 3) + ")");
  }
  const std::size_t more = columns.size() - named.size();
  return joined(named, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::string advice(const std::string& dataset, const Json& parameters) {
  if (!parameters.contains("scaling")) {
    return "bring them to one size in the data: " + dataset + " has no parameter \"scaling\"";
  }
  if (parameters["scaling"] == "max_abs") {
    return "look for outliers: \"max_abs\" is set already";
  }
  return std::string("set \"scaling\": \"max_abs\" in \"dataset\"") +
         (parameters["scaling"] == "none" ? "" : " in place of " + parameters["scaling"].dump());
}

}  // namespace

std::optional<SizeGap> size_gap(std::vector<ColumnSize> columns, std::int64_t rows) {
  if (columns.empty()) return std::nullopt;
  std::sort(columns.begin(), columns.end(), [](const ColumnSize& a, const ColumnSize& b) {
    return a.size != b.size ? a.size < b.size : a.column < b.column;
  });
  const double least = small_share * static_cast<double>(rows);
  double entries = 0;
  const auto low = std::find_if(columns.begin(), columns.end(), [&](const ColumnSize& column) {
    return (entries += static_cast<double>(column.entries)) >= least;
  });
  const double high = columns.back().size;
  if (low == columns.end() || !(high / SizeGap::most_apart > low->size)) return std::nullopt;
  SizeGap gap;
  gap.factor = high / low->size;
  for (auto column = columns.rbegin(); column->size / SizeGap::most_apart > low->size; ++column) {
    gap.large.push_back(*column);
  }
  for (auto column = columns.begin(); column->size < high / SizeGap::most_apart; ++column) {
    gap.small.push_back(*column);
  }
  return gap;
}

std::string column_warning(Problem& problem, const Json& dataset, const Json& features) {
  const Component& component = problem.dataset().component();
  const auto* const table = component.extension<sculpt_ext_sites>();
  if (table == nullptr) return "";
  const LentRows lent(component, *table);
  const std::int64_t column_count = lent.column_count();
  if (column_count < 1 || column_count > most_columns) return "";
  Measured measured = measure(problem, lent, column_count);
  if (features.value("bias", Json()) == true) {
    measured.columns.push_back({-1, measured.rows, 1});
  }
  const std::optional<SizeGap> gap = size_gap(std::move(measured.columns), measured.rows);
  if (!gap) return "";
  return component.name() + ": columns of the training data differ in size by a factor of " +
         number_text(gap->factor, 2) + "; large: " + list(gap->large, lent) +
         "; small: " + list(gap->small, lent) + "; the run may take long and weights mislead; " +
         advice(component.name(), dataset);
}

}  // namespace sculpt::core
