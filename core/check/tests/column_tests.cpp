// Tests of what dataset and features say about columns (ext/draft/column_scale.h): how the dataset
// scaled them, and which column a weight multiplies.

#include <sculpt/ext/draft/column_scale.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include "base/text/message_text.hpp"
#include "check/fixture/appended_text.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/fixture/lone_dataset.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_scaled_examples = 2000;
constexpr std::size_t max_outputs_of_example = 50;

// Numbers that are outside of [0, count).
std::array<std::int64_t, 4> outside(std::int64_t count) {
  return {-1, count, count + 1'000'000, std::numeric_limits<std::int64_t>::max()};
}

// Refuses a component that takes a number outside of [0, count). `call` asks for a number.
template <class Call>
void require_refusal(const Component& component, const char* function, std::int64_t count,
                     const std::string& what, const Call& call) {
  for (const std::int64_t number : outside(count)) {
    ErrorBuffer error;
    const sculpt_status status =
        component.run_in_call_scope(function, -1, [&] { return call(number, error.raw()); });
    if (status == SCULPT_E_INVALID) continue;
    component.refuse(Exit::plugin, -1,
                     std::string(function) + " returns status " + std::to_string(status) + " for " +
                         what + " " + std::to_string(number) + " of " + std::to_string(count) +
                         "; return SCULPT_E_INVALID");
  }
}

bool is_same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

// The scales of the columns of a dataset.
class ScaleReader {
 public:
  explicit ScaleReader(const Component& dataset)
      : dataset_(dataset),
        table_(answered<sculpt_ext_column_scale>(dataset, SCULPT_EXT_COLUMN_SCALE)) {}

  // Reads the scale twice, into other numbers, and refuses what breaks the header.
  sculpt_column_scale scale(std::int64_t column) const {
    const sculpt_column_scale scale = read(column, -1);
    const sculpt_column_scale again = read(column, -2);
    if (!is_same(scale.divisor, again.divisor) || !is_same(scale.shift, again.shift)) {
      refuse(column, "its scale is not set, or another one in a second call");
    }
    const bool is_of_example = std::isnan(scale.divisor);
    const bool is_divisor = std::isfinite(scale.divisor) && scale.divisor >= 0;
    if (!is_of_example && !is_divisor) {
      refuse(column, "its divisor is " + exact_number_text(scale.divisor) +
                         "; it must be positive, 0 for a column that is left out, or NaN");
    }
    if (!is_of_example && !std::isfinite(scale.shift)) refuse(column, "its shift is not finite");
    return scale;
  }
  std::string name(std::int64_t column) const {
    std::string name = appended_text(dataset_, "column-scale.name", -1,
                                     [&](sculpt_byte_buffer* out, sculpt_error* error) {
                                       return table_->name(dataset_.self(), column, out, error);
                                     });
    const std::string fault = fault_of_name(name);
    if (!fault.empty()) refuse(column, "it " + fault);
    return name;
  }
  sculpt_status status_of(std::int64_t column, sculpt_error* error) const {
    sculpt_column_scale out = {};
    out.struct_size = sizeof out;
    return table_->scale(dataset_.self(), column, &out, error);
  }

  [[noreturn]] void refuse(std::int64_t column, const std::string& what) const {
    dataset_.refuse(Exit::plugin, -1, "column " + std::to_string(column) + ": " + what);
  }

 private:
  sculpt_column_scale read(std::int64_t column, double unset) const {
    sculpt_column_scale out = {};
    out.struct_size = sizeof out;
    out.shift = out.divisor = unset;
    dataset_.call("column-scale.scale", -1, [&](sculpt_error* error) {
      return table_->scale(dataset_.self(), column, &out, error);
    });
    return out;
  }

  const Component& dataset_;
  const sculpt_ext_column_scale* table_;
};

// Returns the value of a row in a column, 0 if it has none.
double value_of(const sculpt_sites& sites, std::int64_t site, std::int64_t column) {
  const std::int32_t* const begin = sites.index + sites.row_from[site];
  const std::int32_t* const end = sites.index + sites.row_from[site + 1];
  const std::int32_t* const found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? sites.value[found - sites.index] : 0;
}

// True if the dataset scales its rows, and its parameter `scaling` has the first choice "none". The
// SDK adds this parameter to datasets with scaled rows.
bool can_switch_scaling_off(const ExperimentPart& dataset) {
  for (std::int64_t k = 0; k < dataset.description->parameter_count; ++k) {
    const sculpt_parameter& parameter = dataset.description->parameters[k];
    const bool is_scaling =
        std::string_view(parameter.name) == "scaling" && parameter.type == SCULPT_PARAMETER_CHOICE;
    const std::string choices = is_scaling ? parameter.choices : "";
    if (!choices.starts_with("none|")) continue;
    const sculpt_value& value = dataset.parameters->values()[static_cast<std::size_t>(k)];
    return std::string_view(value.text) != "none";
  }
  return false;
}

// value in the rows = (value in the file - shift) / divisor. The values in the file are those of a
// dataset that does not scale.
void test_scaled_rows(TestFixture& fixture, TestContext& context, const DatasetRows& rows,
                      const std::vector<sculpt_column_scale>& scales) {
  Problem& problem = fixture.problem();
  if (!can_switch_scaling_off(fixture.factory().parts().front())) return;
  context.set_activity("reading the data without scaling");
  LoneDataset unscaled(fixture.factory(), problem.services(), "scaling", "none", 0);
  for (const SplitSource& source : fixture.factory().sources()) unscaled.dataset().load(source);
  unscaled.seal();
  const DatasetRows raw_rows(unscaled.component());
  if (unscaled.dataset().count() != problem.dataset().count()) return;
  const Component& dataset = problem.dataset().component();
  const auto columns = static_cast<std::int64_t>(scales.size());
  TimeBudget budget(fixture.timer(), context,
                    std::min(problem.dataset().count(), max_scaled_examples), "examples");
  for (std::int64_t example = 0;
       example < std::min(problem.dataset().count(), max_scaled_examples) && budget.next();
       ++example) {
    context.set_activity("the scaled rows of example " + std::to_string(example));
    context.count();
    const sculpt_sites sites = rows.sites(example);
    const sculpt_sites raw = raw_rows.sites(example);
    for (std::int64_t site = 0; site < std::min(sites.site_count, raw.site_count); ++site) {
      for (std::int64_t column = 0; column < columns; ++column) {
        const sculpt_column_scale& scale = scales[static_cast<std::size_t>(column)];
        if (std::isnan(scale.divisor)) continue;
        const double in_file = value_of(raw, site, column);
        const double in_rows = value_of(sites, site, column);
        const double expected = scale.divisor == 0 ? 0 : (in_file - scale.shift) / scale.divisor;
        const double terms =
            scale.divisor == 0 ? 0 : (std::abs(in_file) + std::abs(scale.shift)) / scale.divisor;
        if (std::abs(in_rows - expected) <= Terms{terms, 2}.rounding()) continue;
        dataset.refuse(Exit::plugin, example,
                       "column " + std::to_string(column) + " of its rows is " +
                           exact_number_text(in_rows) + ", but by its scale " +
                           exact_number_text(in_file) + " becomes " + exact_number_text(expected));
      }
    }
  }
}

// Returns the columns that are spread over all, at most as many as the level has time for.
std::vector<std::int64_t> tried_numbers(TestFixture& fixture, std::int64_t total) {
  const std::int64_t count =
      std::min(total, fixture.level().choose<std::int64_t>(200, 2000, 20000));
  std::vector<std::int64_t> numbers;
  for (std::int64_t k = 0; k < count; ++k) numbers.push_back(k * total / count);
  return numbers;
}

// Makes the problem with the states of the tested one, as predict does.
std::unique_ptr<Problem> restored_problem(TestFixture& fixture, TestContext& context) {
  ProblemChanges changes;
  changes.states = states_for_prediction(fixture.problem());
  if (changes.states.empty()) return nullptr;
  context.set_activity("restoring the saved states, and loading the data for prediction");
  changes.sources = {fixture.factory().sources().front()};
  changes.sources->front().split = "predict";
  return fixture.factory().make(changes);
}

// Each column has a sound scale and a name, the same after restore. The rows have this scale.
void dataset_scales_test(TestFixture& fixture, TestContext& context) {
  const Component& dataset = fixture.problem().dataset().component();
  const DatasetRows rows(dataset);
  const bool is_offered = dataset.answered_table(SCULPT_EXT_COLUMN_SCALE) != nullptr;
  if (!is_offered) context.skip_not_offered("scales of columns (" SCULPT_EXT_COLUMN_SCALE ")");
  if (!rows.is_offered()) {
    dataset.refuse(Exit::plugin, -1,
                   "offers " SCULPT_EXT_COLUMN_SCALE " without " SCULPT_EXT_SITES
                   ", which have the columns; offer both");
  }
  const std::int64_t count = rows.column_count();
  const std::vector<std::int64_t> columns = tried_numbers(fixture, count);
  const ScaleReader reader(dataset);
  std::vector<sculpt_column_scale> scales;
  std::vector<std::string> names;
  for (const std::int64_t column : columns) {
    context.set_activity("the scale of column " + std::to_string(column));
    context.count();
    scales.push_back(reader.scale(column));
    names.push_back(reader.name(column));
  }
  context.set_activity("the scale of a column that does not exist");
  context.count();
  require_refusal(
      dataset, "column-scale.scale", count, "column",
      [&](std::int64_t column, sculpt_error* error) { return reader.status_of(column, error); });
  if (std::ssize(scales) == count) test_scaled_rows(fixture, context, rows, scales);
  if (!dataset.offers_state()) return;
  const std::unique_ptr<Problem> restored = restored_problem(fixture, context);
  const ScaleReader again(restored->dataset().component());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    context.count();
    const sculpt_column_scale scale = again.scale(columns[k]);
    const bool is_same_scale =
        is_same(scale.shift, scales[k].shift) && is_same(scale.divisor, scales[k].divisor);
    if (is_same_scale && again.name(columns[k]) == names[k]) continue;
    reader.refuse(columns[k],
                  "its scale or name is another one after restore; write the scales in save()");
  }
}

// The columns of the weights of features.
class ColumnReader {
 public:
  explicit ColumnReader(const Component& features)
      : features_(features),
        table_(answered<sculpt_ext_weight_column>(features, SCULPT_EXT_WEIGHT_COLUMN)) {}

  std::int64_t column(std::int64_t weight) const {
    const std::int64_t column = read(weight, -7);
    if (read(weight, -8) != column) {
      refuse(weight, "its column is not set, or another one in a second call");
    }
    if (column < -1) refuse(weight, "its column is " + std::to_string(column));
    return column;
  }
  sculpt_status status_of(std::int64_t weight, sculpt_error* error) const {
    std::int64_t column = -1;
    return table_->column(features_.self(), weight, &column, error);
  }
  [[noreturn]] void refuse(std::int64_t weight, const std::string& what) const {
    features_.refuse(Exit::plugin, -1, "weight " + std::to_string(weight) + ": " + what);
  }

 private:
  std::int64_t read(std::int64_t weight, std::int64_t unset) const {
    std::int64_t column = unset;
    features_.call("weight-column.column", -1, [&](sculpt_error* error) {
      return table_->column(features_.self(), weight, &column, error);
    });
    return column;
  }

  const Component& features_;
  const sculpt_ext_weight_column* table_;
};

std::set<std::int64_t> used_columns(const sculpt_sites& sites) {
  std::set<std::int64_t> columns;
  for (std::int64_t site = 0; site < sites.site_count; ++site) {
    for (std::int64_t k = sites.row_from[site]; k < sites.row_from[site + 1]; ++k) {
      if (sites.value[k] != 0) columns.insert(sites.index[k]);
    }
  }
  return columns;
}

// A weight multiplies its column. So where all sites have 0 in it, psi has 0 at this weight.
void test_used_columns(TestFixture& fixture, TestContext& context, const DatasetRows& rows,
                       const ColumnReader& reader) {
  TimeBudget budget(fixture.timer(), context, fixture.output_count(max_outputs_of_example),
                    "outputs");
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("the columns that example " + std::to_string(example) + " uses");
    const std::set<std::int64_t> used = used_columns(rows.sites(example));
    const std::vector<Output>& outputs = fixture.outputs(example).outputs;
    for (std::size_t k = 0; k < std::min(outputs.size(), max_outputs_of_example); ++k) {
      if (!budget.next()) return;
      context.count();
      for (std::size_t j = 0; j < outputs[k].psi.index.size(); ++j) {
        const std::int64_t weight = outputs[k].psi.index[j];
        const std::int64_t column = reader.column(weight);
        if (column < 0 || outputs[k].psi.value[j] == 0 || used.count(column) > 0) continue;
        reader.refuse(weight, "its column is " + std::to_string(column) + ", but psi of " +
                                  labels_text(outputs[k].labels) + " has " +
                                  exact_number_text(outputs[k].psi.value[j]) + " there, though " +
                                  "example " + std::to_string(example) +
                                  " has only 0 in this column");
      }
    }
  }
}

// Each weight has a column of the dataset or none, the same after restore.
void features_columns_test(TestFixture& fixture, TestContext& context) {
  Problem& problem = fixture.problem();
  const Component& features = problem.features().component();
  if (features.answered_table(SCULPT_EXT_WEIGHT_COLUMN) == nullptr) {
    context.skip_not_offered("columns of weights (" SCULPT_EXT_WEIGHT_COLUMN ")");
  }
  const DatasetRows rows(problem.dataset().component());
  if (!rows.is_offered()) context.skip("the dataset has no columns");
  if (problem.replaces_rows()) context.skip("a kernel replaces the columns of the dataset");
  const ColumnReader reader(features);
  const std::vector<std::int64_t> weights = tried_numbers(fixture, problem.dimension());
  std::vector<std::int64_t> columns;
  for (const std::int64_t weight : weights) {
    context.set_activity("the column of weight " + std::to_string(weight));
    context.count();
    columns.push_back(reader.column(weight));
    if (columns.back() < rows.column_count()) continue;
    reader.refuse(weight, "its column is " + std::to_string(columns.back()) + ", but " +
                              problem.dataset().component().name() + " has " +
                              count_text(rows.column_count(), "column"));
  }
  context.set_activity("the column of a weight that does not exist");
  context.count();
  require_refusal(
      features, "weight-column.column", problem.dimension(), "weight",
      [&](std::int64_t weight, sculpt_error* error) { return reader.status_of(weight, error); });
  test_used_columns(fixture, context, rows, reader);
  const std::unique_ptr<Problem> restored = restored_problem(fixture, context);
  if (restored == nullptr || restored->dimension() != problem.dimension()) return;
  const ColumnReader again(restored->features().component());
  for (std::size_t k = 0; k < weights.size(); ++k) {
    context.count();
    if (again.column(weights[k]) == columns[k]) continue;
    reader.refuse(weights[k], "its column is another one after restore");
  }
}

}  // namespace

std::span<const ExperimentTest> column_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"dataset.scales", dataset_scales_test}, {"features.columns", features_columns_test}}};
  return tests;
}

}  // namespace sculpt::core
