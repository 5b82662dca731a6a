// Training on arrays: the same optimum, weights and outputs, bit for bit, as on the equivalent text
// file; models that restore and predict from arrays.

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/run_identity.hpp"
#include "launch/split_sources.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/sources/problem_ports.hpp"
#include "solver/catalogue/solver_list.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;
using Outputs = std::vector<std::vector<std::int32_t>>;

Registry& shipped() {
  static Registry registry({{std::filesystem::path(PLUGIN_FOLDER)}, "/", {}});
  return registry;
}

Outputs outputs_of(Problem& problem, const Vector& w, const std::string& split) {
  Outputs outputs;
  Predictor predictor(problem, w, 1);
  predictor.run(problem.dataset().split(split),
                [&](std::int64_t, const Prediction& one) { outputs.push_back(one.labels); });
  return outputs;
}

// A trained experiment.
struct Run {
  std::unique_ptr<Assembly> assembly;
  std::unique_ptr<Problem> problem;
  Result result;
  Outputs outputs;  // of the split test

  // Writes the model to a file, and returns its bytes.
  std::string write(const std::filesystem::path& path) const {
    const ChosenSolver solver(assembly->experiment().solver);
    std::map<std::string, std::string> states;
    for (const Problem::State& state : problem->states()) states[state.kind] = state.bytes;
    const Json header = RunIdentity(*assembly, solver).model_header(data_hashes(*assembly));
    write_model(path, {header, result.w, states});
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

// `dataset` and `rest`: parts of an experiment.
Experiment experiment_of(const std::string& dataset, const std::string& rest) {
  const std::string text = "{\"dataset\": " + dataset + ", " + rest + "}";
  return Experiment(JsonDocument::parse(text, {"x.json", "/"}), {}, declared_in(shipped()));
}

Run train(const Experiment& experiment) {
  Run run;
  run.assembly = std::make_unique<Assembly>(experiment, shipped());
  const ChosenSolver chosen(experiment.solver);
  const auto solver = chosen.descriptor.create(chosen.parameters.values());
  ProblemSpec spec = run.assembly->problem_spec(sources_of(experiment));
  spec.formulation = solver->formulation();
  run.problem = std::make_unique<Problem>(spec, Purpose::training, 1, Callbacks());
  ProblemPorts ports(*run.problem, 1);
  Listener listener;
  run.result = solver->solve(*ports.ports().planes, listener, [] { return false; });
  if (run.problem->kernel() == nullptr) {
    run.outputs = outputs_of(*run.problem, run.result.w, "test");
  }
  return run;
}
Run train(const std::string& dataset, const std::string& rest) {
  return train(experiment_of(dataset, rest));
}

std::vector<std::string> weight_names(Run& run) {
  std::vector<std::string> names;
  for (std::int64_t j = 0; j < run.problem->dimension(); ++j) {
    names.push_back(run.problem->features().weight_name(j));
  }
  return names;
}

void check_same(const Run& ours, const Run& theirs) {
  CHECK(ours.result.certified);
  CHECK(ours.result.primal == theirs.result.primal);
  CHECK(ours.result.dual == theirs.result.dual);
  CHECK(ours.result.w == theirs.result.w);
  CHECK(ours.outputs == theirs.outputs);
}

const std::string solver = R"("solver": {"use": "n_slack", "C": 5, "relative_gap": 1e-6})";
const std::string classes =
    R"("features": "multiclass", "loss": "zero_one", "oracle": "enumerate", )" + solver;
const std::string rows_text = R"({"use": "svmlight",
  "train": {"text": "+1 1:1 3:0.5\n-1 2:1\n+1 1:0.5 2:0.25\n-1 3:-1\n-1 1:0.5\n"},
  "test": {"text": "-1 2:2\n+1 1:3\n-1 1:0.4 3:-1\n"})";
const std::string sparse_rows = R"({"use": "arrays",
  "train": {"arrays": {"state_count": 2, "state_name": ["-1", "+1"], "feature_count": 3,
    "row_from": [0, 2, 3, 5, 6, 7], "index": [0, 2, 1, 0, 1, 2, 0],
    "value": [1, 0.5, 1, 0.5, 0.25, -1, 0.5], "label": [1, 0, 1, 0, 0]}},
  "test": {"arrays": {"state_count": 2, "feature_count": 3, "row_from": [0, 1, 2, 4],
    "index": [1, 0, 0, 2], "value": [2, 3, 0.4, -1], "label": [0, 1, 0]}})";
const std::string dense_rows = R"({"use": "arrays",
  "train": {"arrays": {"state_count": 2, "state_name": ["-1", "+1"], "feature_count": 3,
    "value": [1, 0, 0.5, 0, 1, 0, 0.5, 0.25, 0, 0, 0, -1, 0.5, 0, 0], "label": [1, 0, 1, 0, 0]}},
  "test": {"arrays": {"state_count": 2, "feature_count": 3,
    "value": [0, 2, 0, 3, 0, 0, 0.4, 0, -1], "label": [0, 1, 0]}})";

TEST_CASE("rows in memory, sparse or dense, train the same classifier as their text") {
  const Run text = train(rows_text + "}", classes);
  for (const std::string& rows : {sparse_rows, dense_rows}) {
    Run run = train(rows + "}", classes);
    check_same(run, text);
    CHECK(run.problem->dataset().format(0, run.problem->dataset().truth(0)) == "+1");
    CHECK(weight_names(run)[1] == "feature 0, label +1");
  }
}

TEST_CASE("scaled rows in memory train the same classifier as the scaled text") {
  for (const std::string scaling : {"standard", "min_max"}) {
    const std::string key = ", \"scaling\": \"" + scaling + "\"}";
    const Run text = train(rows_text + key, classes);
    check_same(train(sparse_rows + key, classes), text);
    check_same(train(dense_rows + key, classes), text);
  }
}

TEST_CASE("weights of examples in memory are those of a text") {
  std::string weighted = sparse_rows;
  weighted.replace(weighted.find("\"label\""), 0, R"("weight": [3, 0.5, 3, 0.5, 0.5], )");
  check_same(train(weighted + "}", classes),
             train(rows_text + R"(, "label_weights": ["1:3", "-1:0.5"]})", classes));
}

TEST_CASE("kernels compare rows in memory as those of a text") {
  const std::string kernel = R"("kernel": {"use": "rbf", "gamma": 0.5}, )" + classes;
  const Run text = train(rows_text + "}", kernel);
  for (const std::string& rows : {sparse_rows, dense_rows}) {
    const Run run = train(rows + "}", kernel);
    CHECK(run.result.primal == text.result.primal);
    CHECK(run.result.dual == text.result.dual);
    CHECK(run.result.w == text.result.w);
  }
}

TEST_CASE("sequences in memory train the same chain as their text") {
  const std::string chain =
      R"("features": {"use": "chain", "start_end": true}, "loss": "hamming", "oracle": "viterbi", )" +
      solver;
  const Run text = train(
      R"({"use": "letters",
    "train": {"text": "1 0 0 a 1 100\n1 0 1 b 1 010\n1 0 2 b 0 011\n2 0 0 b 1 110\n2 0 1 a 0 001\n3 0 0 b 0 101\n4 0 0 a 1 011\n4 0 1 a 0 010\n"},
    "test": {"text": "1 0 0 a 1 101\n1 0 1 b 0 010\n"}})",
      chain);
  const std::string sparse = R"({"use": "arrays",
    "train": {"arrays": {"state_count": 2, "state_name": ["a", "b"], "feature_count": 3,
      "first_site": [0, 3, 5, 6, 8], "row_from": [0, 1, 2, 4, 6, 7, 9, 11, 12],
      "index": [0, 1, 1, 2, 0, 1, 2, 0, 2, 1, 2, 1],
      "value": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], "label": [0, 1, 1, 1, 0, 1, 0, 0]}},
    "test": {"arrays": {"state_count": 2, "feature_count": 3, "first_site": [0, 2],
      "row_from": [0, 2, 3], "index": [0, 2, 1], "value": [1, 1, 1], "label": [0, 1]}}})";
  const std::string dense = R"({"use": "arrays",
    "train": {"arrays": {"state_count": 2, "feature_count": 3, "first_site": [0, 3, 5, 6, 8],
      "value": [1,0,0, 0,1,0, 0,1,1, 1,1,0, 0,0,1, 1,0,1, 0,1,1, 0,1,0],
      "label": [0, 1, 1, 1, 0, 1, 0, 0]}},
    "test": {"arrays": {"feature_count": 3, "first_site": [0, 2], "value": [1,0,1, 0,1,0]}}})";
  Run run = train(sparse, chain);
  check_same(run, text);
  CHECK(run.problem->dataset().format(1, run.problem->dataset().truth(1)) == "b a");
  check_same(train(dense, chain), text);
}

TEST_CASE("graphs in memory train the same weights of nodes and of edge kinds as their text") {
  const std::string graphs =
      R"("features": "graph", "loss": "hamming", "oracle": "enumerate", )" + solver;
  Run text = train(R"({"use": "graph", "train": {"text":
    "graph one\na 1:1\nb 2:1\na 1:0.5 2:1\nedge 1 2 cites\nedge 3 2 cites\nedge 1 3\ngraph two\nb 2:2\na 1:1\nedge 2 1 cites\ngraph three\na 1:2\na 2:-1\nedge 1 2\ngraph four\nc 1:1\n"},
    "test": {"text": "graph five\na 1:1\nc 2:3\nedge 1 2 cites\n"}})",
                   graphs);
  Run run = train(R"({"use": "arrays", "train": {"arrays": {
      "state_count": 3, "state_name": ["a", "b", "c"], "feature_count": 2,
      "feature_name": ["feature 1", "feature 2"],
      "first_site": [0, 3, 5, 7, 8], "row_from": [0, 1, 2, 4, 5, 6, 7, 8, 9],
      "index": [0, 1, 0, 1, 1, 0, 0, 1, 0], "value": [1, 1, 0.5, 1, 2, 1, 2, -1, 1],
      "first_edge": [0, 3, 4, 5, 5], "edge": [0, 1, 2, 1, 0, 2, 1, 0, 0, 1],
      "edge_kind": [0, 0, 1, 0, 1], "edge_kind_count": 2, "edge_kind_name": ["cites", "edge"],
      "label": [0, 1, 0, 1, 0, 0, 0, 2]}},
    "test": {"arrays": {"state_count": 3, "feature_count": 2, "first_site": [0, 2],
      "row_from": [0, 1, 2], "index": [0, 1], "value": [1, 3], "first_edge": [0, 1], "edge": [0, 1],
      "label": [0, 2]}}})",
                  graphs);
  check_same(run, text);
  CHECK(weight_names(run) == weight_names(text));
}

const std::string set_rows = R"({"use": "arrays", "train": {"arrays": {
    "state_count": 2, "variable_count": 4, "variable_name": ["1", "2", "3", "4"],
    "feature_count": 3, "feature_name": ["feature 1", "feature 2", "feature 3"],
    "row_from": [0, 2, 3, 4, 6, 7], "index": [0, 1, 1, 2, 0, 2, 0],
    "value": [1, 0.5, 1, -1, 0.5, 2, -1],
    "label": [1,0,1,0, 0,1,0,0, 0,0,0,0, 1,1,1,0, 0,0,0,1]}},
  "test": {"arrays": {"state_count": 2, "variable_count": 4, "feature_count": 3,
    "row_from": [0, 1, 2], "index": [0, 2], "value": [2, 1], "label": [1,0,0,0, 0,0,0,0]}}})";
const std::string set_text = R"({"use": "mlsvml",
  "train": {"text": "1,3 1:1 2:0.5\n2 2:1\n- 3:-1\n1,2,3 1:0.5 3:2\n4 1:-1\n"},
  "test": {"text": "1 1:2\n- 3:1\n"}})";

TEST_CASE("sets of labels in memory train the same weights as their text, with the same names") {
  const std::string sets = R"("features": {"use": "multilabel", "pairs": "tables", "edges": "tree"},
    "loss": {"use": "hamming", "normalize": true}, "oracle": "enumerate", )" +
                           solver;
  Run text = train(set_text, sets);
  Run run = train(set_rows, sets);
  check_same(run, text);
  CHECK(weight_names(run) == weight_names(text));
  const Dataset& dataset = run.problem->dataset();
  for (std::int64_t example = 0; example < 7; ++example) {
    const Dataset& other = text.problem->dataset();
    CHECK(dataset.format(example, dataset.truth(example)) ==
          other.format(example, other.truth(example)));
  }
}

TEST_CASE("the F1 of sets counts the labels that are on, in memory as in a text") {
  const std::string sets =
      R"("features": {"use": "multilabel", "pairs": "none"}, "loss": "f1", "oracle": "enumerate", )" +
      solver;
  check_same(train(set_rows, sets), train(set_text, sets));
}

TEST_CASE("queries in memory train the same ranking as their text") {
  const std::string ranking =
      R"("features": "ranking", "loss": "pair_error", "oracle": "ranking", )" + solver;
  const Run text = train(R"({"use": "svmrank", "train": {"text":
    "2 qid:1 1:1\n0 qid:1 2:1\n1 qid:1 1:0.5 2:0.25\n0 qid:2 1:1 2:1\n1 qid:2 1:2\n"},
    "test": {"text": "1 qid:3 2:1\n0 qid:3 1:1\n"}})",
                         ranking);
  const Run run = train(R"({"use": "arrays", "train": {"arrays": {
      "state_count": 3, "feature_count": 2, "first_site": [0, 3, 5],
      "value": [1, 0, 0, 1, 0.5, 0.25, 1, 1, 2, 0], "label": [2, 0, 1, 0, 1]}},
    "test": {"arrays": {"state_count": 3, "feature_count": 2, "first_site": [0, 2],
      "value": [0, 1, 1, 0], "label": [1, 0]}}})",
                        ranking);
  check_same(run, text);
}

TEST_CASE("a set of rows in memory trains the same set classifier as its text") {
  const std::string sets =
      R"("features": "contingency", "loss": {"use": "f_beta"}, "oracle": "contingency", )" + solver;
  Run text = train(R"({"use": "svmlight_set",
    "train": {"text": "+1 1:1\n-1 2:1\n-1 1:0.5 2:0.25\n+1 1:1 2:1\n-1 1:0.75\n"},
    "test": {"text": "+1 2:1\n-1 1:1\n"}})",
                   sets);
  const Run run = train(R"({"use": "arrays", "train": {"arrays": {
      "state_count": 2, "feature_count": 2, "first_site": [0, 5],
      "row_from": [0, 1, 2, 4, 6, 7], "index": [0, 1, 0, 1, 0, 1, 0],
      "value": [1, 1, 0.5, 0.25, 1, 1, 0.75], "label": [1, 0, 0, 1, 0]}},
    "test": {"arrays": {"state_count": 2, "feature_count": 2, "first_site": [0, 2],
      "value": [0, 1, 1, 0], "label": [1, 0]}}})",
                        sets);
  // Outputs of svmlight_set also order the rows. Odd numbers are positive rows (set_output.hpp).
  for (std::int32_t& number : text.outputs[0]) number %= 2;
  check_same(run, text);
}

// The arrays of `sparse_rows`, as a program holds them.
struct LentRows {
  std::vector<std::int64_t> row_from{0, 2, 3, 5, 6, 7};
  std::vector<std::int32_t> index{0, 2, 1, 0, 1, 2, 0};
  std::vector<double> value{1, 0.5, 1, 0.5, 0.25, -1, 0.5};
  std::vector<std::int32_t> label{1, 0, 1, 0, 0};
  std::vector<std::int64_t> test_from{0, 1, 2, 4};
  std::vector<std::int32_t> test_index{1, 0, 0, 2};
  std::vector<double> test_value{2, 3, 0.4, -1};

  static sculpt_memory_rows record(std::int64_t examples, std::int64_t features) {
    sculpt_memory_rows rows = {};
    rows.struct_size = sizeof rows;
    rows.state_count = 2;
    rows.example_count = rows.site_count = examples;
    rows.feature_count = features;
    return rows;
  }
  std::shared_ptr<const MemoryRows> train() const {
    sculpt_memory_rows rows = record(5, 3);
    rows.row_from = row_from.data();
    rows.index = index.data();
    rows.value = value.data();
    rows.label = label.data();
    return std::make_shared<MemoryRows>("train", rows);
  }
  std::shared_ptr<const MemoryRows> test(std::int64_t features = 3) const {
    sculpt_memory_rows rows = record(3, features);
    rows.row_from = test_from.data();
    rows.index = test_index.data();
    rows.value = test_value.data();
    return std::make_shared<MemoryRows>("test", rows);
  }
};

Run train_lent(const LentRows& rows) {
  LentSplits lent;
  lent.add(rows.train());
  lent.add(rows.test());
  Experiment experiment = experiment_of(
      R"({"use": "arrays", "train": {"memory": "train"}, "test": {"memory": "test"}})", classes);
  experiment.lend(lent);
  return train(experiment);
}

TEST_CASE("a model trained on lent arrays predicts from lent arrays") {
  const LentRows rows;
  const Run run = train_lent(rows);
  check_same(run, train(rows_text + "}", classes));
  const test::ScratchFolder folder;
  run.write(folder.path() / "model.sculpt");
  const ModelFile model(folder.path() / "model.sculpt");
  Assembly assembly(model, {}, shipped(), [](const std::string& text) { FAIL(text); });
  const auto predict = [&](std::shared_ptr<const MemoryRows> data) {
    const std::vector<SplitSource> sources{{"predict", "", {}, "", std::move(data)}};
    Problem problem(assembly.problem_spec(sources), Purpose::prediction, 1, Callbacks());
    return outputs_of(problem, model.weights(), "predict");
  };
  CHECK(predict(rows.test()) == run.outputs);
  CHECK(predict(rows.test(7)) == run.outputs);  // more columns, which no row uses
  LentRows wider;
  wider.test_index[3] = 6;
  const Refusal refusal = refusal_of([&] { predict(wider.test(7)); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.text ==
        "arrays: example 2: has the feature 6, but the training data have 3 features, from 0 on; "
        "leave it out");
}

TEST_CASE("equal arrays give equal bytes of models, and others another hash of the data") {
  const LentRows rows;
  const LentRows copy = rows;
  LentRows changed = rows;
  changed.test_value[0] = 2.5;
  const test::ScratchFolder folder;
  const Run first = train_lent(rows);
  const Run second = train_lent(copy);
  const Run third = train_lent(changed);
  const std::string bytes = first.write(folder.path() / "first");
  CHECK(second.write(folder.path() / "second") == bytes);
  CHECK(third.write(folder.path() / "third") != bytes);
  const Json hashes = data_hashes(*first.assembly);
  CHECK(data_hashes(*third.assembly)["train"] == hashes["train"]);
  CHECK(data_hashes(*third.assembly)["test"] != hashes["test"]);
}

TEST_CASE("a dataset that reads files only refuses arrays") {
  const LentRows rows;
  LentSplits lent;
  lent.add(rows.train());
  Experiment experiment =
      experiment_of(R"({"use": "svmlight", "train": {"memory": "train"}})", classes);
  experiment.lend(lent);
  const Refusal refusal = refusal_of([&] { train(experiment); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "svmlight: reads files only, but the split \"train\" is the arrays \"train\"; use the "
        "dataset arrays");
}

}  // namespace
}  // namespace sculpt::core
