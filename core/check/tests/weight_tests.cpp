// Tests of what features offer about their weights and outputs: names, bounds, groups, enumerate.

#include <sculpt/ext/enumerate.h>
#include <sculpt/ext/groups.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text/message_text.hpp"
#include "check/answers/counter_example.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/labels_copy.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {
namespace {

using LabelLists = std::vector<std::vector<std::int32_t>>;

// Every weight has a name, the same in a second call. Two equal names are a warning, because a list
// of weights then does not tell them apart.
void features_names_test(TestFixture& fixture, TestContext& context) {
  const Features& features = fixture.problem().features();
  if (features.component().extension<sculpt_ext_names>() == nullptr) {
    context.skip_not_offered("names of weights");
  }
  const std::int64_t dimension = fixture.problem().dimension();
  const std::int64_t count =
      std::min(dimension, fixture.level().choose<std::int64_t>(200, 2000, 20000));
  std::map<std::string, std::int64_t> weights;
  TimeBudget budget(fixture.timer(), context, count, "weights");
  for (std::int64_t k = 0; k < count && budget.next(); ++k) {
    const std::int64_t weight = k * dimension / count;  // spread over all
    context.set_activity("the name of weight " + std::to_string(weight));
    context.count();
    const std::string name = features.weight_name(weight);
    const auto refuse = [&](const std::string& what) {
      features.component().refuse(Exit::plugin, -1,
                                  "weight " + std::to_string(weight) + " " + what);
    };
    if (name.empty()) refuse("has no name");
    if (name.find('\n') != std::string::npos) refuse("has a name of several lines");
    if (features.weight_name(weight) != name) refuse("has another name in a second call");
    const auto [other, is_new] = weights.try_emplace(name, weight);
    if (is_new || context.report().verdict == Verdict::warn) continue;
    context.warn(features.component().name() + ": the weights " + std::to_string(other->second) +
                 " and " + std::to_string(weight) + " have the same name, \"" + name + "\"");
  }
}

// Reads an array [dimension] with two fillings, and refuses entries that are not set.
template <class Value, class Read>
void check_array(const Component& features, std::int64_t dimension, const std::string& what,
                 std::array<Value, 2> fillings, Read read) {
  std::array<std::vector<Value>, 2> arrays;
  for (std::size_t k = 0; k < 2; ++k) {
    arrays[k].assign(static_cast<std::size_t>(dimension), fillings[k]);
    const FilledArray<Value> filled(features, "an array of weights", arrays[k]);
    read(filled.data());
    filled.take();
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(dimension); ++j) {
    if (arrays[0][j] == arrays[1][j]) continue;
    const bool is_unset = arrays[0][j] == fillings[0] && arrays[1][j] == fillings[1];
    features.refuse(Exit::plugin, -1,
                    (is_unset ? "does not set the " : "gives in a second call other ") + what +
                        " of weight " + std::to_string(j));
  }
}

void features_bounds_test(TestFixture& fixture, TestContext& context) {
  const Features& features = fixture.problem().features();
  const auto* const table = features.component().extension<sculpt_ext_weight_bounds>();
  if (table == nullptr) context.skip_not_offered("bounds of weights");
  context.count();
  features.nonnegative(fixture.problem().dimension());  // refuses other values than 0 and 1
  check_array<std::uint8_t>(features.component(), fixture.problem().dimension(), "bounds", {0, 1},
                            [&](std::uint8_t* out) {
                              features.component().call(
                                  "weight-bounds.bounds", -1, [&](sculpt_error* error) {
                                    return table->bounds(features.component().self(), out, error);
                                  });
                            });
}

void features_groups_test(TestFixture& fixture, TestContext& context) {
  const Features& features = fixture.problem().features();
  const auto* const table = answered<sculpt_ext_groups>(features.component(), SCULPT_EXT_GROUPS);
  if (table == nullptr) context.skip_not_offered("groups of weights");
  context.count();
  features.groups(fixture.problem().dimension());  // refuses numbers out of range
  check_array<std::int32_t>(features.component(), fixture.problem().dimension(), "groups", {-1, 0},
                            [&](std::int32_t* out) {
                              features.component().call("groups", -1, [&](sculpt_error* error) {
                                return table->groups(features.component().self(), out, error);
                              });
                            });
}

// What an enumeration passes to the host, which may end it.
struct Visited {
  LabelLists outputs;
  std::size_t most = SIZE_MAX;  // ends after this many
};
constexpr sculpt_status end_status = SCULPT_E_UNSUPPORTED;

sculpt_status visit_output(void* context, sculpt_labels y) noexcept {
  Visited& visited = *static_cast<Visited*>(context);
  try {
    visited.outputs.emplace_back(y.data, y.data + y.size);
  } catch (...) {
    return SCULPT_E_MEMORY;
  }
  return visited.outputs.size() < visited.most ? SCULPT_OK : end_status;
}

// The enumeration of one component.
class Enumeration {
 public:
  Enumeration(const Component& component, void* session)
      : component_(component),
        session_(session),
        table_(answered<sculpt_ext_enumerate>(component, SCULPT_EXT_ENUMERATE)) {}

  bool is_offered() const { return table_ != nullptr; }

  // Returns all outputs. Nothing if there are more than `limit`.
  std::optional<LabelLists> all(std::int64_t example, std::int64_t limit) const {
    Visited visited;
    const std::int64_t count = enumerate(example, limit, visited);
    if (count > limit) return std::nullopt;
    const auto found = static_cast<std::int64_t>(visited.outputs.size());
    if (count != found) {
      refuse(example,
             "counts " + count_text(count, "output") + ", but visits " + std::to_string(found));
    }
    std::sort(visited.outputs.begin(), visited.outputs.end());
    const auto twice = std::adjacent_find(visited.outputs.begin(), visited.outputs.end());
    if (twice != visited.outputs.end()) refuse(example, "visits " + labels_text(*twice) + " twice");
    check_limits(example, count, limit);
    return std::move(visited.outputs);
  }

  [[noreturn]] void refuse(std::int64_t example, const std::string& what) const {
    component_.refuse(Exit::plugin, example, "enumerate " + what);
  }

 private:
  std::int64_t enumerate(std::int64_t example, std::int64_t limit, Visited& visited) const {
    std::int64_t count = -1;
    component_.call("enumerate.enumerate", example, [&](sculpt_error* error) {
      return table_->enumerate(session_, example, limit, visit_output, &visited, &count, error);
    });
    return count;
  }

  // The limit is not exceeded, and the host can end the enumeration.
  void check_limits(std::int64_t example, std::int64_t count, std::int64_t limit) const {
    Visited visited;
    const std::int64_t other = count == 0 ? 1 : enumerate(example, count - 1, visited);
    if (other <= count - 1 || !visited.outputs.empty()) {
      refuse(example, "has " + count_text(count, "output") + ", but with the limit " +
                          std::to_string(count - 1) + " it counts " + std::to_string(other) +
                          " and visits " + std::to_string(visited.outputs.size()));
    }
    if (count < 2) return;
    Visited ended;
    ended.most = 1;
    std::int64_t ignored = 0;
    ErrorBuffer error;
    const sculpt_status status = component_.run_in_call_scope("enumerate.enumerate", example, [&] {
      return table_->enumerate(session_, example, limit, visit_output, &ended, &ignored,
                               error.raw());
    });
    if (status == end_status && ended.outputs.size() == 1) return;
    refuse(example, "goes on, or returns another status, after the host has ended it");
  }

  const Component& component_;
  void* session_;
  const sculpt_ext_enumerate* table_;
};

// Returns an output of `some` that `all` lacks, both sorted. Nothing if there is none.
std::optional<std::vector<std::int32_t>> missing_output(const LabelLists& some,
                                                        const LabelLists& all) {
  const auto missing = std::find_if(some.begin(), some.end(), [&](const auto& y) {
    return !std::binary_search(all.begin(), all.end(), y);
  });
  return missing == some.end() ? std::nullopt : std::optional(*missing);
}

LabelLists assignments(const sculpt_factor_graph& graph) {
  LabelLists all;
  each_assignment({graph.states, static_cast<std::size_t>(graph.variable_count)},
                  [&](const std::vector<std::int32_t>& y) { all.push_back(y); });
  std::sort(all.begin(), all.end());
  return all;
}

// True if a list of outputs may lack the truth, because the oracle says that it is outside, or that
// there are no outputs. A task lists only the outputs that its oracle searches.
bool may_lack_truth(TestFixture& fixture, std::int64_t example, const LabelLists& outputs) {
  const Weights w = zero_weights(fixture.problem().dimension());
  const OwnedAnswer answer = ask_oracle(fixture.problem(), {example, &w, 0, true, 1});
  return answer.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE) ||
         (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT) && outputs.empty());
}

// An enumeration lists each output once, keeps to its limit, and agrees with the factor graph. The
// truth and the outputs of the oracle are outputs of the features, unless the oracle says that
// there are none. Other tests rely on it.
void features_enumerate_test(TestFixture& fixture, TestContext& context) {
  Features& features = fixture.problem().features();
  const Component& oracle = fixture.oracle();
  const bool is_oracle = oracle.description().kind == SCULPT_KIND_ORACLE;
  Sessions sessions(oracle, 1);
  const Enumeration of_features(features.component(), features.session(0));
  const Enumeration of_oracle(oracle, is_oracle ? sessions.for_worker(0) : nullptr);
  const bool uses_oracle = is_oracle && of_oracle.is_offered();
  if (!of_features.is_offered() && !uses_oracle) context.skip_not_offered("enumerate");
  const auto limit = fixture.level().choose<std::int64_t>(200, 2000, 20000);
  FactorGraphReader graphs(features);
  for (const std::int64_t example : fixture.examples()) {
    context.set_activity("enumerating the outputs of example " + std::to_string(example));
    const auto outputs = of_features.is_offered() ? of_features.all(example, limit) : std::nullopt;
    const auto searched = uses_oracle ? of_oracle.all(example, limit) : std::nullopt;
    if (outputs || searched) context.count();
    if (outputs && searched && missing_output(*searched, *outputs)) {
      of_features.refuse(example, "leaves out " +
                                      labels_text(*missing_output(*searched, *outputs)) +
                                      ", which " + oracle.name() + " searches");
    }
    const std::vector<std::int32_t> truth = copy_of(fixture.truth(example));
    const bool is_listed = !outputs || std::binary_search(outputs->begin(), outputs->end(), truth);
    if (!is_listed && !may_lack_truth(fixture, example, *outputs)) {
      of_features.refuse(example, "leaves out the truth, " + labels_text(truth));
    }
    if (!outputs || !graphs.is_offered()) continue;
    const sculpt_factor_graph& graph = graphs.graph(example);
    if (assignment_count(graph, limit) > limit) {
      of_features.refuse(example, "lists fewer outputs than the factor graph has assignments");
    }
    const LabelLists all = assignments(graph);
    if (const auto y = missing_output(all, *outputs)) {
      of_features.refuse(example,
                         "leaves out " + labels_text(*y) + ", an assignment of the factor graph");
    }
    if (const auto y = missing_output(*outputs, all)) {
      of_features.refuse(example,
                         "lists " + labels_text(*y) + ", no assignment of the factor graph");
    }
  }
  if (context.cases() == 0) context.skip("all examples have too many outputs to list");
}

}  // namespace

std::span<const ExperimentTest> weight_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{
      {{"features.names", features_names_test},
       {"features.bounds", features_bounds_test},
       {"features.groups", features_groups_test},
       {"features.enumerate", features_enumerate_test}}};
  return tests;
}

}  // namespace sculpt::core
