// Tests of data that the host lends as arrays (ext/draft/memory_source.h). The reference is the
// same data from the files of the experiment.

#include <sculpt/ext/draft/column_scale.h>
#include <sculpt/ext/draft/memory_source.h>
#include <sculpt/ext/sites.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "base/text/message_text.hpp"
#include "check/fixture/dataset_examples.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/fixture/lent_rows.hpp"
#include "check/fixture/lone_dataset.hpp"
#include "check/tests/test_groups.hpp"
#include "linalg/rounding.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_lent_examples = 2000;
constexpr std::int64_t max_dense_columns = 2000;

// The examples of the split train with labels, and the numbers that hold for all of them.
struct LentData {
  std::vector<DatasetExample> in_rows;   // as other components see them
  std::vector<DatasetExample> in_files;  // in the unit of the file
  sculpt_sites_shape shape{};
};

// Undoes the scales of a dataset. False if an example has a scale of its own, or a column is left
// out: then the values in the file are not known.
bool undo_scales(const Component& dataset, std::vector<DatasetExample>& examples) {
  const auto* const table = answered<sculpt_ext_column_scale>(dataset, SCULPT_EXT_COLUMN_SCALE);
  if (table == nullptr) return true;
  for (std::int64_t column = 0; column < DatasetRows(dataset).column_count(); ++column) {
    sculpt_column_scale scale = {};
    scale.struct_size = sizeof scale;
    dataset.call("column-scale.scale", -1, [&](sculpt_error* error) {
      return table->scale(dataset.self(), column, &scale, error);
    });
    const bool is_known = scale.divisor > 0 && scale.shift == 0;
    if (!is_known) return false;
    for (DatasetExample& example : examples) {
      for (std::size_t k = 0; k < example.index.size(); ++k) {
        if (example.index[k] == column) example.value[k] *= scale.divisor;
      }
    }
  }
  return true;
}

class MemoryTest {
 public:
  MemoryTest(TestFixture& fixture, TestContext& context, LentData data)
      : fixture_(fixture),
        context_(context),
        component_(fixture.problem().dataset().component()),
        data_(std::move(data)) {}

  void run() {
    test_form(RowForm::sparse, "sparse");
    if (data_.shape.feature_count <= max_dense_columns) test_form(RowForm::dense, "dense");
    test_restored();
    test_later_splits();
  }

 private:
  std::unique_ptr<LoneDataset> create() const {
    return std::make_unique<LoneDataset>(fixture_.factory(), fixture_.problem().services());
  }

  static sculpt_status load(const Component& dataset, const char* split,
                            const sculpt_memory_rows& rows, ErrorBuffer& error) {
    const auto* const table = answered<sculpt_ext_memory_source>(dataset, SCULPT_EXT_MEMORY_SOURCE);
    const sculpt_memory_rows own = rows;  // lives for this call only
    return dataset.run_in_call_scope("memory-source.load", -1, [&] {
      return table->load(dataset.self(), split, &own, error.raw());
    });
  }
  static void load_good(const Component& dataset, const char* split, LentRows& rows) {
    ErrorBuffer error;
    const sculpt_status status = load(dataset, split, rows.lend_to(dataset), error);
    if (status != SCULPT_OK) dataset.fail(status, error.text(), -1);
  }

  // Loads train from memory, and compares it with the files.
  void test_form(RowForm form, const std::string& name) {
    context_.set_activity("lending " + name + " rows");
    context_.count();
    LentRows rows(data_.in_files, data_.shape, form);
    const std::unique_ptr<LoneDataset> lent = create();
    load_good(lent->component(), "train", rows);
    lent->seal();
    const sculpt_sites_shape shape = DatasetRows(lent->component()).shape();
    if (shape.state_count != data_.shape.state_count ||
        shape.feature_count != data_.shape.feature_count) {
      refuse("has " + std::to_string(shape.state_count) + " states and " +
             std::to_string(shape.feature_count) + " features after " + name +
             " rows in memory with " + std::to_string(data_.shape.state_count) + " and " +
             std::to_string(data_.shape.feature_count));
    }
    compare(*lent, "train", name + " rows in memory");
    rows.require_unchanged();
  }

  // A restored dataset does not learn.
  void test_restored() {
    if (!component_.offers_state()) return;
    context_.set_activity("lending rows after restore");
    context_.count();
    LentRows rows(data_.in_files, data_.shape, RowForm::sparse);
    const std::unique_ptr<LoneDataset> trained = create();
    load_good(trained->component(), "train", rows);
    trained->seal();
    const std::string state = trained->component().save();
    LentRows rows_again(data_.in_files, data_.shape, RowForm::sparse);
    const std::unique_ptr<LoneDataset> restored = create();
    restored->component().restore(state, "");
    load_good(restored->component(), "predict", rows_again);
    restored->seal();
    compare(*restored, "predict", "rows in memory after restore");
    if (restored->component().save() == state) return;
    refuse("has another state after restore and load() of rows in memory; it must not learn then");
  }

  void compare(LoneDataset& lent, const char* split, const std::string& what) {
    const Range range = lent.dataset().split(split);
    const std::vector<DatasetExample> examples = examples_of(lent.dataset(), max_lent_examples);
    if (range.size() != std::ssize(data_.in_rows) || std::ssize(examples) != range.size()) {
      refuse("has " + count_text(range.size(), "example") + " in its split, but " + what +
             " have " + std::to_string(data_.in_rows.size()));
    }
    for (std::size_t k = 0; k < examples.size(); ++k) {
      const std::string fault = difference_of(data_.in_rows[k], examples[k]);
      if (fault.empty()) continue;
      component_.refuse(Exit::plugin, static_cast<std::int64_t>(k),
                        fault + " of " + what + " differs from that of the files");
    }
  }

  // As difference(), but values may differ by the rounding of their scale, and zeros may be stored.
  static std::string difference_of(const DatasetExample& one, const DatasetExample& other) {
    if (one.truth != other.truth) return "the truth";
    if (one.edge != other.edge) return "the edges";
    if (one.row_from.size() != other.row_from.size()) return "the number of sites";
    for (std::size_t site = 0; site + 1 < one.row_from.size(); ++site) {
      if (!have_same_values(one, other, site)) return "the rows";
    }
    return "";
  }
  using Entries = std::vector<std::pair<std::int32_t, double>>;
  static Entries entries_of(const DatasetExample& example, std::size_t site) {
    Entries entries;
    for (auto k = static_cast<std::size_t>(example.row_from[site]);
         k < static_cast<std::size_t>(example.row_from[site + 1]); ++k) {
      if (example.value[k] != 0) entries.emplace_back(example.index[k], example.value[k]);
    }
    return entries;
  }
  static bool have_same_values(const DatasetExample& one, const DatasetExample& other,
                               std::size_t site) {
    const Entries first = entries_of(one, site);
    const Entries second = entries_of(other, site);
    return std::equal(
        first.begin(), first.end(), second.begin(), second.end(), [](const auto& a, const auto& b) {
          const Terms terms{std::abs(a.second) + std::abs(b.second), 2};
          return a.first == b.first && std::abs(a.second - b.second) <= terms.rounding();
        });
  }

  // What is learned from train holds for later splits: they may have fewer states and features, but
  // no others.
  void test_later_splits() {
    const DatasetExample& last = data_.in_files.back();
    test_later_split({}, 0, 0, "no example");
    test_later_split({last}, 5, 5, "more states and features");
    DatasetExample unknown = last;
    if (!unknown.truth.empty()) {
      unknown.truth.back() = data_.shape.state_count;
      test_later_split({last, unknown}, 0, 1, "an unknown label");
    }
    if (last.row_from.size() < 2) return;  // it has no site
    unknown = last;
    unknown.index.push_back(static_cast<std::int32_t>(data_.shape.feature_count));
    unknown.value.push_back(1);
    unknown.row_from.back() += 1;
    test_later_split({last, unknown}, 1, 0, "an unknown feature");
  }

  // The last of the examples may be unknown to train. SCULPT_E_DATA names it; otherwise its labels
  // and indices are those of train.
  void test_later_split(const std::vector<DatasetExample>& examples, std::int64_t new_columns,
                        std::int32_t new_states, const std::string& what) {
    context_.set_activity("lending a second split with " + what);
    context_.count();
    LentRows train(data_.in_files, data_.shape, RowForm::sparse);
    sculpt_sites_shape wider = data_.shape;
    wider.feature_count += new_columns;
    wider.state_count += new_states;
    LentRows rows(examples, wider, RowForm::sparse);
    const std::unique_ptr<LoneDataset> lent = create();
    const Component& dataset = lent->component();
    load_good(dataset, "train", train);
    ErrorBuffer error;
    const sculpt_status status = load(dataset, "test", rows.lend_to(dataset), error);
    const bool is_known = new_columns == 0 && new_states == 0;
    if (status == SCULPT_E_DATA && !is_known) {
      if (error.text().find("example ") != std::string::npos) return;
      return refuse("refuses a second split with " + what + ", but names no example: \"" +
                    error.text() + "\"");
    }
    if (status != SCULPT_OK) {
      return refuse("returns status " + std::to_string(status) + ", \"" + error.text() +
                    "\", for a second split with " + what +
                    (is_known ? "" : "; return SCULPT_E_DATA"));
    }
    lent->seal();
    const sculpt_sites_shape shape = DatasetRows(dataset).shape();
    bool is_of_train = shape.state_count == data_.shape.state_count &&
                       shape.feature_count == data_.shape.feature_count;
    for (const DatasetExample& example : examples_of(lent->dataset(), 2 * max_lent_examples)) {
      for (const std::int32_t label : example.truth) is_of_train &= label < data_.shape.state_count;
      for (const std::int32_t index : example.index)
        is_of_train &= index < data_.shape.feature_count;
    }
    if (!is_of_train) {
      refuse("takes new states or features from a second split with " + what +
             "; return SCULPT_E_DATA, or leave them out");
    }
  }

  void refuse(const std::string& what) const { component_.refuse(Exit::plugin, -1, what); }

  TestFixture& fixture_;
  TestContext& context_;
  const Component& component_;
  LentData data_;
};

// Rows in memory are read as those of files are, and later splits bring nothing new.
void dataset_memory_test(TestFixture& fixture, TestContext& context) {
  const Dataset& dataset = fixture.problem().dataset();
  const Component& component = dataset.component();
  if (component.answered_table(SCULPT_EXT_MEMORY_SOURCE) == nullptr) {
    context.skip_not_offered("rows in memory (" SCULPT_EXT_MEMORY_SOURCE ")");
  }
  const DatasetRows rows(component);
  if (!rows.is_offered()) context.skip("the dataset has no sites to take rows from");
  LentData data;
  data.shape = rows.shape();
  data.shape.feature_count = rows.column_count();
  const Range train = dataset.split("train");
  data.in_rows = examples_of(dataset, train.end);
  data.in_rows.erase(data.in_rows.begin(),
                     data.in_rows.begin() + static_cast<std::ptrdiff_t>(train.begin));
  const bool are_labelled = std::all_of(data.in_rows.begin(), data.in_rows.end(),
                                        [](const DatasetExample& one) { return one.is_labelled; });
  if (data.in_rows.empty() || train.size() > max_lent_examples || !are_labelled) {
    context.skip("the split train has no, too many or unlabelled examples");
  }
  data.in_files = data.in_rows;
  if (!undo_scales(component, data.in_files)) {
    context.skip("the values in the files are not known, because the rows are shifted");
  }
  MemoryTest(fixture, context, std::move(data)).run();
}

}  // namespace

std::span<const ExperimentTest> memory_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"dataset.memory", dataset_memory_test}}};
  return tests;
}

}  // namespace sculpt::core
