#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "base/failure.hpp"
#include "core/batch/listed_batch.hpp"

namespace sculpt::core {
namespace {

struct Refusal {
  Exit exit = Exit::reached;
  std::string text;
  std::int64_t example = -1;
};

Refusal refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Failure& failure) {
    return {failure.exit_code(), failure.what(), failure.faulty_example().value_or(-1)};
  }
  return {};
}

void require_refusal(const Refusal& found, Exit exit, const std::string& text) {
  CHECK(found.exit == exit);
  CHECK_MESSAGE(found.text.find(text) != std::string::npos, found.text);
}

ListedBatch chains() {
  ListedBatch batch = listed_chains({3, 2}, 3, true);
  batch.draw(1);
  return batch;
}

// Opens the graphs of these arrays: two examples of two variables, joined in the first.
struct Arrays {
  std::vector<std::int64_t> variable_from = {0, 2, 4};
  std::vector<std::int32_t> states = {2, 3, 2, 3};
  std::vector<std::int64_t> factor_from = {0, 1, 1};
  std::vector<std::int64_t> scope_from = {0, 2};
  std::vector<std::int32_t> scope = {0, 1};
  std::vector<std::int32_t> shared_table = {0};
  std::vector<std::int64_t> shared_sizes = {6};
  sculpt_batch_graph_arrays record = {};

  Arrays() {
    record.struct_size = sizeof record;
    record.example_count = 2;
    record.shared_count = 1;
  }
  void open() {
    record.variable_from = variable_from.data();
    record.states = states.data();
    record.factor_from = factor_from.data();
    record.scope_from = scope_from.data();
    record.scope = scope.data();
    record.shared_table = shared_table.data();
    record.shared_sizes = shared_sizes.data();
    open_record();
  }
  void open_record() const {
    sculpt_batch_graphs* graphs = nullptr;
    sculpt_failure* failure = nullptr;
    const sculpt_exit exit = sculpt_batch_graphs_open(&record, &graphs, &failure);
    CHECK((exit == SCULPT_EXIT_REACHED) == (graphs != nullptr));
    sculpt_batch_graphs_free(graphs);
    require_success(exit, failure);
  }
};

}  // namespace

TEST_CASE("batch: wrong graphs are refused with their place") {
  const auto refused = [](const char* text, const std::function<void(Arrays&)>& change) {
    Arrays arrays;
    change(arrays);
    require_refusal(refusal_of([&] { arrays.open(); }), Exit::usage, text);
  };
  Arrays().open();
  refused("variable_from[2] is 1, below 2 before it", [](Arrays& a) { a.variable_from[2] = 1; });
  refused("variable_from[0] is 1", [](Arrays& a) { a.variable_from[0] = 1; });
  refused("variable 1 of example 1 has 0 states", [](Arrays& a) { a.states[3] = 0; });
  refused("factor_from[1] is -1, below 0", [](Arrays& a) { a.factor_from[1] = -1; });
  refused("scope_from[1] is -2, below 0", [](Arrays& a) { a.scope_from[1] = -2; });
  refused("factor 0 of example 0 has no variables", [](Arrays& a) { a.scope_from[1] = 0; });
  refused("names variable 2; the example has 2", [](Arrays& a) { a.scope[1] = 2; });
  refused("names variable 0 twice", [](Arrays& a) { a.scope[1] = 0; });
  refused("uses shared table 1; there are 1", [](Arrays& a) { a.shared_table[0] = 1; });
  refused("needs 6 cells, but shared table 0 has 4", [](Arrays& a) { a.shared_sizes[0] = 4; });
  refused("shared_sizes[0] is -6", [](Arrays& a) { a.shared_sizes[0] = -6; });
  refused("with other numbers of states", [](Arrays& a) {
    a.factor_from[2] = 2;
    a.scope_from = {0, 2, 4};
    a.scope = {0, 1, 1, 0};
    a.shared_table = {0, 0};
  });
  refused("example_count is -1", [](Arrays& a) { a.record.example_count = -1; });
  refused("shared_count is -1", [](Arrays& a) { a.record.shared_count = -1; });
  refused("struct_size is 0", [](Arrays& a) { a.record.struct_size = 0; });
  // A record of the fields up to example_count has no arrays.
  refused("variable_from is NULL", [](Arrays& a) { a.record.struct_size = 16; });
  refused("more than 2147483648 cells", [](Arrays& a) {
    a.states = {100000, 100000, 2, 3};
    a.shared_table[0] = -1;
  });
}

TEST_CASE("batch: wrong arguments of chains are refused") {
  const auto refused = [](const char* text, const std::vector<std::int64_t>& lengths,
                          std::int32_t labels, std::int32_t tables) {
    require_refusal(refusal_of([&] { const OpenGraphs graphs(lengths, labels, tables); }),
                    Exit::usage, text);
  };
  refused("the length of example 1 is -2", {3, -2}, 2, 0);
  refused("label_count is 0", {3}, 0, 0);
  refused("tables is 2", {3}, 3, 2);
  refused("more than 2147483648 cells", {INT64_MAX}, 3, 0);
  refused("more than 2147483648 cells", {1000}, 60000, 1);
}

TEST_CASE("batch: scores that are no usable numbers are refused with their place") {
  OpenBatch viterbi("viterbi");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ListedBatch batch = chains();
  batch.unary[9 + 4] = nan;
  Refusal found = refusal_of([&] { (void)viterbi.compute(SCULPT_BATCH_HINGE, batch); });
  require_refusal(found, Exit::data, "example 1: the score of label 1 of variable 1 is nan");
  CHECK(found.example == 1);
  batch = chains();
  batch.shared[7] = -INFINITY;
  require_refusal(refusal_of([&] { (void)viterbi.compute(SCULPT_BATCH_HINGE, batch); }), Exit::data,
                  "shared[7] is -inf; scores must be between");
  batch = listed_chains({1, 3}, 2, false);
  batch.draw(1);
  batch.tables[6] = INFINITY;
  require_refusal(refusal_of([&] { (void)viterbi.compute(ListedBatch::best, batch); }), Exit::data,
                  "example 1: the score of cell 2 of factor 1 is inf");
  batch = chains();
  batch.unary[3] = -2e100;
  require_refusal(refusal_of([&] { (void)viterbi.compute(ListedBatch::log_z, batch); }), Exit::data,
                  "label 0 of variable 1 is -2e+100");
  batch = chains();
  for (double& score : batch.unary) score *= 1e99;
  for (const std::int32_t exact : viterbi.compute(SCULPT_BATCH_HINGE, batch).exact) {
    CHECK(exact == 1);
  }
}

TEST_CASE("batch: wrong truths and weights are refused with their place") {
  OpenBatch viterbi("viterbi");
  const auto refused = [&](Exit exit, const char* text,
                           const std::function<void(ListedBatch&)>& change) {
    ListedBatch batch = chains();
    const OpenGraphs graphs(batch);
    change(batch);
    require_refusal(refusal_of([&] { (void)viterbi.compute(SCULPT_BATCH_HINGE, graphs, batch); }),
                    exit, text);
  };
  refused(Exit::data, "example 1: its truth has label 3 at variable 1, which has 3 states",
          [](ListedBatch& b) { b.truths[4] = 3; });
  refused(Exit::data, "label -2 at variable 0", [](ListedBatch& b) { b.truths[0] = -2; });
  refused(Exit::usage, "truths has 4 labels; the graphs have 5 variables",
          [](ListedBatch& b) { b.truths.pop_back(); });
  refused(Exit::usage, "unary has 16 cells in the input; the graphs have 15",
          [](ListedBatch& b) { b.unary.push_back(0); });
  refused(Exit::usage, "shared has 0 cells", [](ListedBatch& b) { b.shared.clear(); });
  refused(Exit::data, "variable_weights[2] is -1", [](ListedBatch& b) {
    b.variable_weights = {1, 1, -1, 1, 1};
  });
  refused(Exit::data, "example_weights[1] is nan; it must be finite", [](ListedBatch& b) {
    b.example_weights = {1, std::nan("")};
  });
  refused(Exit::usage, "costs are between 2 labels", [](ListedBatch& b) {
    b.costs = {0, 1, 1, 0};
    b.cost_count = 2;
  });
  refused(Exit::data, "the cost of the true label 1 is 2", [](ListedBatch& b) {
    b.costs = {0, 1, 1, 1, 2, 1, 1, 1, 0};
    b.cost_count = 3;
  });
}

TEST_CASE("batch: a map_solver that cannot is refused, with others that can") {
  require_refusal(refusal_of([] { OpenBatch("viterbl"); }), Exit::config, "viterbi");
  require_refusal(refusal_of([] { OpenBatch("viterbi", 1, R"({"max_cell": 3})"); }), Exit::config,
                  "parameters:1:2: ");
  require_refusal(refusal_of([] { OpenBatch("viterbi", 1, "[]"); }), Exit::config, "JSON object");
  require_refusal(refusal_of([] { OpenBatch("viterbi", 5000); }), Exit::usage, "threads is 5000");
  const ListedBatch grids = attractive_grids(1);
  OpenBatch viterbi("viterbi");
  require_refusal(refusal_of([&] { (void)viterbi.compute(SCULPT_BATCH_HINGE, grids); }),
                  Exit::config, "the graph of example 1 has these classes: pairwise, binary");
  OpenBatch graph_cut("graph_cut");
  require_refusal(refusal_of([&] { (void)graph_cut.compute(SCULPT_BATCH_LOG_LOSS, grids); }),
                  Exit::config, "belief_propagation");
  require_refusal(refusal_of([&] { (void)graph_cut.compute(SCULPT_BATCH_HINGE, chains()); }),
                  Exit::config, "graph_cut needs");
  ListedBatch repulsive = attractive_grids(1);
  repulsive.tables[9] += 10;  // cell 1 of the first factor of example 1
  require_refusal(refusal_of([&] { (void)graph_cut.compute(SCULPT_BATCH_HINGE, repulsive); }),
                  Exit::data, "example 1: factor 0 over the variables 0 and 1 rewards labels");
}

TEST_CASE("batch: NULL, wrong kinds and short records give failures") {
  OpenBatch viterbi("viterbi");
  const ListedBatch batch = chains();
  const OpenGraphs graphs(batch);
  const sculpt_batch_input input = input_of(batch);
  sculpt_batch_output output = {};
  output.struct_size = sizeof output;
  sculpt_batch* const solver = viterbi.get();
  // Without a failure, and without any output.
  CHECK(sculpt_batch_loss(solver, graphs.get(), 0, &input, &output, nullptr) ==
        SCULPT_EXIT_REACHED);
  CHECK(sculpt_batch_loss(solver, graphs.get(), 4, &input, &output, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(sculpt_batch_loss(nullptr, graphs.get(), 0, &input, &output, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(sculpt_batch_loss(solver, nullptr, 0, &input, &output, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(sculpt_batch_decode(solver, graphs.get(), nullptr, &output, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(sculpt_batch_marginals(solver, graphs.get(), &input, nullptr, nullptr) ==
        SCULPT_EXIT_USAGE);
  CHECK(sculpt_batch_graphs_layout(nullptr, nullptr, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(sculpt_batch_open(nullptr, nullptr, nullptr) == SCULPT_EXIT_USAGE);
  sculpt_batch_options options = {};
  options.struct_size = sizeof options;
  sculpt_batch* none = solver;
  CHECK(sculpt_batch_open(&options, &none, nullptr) == SCULPT_EXIT_USAGE);  // no map_solver
  CHECK(none == nullptr);
  sculpt_batch_free(nullptr);
  sculpt_batch_graphs_free(nullptr);
  sculpt_batch_stop(nullptr);
  // A caller that was built with the fields up to `unary` of the output only.
  std::vector<double> values(2, -1);
  std::vector<double> unary(batch.unary.size(), -1);
  output.values = values.data();
  output.unary = unary.data();
  output.struct_size = 8 + sizeof values.data();
  CHECK(sculpt_batch_loss(solver, graphs.get(), 0, &input, &output, nullptr) ==
        SCULPT_EXIT_REACHED);
  CHECK(values[0] >= 0);
  CHECK(unary == std::vector<double>(batch.unary.size(), -1));
}

}  // namespace sculpt::core
