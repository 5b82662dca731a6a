// Tests of what a dataset offers about its inputs and outputs: sites (ext/sites.h), kinds of edges,
// and the parts of outputs (ext/items.h).

#include <sculpt/ext/draft/edge_kinds.h>
#include <sculpt/ext/items.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/counter_example.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/components/count_loss.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/components/output_shape.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/labels_copy.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

namespace {

constexpr std::int64_t max_site_examples = 20000;
constexpr std::int64_t max_names = 2000;

// Reads the sites of a dataset and refuses what breaks ext/sites.h. The host compares the truths
// with the sites, unless other components say which shape the outputs have.
class SiteReader {
 public:
  explicit SiteReader(Dataset& dataset)
      : component_(dataset.component()), rows_(component_), shape_(rows_.shape()) {
    if (shape_.state_count >= 0 && shape_.feature_count >= 0 && shape_.variable_count >= 0) return;
    component_.refuse(Exit::plugin, -1, "the shape of its sites has a negative number");
  }

  sculpt_sites check(std::int64_t example) const {
    const sculpt_sites sites = rows_.sites(example);
    const auto refuse = [&](const std::string& what) {
      component_.refuse(Exit::plugin, example, "its sites: " + what);
    };
    for (std::int64_t i = 0; i < sites.site_count; ++i) {
      if (sites.row_from[i] > sites.row_from[i + 1]) refuse("row_from decreases");
      for (std::int64_t k = sites.row_from[i]; k < sites.row_from[i + 1]; ++k) {
        if (sites.index[k] < 0 || sites.index[k] >= shape_.feature_count) {
          refuse("the index " + std::to_string(sites.index[k]) + " is outside [0, " +
                 std::to_string(shape_.feature_count) + ")");
        }
        if (k > sites.row_from[i] && sites.index[k - 1] >= sites.index[k]) {
          refuse("the indices of site " + std::to_string(i) + " do not increase");
        }
        if (!std::isfinite(sites.value[k])) refuse("a value is not finite");
      }
    }
    for (std::int64_t k = 0; k < 2 * sites.edge_count; ++k) {
      if (sites.edge != nullptr && sites.edge[k] >= 0 && sites.edge[k] < sites.site_count) continue;
      refuse("an edge is NULL, or joins a site outside [0, " + std::to_string(sites.site_count) +
             ")");
    }
    return sites;
  }

  std::int32_t state_count() const { return shape_.state_count; }
  std::string state_name(std::int32_t state) const {
    ByteBuffer text;
    component_.call("sites.state_name", -1, [&](sculpt_error* error) {
      return table().state_name(component_.self(), state, text.raw(), error);
    });
    return text.text_of(component_, -1);
  }

 private:
  const sculpt_ext_sites& table() const {
    return *answered<sculpt_ext_sites>(component_, SCULPT_EXT_SITES);
  }

  const Component& component_;
  DatasetRows rows_;
  sculpt_sites_shape shape_;
};

// Each edge has one of the kinds, and each kind has a name.
class EdgeKindReader {
 public:
  explicit EdgeKindReader(const Component& dataset)
      : dataset_(dataset), table_(answered<sculpt_ext_edge_kinds>(dataset, SCULPT_EXT_EDGE_KINDS)) {
    if (table_ == nullptr) return;
    dataset_.call("edge-kinds.count", -1, [&](sculpt_error* error) {
      return table_->count(dataset_.self(), &count_, error);
    });
    std::set<std::string> names;
    for (std::int32_t kind = 0; kind < count_; ++kind) {
      ByteBuffer text;
      dataset_.call("edge-kinds.name", -1, [&](sculpt_error* error) {
        return table_->name(dataset_.self(), kind, text.raw(), error);
      });
      const std::string name = text.text_of(dataset_, -1);
      if (!name.empty() && names.insert(name).second) continue;
      dataset_.refuse(Exit::plugin, -1,
                      "its kind of edges " + std::to_string(kind) + " has the name \"" + name +
                          "\"; give each kind a name of its own");
    }
  }

  void check(std::int64_t example, std::int64_t edge_count) const {
    if (table_ == nullptr) return;
    const std::int32_t* kinds = nullptr;
    dataset_.call("edge-kinds.kinds", example, [&](sculpt_error* error) {
      return table_->kinds(dataset_.self(), example, &kinds, error);
    });
    if (edge_count > 0 && kinds == nullptr) {
      dataset_.refuse(Exit::plugin, example, "it has edges, but no kinds of them");
    }
    for (std::int64_t e = 0; e < edge_count; ++e) {
      if (kinds[e] >= 0 && kinds[e] < count_) continue;
      dataset_.refuse(Exit::plugin, example,
                      "edge " + std::to_string(e) + " is of the kind " + std::to_string(kinds[e]) +
                          ", but there are " + std::to_string(count_));
    }
  }

 private:
  const Component& dataset_;
  const sculpt_ext_edge_kinds* table_;
  std::int32_t count_ = 0;
};

// True if the shape of the outputs is that of the sites.
bool shape_is_of_sites(Problem& problem) {
  return problem.features().component().extension<sculpt_ext_output_shape>() == nullptr &&
         problem.dataset().component().extension<sculpt_ext_output_shape>() == nullptr &&
         !FactorGraphReader(problem.features()).is_offered();
}

// The host takes 0 states for any number of them. But then they have no names.
void require_states(Dataset& dataset, std::int64_t example) {
  const std::vector<std::int32_t> truth = copy_of(dataset.truth(example));
  const auto label =
      std::find_if(truth.begin(), truth.end(), [](std::int32_t value) { return value >= 0; });
  if (label == truth.end()) return;
  dataset.component().refuse(Exit::plugin, example,
                             "its truth has the label " + std::to_string(*label) +
                                 ", but its sites have no states; set state_count to the number of "
                                 "labels");
}

void dataset_sites_test(TestFixture& fixture, TestContext& context) {
  Dataset& dataset = fixture.problem().dataset();
  if (dataset.component().answered_table(SCULPT_EXT_SITES) == nullptr) {
    context.skip_not_offered("sites");
  }
  context.set_activity("the shape of the sites");
  const SiteReader reader(dataset);
  const EdgeKindReader kinds(dataset.component());
  std::set<std::string> names;
  for (std::int32_t state = 0; state < std::min<std::int64_t>(reader.state_count(), max_names);
       ++state) {
    context.count();
    const std::string name = reader.state_name(state);
    if (!name.empty() && names.insert(name).second) continue;
    dataset.component().refuse(Exit::plugin, -1,
                               "its label " + std::to_string(state) + " has the name \"" + name +
                                   "\"; give each label a name of its own");
  }
  const bool has_no_states = reader.state_count() == 0 && shape_is_of_sites(fixture.problem());
  const std::int64_t count = std::min(dataset.count(), max_site_examples);
  for (std::int64_t example = 0; example < count; ++example) {
    context.set_activity("the sites of example " + std::to_string(example));
    context.count();
    kinds.check(example, reader.check(example).edge_count);
    if (has_no_states) require_states(dataset, example);
  }
}

// The parts of outputs, read with the exact capacity and with too little.
class ItemReader {
 public:
  explicit ItemReader(const Component& dataset)
      : dataset_(dataset), table_(*answered<sculpt_ext_items>(dataset, SCULPT_EXT_ITEMS)) {}

  std::vector<std::int64_t> items(std::int64_t example, sculpt_labels y) const {
    const std::int64_t count = read(example, y, 0).second;
    if (count > 0) read(example, y, count - 1);
    auto [items, same_count] = read(example, y, count);
    const bool is_valid = same_count == count && std::is_sorted(items.begin(), items.end()) &&
                          (items.empty() || items.front() >= 0);
    if (!is_valid) refuse(example, "are not numbers from 0 in ascending order");
    if (read(example, y, count).first != items) refuse(example, "differ in a second call");
    return items;
  }

  bool splits_over_labels() const { return table_.item_of_label != nullptr; }
  // Returns the parts of the labels of y, in ascending order.
  std::vector<std::int64_t> items_of_labels(std::int64_t example, sculpt_labels y) const {
    std::vector<std::int64_t> items;
    for (std::int64_t variable = 0; variable < y.size; ++variable) {
      std::int64_t item = -2;
      dataset_.call("items.item_of_label", example, [&](sculpt_error* error) {
        return table_.item_of_label(dataset_.self(), example, variable, y.data[variable], &item,
                                    error);
      });
      if (item < -1) refuse(example, "have the number " + std::to_string(item) + " for a label");
      if (item >= 0) items.push_back(item);
    }
    std::sort(items.begin(), items.end());
    return items;
  }

  [[noreturn]] void refuse(std::int64_t example, const std::string& what) const {
    dataset_.refuse(Exit::plugin, example, "the parts of an output (" SCULPT_EXT_ITEMS ") " + what);
  }

 private:
  static constexpr std::int64_t unset = -77;  // an entry that was not written

  // Returns [capacity] entries, and the number of parts. The entries are written only if there is
  // room for all parts.
  std::pair<std::vector<std::int64_t>, std::int64_t> read(std::int64_t example, sculpt_labels y,
                                                          std::int64_t capacity) const {
    std::vector<std::int64_t> items(static_cast<std::size_t>(capacity), unset);
    std::int64_t count = unset;
    const LentLabels labels(dataset_, "the labels of the output", y);
    const FilledArray<std::int64_t> filled(dataset_, "the parts of the output", items);
    dataset_.call("items.items", example, [&](sculpt_error* error) {
      return table_.items(dataset_.self(), example, labels.raw(), filled.data(), capacity, &count,
                          error);
    });
    filled.take();
    labels.require_unchanged(example);
    if (count < 0) refuse(example, "have a number below 0");
    const bool is_written =
        std::any_of(items.begin(), items.end(), [](std::int64_t item) { return item != unset; });
    if (count > capacity && is_written) {
      refuse(example, "are written, but their array has no room for all of them");
    }
    return {std::move(items), count};
  }

  const Component& dataset_;
  const sculpt_ext_items& table_;
};

// The counts of a loss whose counts are all named "matched" or "predicted". Nothing for others.
class ItemCounts {
 public:
  explicit ItemCounts(Loss* loss) {
    if (loss != nullptr) count_loss_ = CountLoss::if_offered(*loss);
    if (!count_loss_) return;
    for (const sculpt_count& count : count_loss_->counts()) {
      const std::string_view name = count.name;
      if (name != "matched" && name != "predicted") count_loss_.reset();
      if (!count_loss_) return;
    }
  }

  // Returns "the loss is 1, but that of its counts, 2 matched, is 0.5", or "".
  std::string fault(std::int64_t example, sculpt_labels truth, const Output& output,
                    const std::vector<std::int64_t>& in_truth,
                    const std::vector<std::int64_t>& in_output) {
    if (!count_loss_) return "";
    std::vector<std::int64_t> matched;
    std::set_intersection(in_truth.begin(), in_truth.end(), in_output.begin(), in_output.end(),
                          std::back_inserter(matched));
    Counts counts = {};
    for (std::size_t k = 0; k < count_loss_->counts().size(); ++k) {
      const sculpt_count& count = count_loss_->counts()[k];
      const std::size_t parts =
          std::string_view(count.name) == "matched" ? matched.size() : in_output.size();
      counts[k] = std::min(static_cast<std::int64_t>(parts), count.limit);
    }
    const double value = count_loss_->value(0, example, truth, counts);
    if (std::abs(value - output.loss) <= rounding_of_loss(output)) return "";
    return "the loss is " + exact_number_text(output.loss) + ", but by its parts the output has " +
           counts_text(count_loss_->counts(), counts) + ", with the loss " +
           exact_number_text(value);
  }

 private:
  std::optional<CountLoss> count_loss_;
};

// Parts are sorted numbers, agree with those of the labels, and give the counts of the loss.
void dataset_items_test(TestFixture& fixture, TestContext& context) {
  const Component& dataset = fixture.problem().dataset().component();
  if (dataset.answered_table(SCULPT_EXT_ITEMS) == nullptr) context.skip_not_offered("items");
  const ItemReader reader(dataset);
  ItemCounts item_counts(fixture.problem().loss());
  const auto max_outputs = fixture.level().choose<std::size_t>(50, 200, 1000);
  TimeBudget budget(fixture.timer(), context, fixture.output_count(max_outputs), "outputs");
  for (const std::int64_t example : fixture.examples()) {
    const std::vector<Output>& outputs = fixture.outputs(example).outputs;
    const std::vector<std::int64_t> in_truth = reader.items(example, fixture.truth(example));
    for (std::size_t k = 0; k < std::min(max_outputs, outputs.size()); ++k) {
      const Output& output = outputs[k];
      if (!budget.next()) return;
      context.set_activity("the parts of " + labels_text(output.labels));
      context.count();
      const std::vector<std::int64_t> items = reader.items(example, output.raw());
      if (reader.splits_over_labels() && reader.items_of_labels(example, output.raw()) != items) {
        reader.refuse(example, "are not those of its labels, " + labels_text(output.labels));
      }
      const std::string fault =
          item_counts.fault(example, fixture.truth(example), output, in_truth, items);
      if (fault.empty()) continue;
      context.fail(
          {fixture.problem().loss()->component().name() + " or " + dataset.name() + ": " + fault,
           example_text(fixture, example),
           "  output  " + fixture.problem().dataset().format(example, output.raw()) + " " +
               labels_text(output.labels)});
    }
  }
  if (context.cases() == 0) context.skip("no example has a complete truth");
}

}  // namespace

std::span<const ExperimentTest> site_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"dataset.sites", dataset_sites_test}, {"dataset.items", dataset_items_test}}};
  return tests;
}

}  // namespace sculpt::core
