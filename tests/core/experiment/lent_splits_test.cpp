// Splits that are arrays: lent by a program under a name, or written in the experiment.

#include "experiment/lent_splits.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/refusal.hpp"
#include "experiment/experiment.hpp"
#include "launch/split_sources.hpp"

namespace sculpt::core {
namespace {

bool nothing_declared(const std::string&, const std::string&, const std::string&) {
  return true;
}

Experiment experiment_of(const std::string& train) {
  const std::string text = "{\"dataset\": {\"use\": \"arrays\",\n\"train\": " + train +
                           "},\n\"features\": \"multiclass\", \"loss\": \"zero_one\", \"oracle\": "
                           "\"enumerate\", \"solver\": \"n_slack\"}";
  return Experiment(JsonDocument::parse(text, {"x.json", "/data"}), {}, nothing_declared);
}

std::string refused(const std::string& train) {
  const Refusal refusal = refusal_of([&] { experiment_of(train); });
  CHECK((refusal.exit == Exit::config || refusal.exit == Exit::data));
  return refusal.text;
}

// Two rows with a label each.
struct Rows {
  std::vector<double> value{1, 0, 0, 1};
  std::vector<std::int32_t> label{0, 1};
  std::shared_ptr<const MemoryRows> lent(const std::string& name) const {
    sculpt_memory_rows rows = {};
    rows.struct_size = sizeof rows;
    rows.state_count = 2;
    rows.example_count = rows.site_count = rows.feature_count = 2;
    rows.value = value.data();
    rows.label = label.data();
    return std::make_shared<MemoryRows>(name, rows);
  }
};

TEST_CASE("a program lends arrays to the splits that name them") {
  const Rows rows;
  LentSplits lent;
  lent.add(rows.lent("digits"));
  Experiment experiment = experiment_of(R"({"memory": "digits"})");
  experiment.lend(lent);
  const std::vector<SplitSource> sources = sources_of(experiment);
  REQUIRE(sources.size() == 1);
  CHECK(sources[0].split == "train");
  CHECK(sources[0].path == "the arrays \"digits\"");
  CHECK_FALSE(sources[0].text);
  CHECK(sources[0].rows == lent.find("digits"));
  CHECK(experiment.resolved({})["dataset"]["train"] ==
        nlohmann::ordered_json{{"memory", "digits"}});
}

TEST_CASE("arrays stay with an experiment after they are removed") {
  const Rows rows;
  LentSplits lent;
  lent.add(rows.lent("digits"));
  Experiment experiment = experiment_of(R"({"memory": "digits"})");
  experiment.lend(lent);
  lent.remove("digits");
  CHECK(lent.find("digits") == nullptr);
  CHECK(sources_of(experiment)[0].rows->raw().value == rows.value.data());
}

TEST_CASE("a name that is not lent is refused with its position, and near names") {
  const Rows rows;
  LentSplits lent;
  lent.add(rows.lent("digits"));
  Experiment experiment = experiment_of(R"({"memory": "digit"})");
  const Refusal refusal = refusal_of([&] { experiment.lend(lent); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "x.json:2:21: no arrays are lent under the name \"digit\"; did you mean \"digits\"?");
}

TEST_CASE("where no program lends arrays, a split of arrays is refused with its position") {
  const Experiment experiment = experiment_of(R"({"memory": "digits"})");
  const Refusal refusal = refusal_of([&] { sources_of(experiment); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "x.json:2:21: \"train\" of the dataset is arrays in memory, \"digits\", that a program "
        "lends (libsculpt, Python); here is no such program: write the path of a file, or "
        "{\"text\": \"inline data\"}");
}

TEST_CASE("wrong values of a split of arrays are refused") {
  CHECK(refused(R"({"memory": 3})") ==
        "x.json:2:21: \"memory\" must be the name of arrays, not the number 3");
  CHECK(refused(R"({"memory": ""})") ==
        "x.json:2:21: \"memory\" is empty; write the name of arrays");
  CHECK(refused(R"({"memory": "a", "text": "b"})") ==
        "x.json:2:26: \"train\" of the dataset has \"memory\" and \"text\"; remove one of them");
  CHECK(refused(R"({"memry": "a"})") ==
        "x.json:2:11: unknown key \"memry\" of \"train\" of the dataset, did you mean "
        "\"memory\"?");
}

const std::string graph = R"({"arrays": {"state_count": 2, "state_name": ["a", "b"],
  "feature_count": 2, "first_site": [0, 2, 3], "row_from": [0, 1, 2, 4], "index": [0, 1, 0, 1],
  "value": [1, 0.5, 2, -1], "first_edge": [0, 1, 1], "edge": [0, 1], "label": [0, 1, 1],
  "weight": [1, 2]}})";

TEST_CASE("arrays can be written in the experiment") {
  const Experiment experiment = experiment_of(graph);
  const std::shared_ptr<const MemoryRows> rows = sources_of(experiment)[0].rows;
  REQUIRE(rows != nullptr);
  const sculpt_memory_rows& raw = rows->raw();
  CHECK(raw.example_count == 2);
  CHECK(raw.site_count == 3);
  CHECK(raw.row_from[3] == 4);
  CHECK(raw.value[1] == 0.5);
  CHECK(raw.edge[1] == 1);
  CHECK(raw.edge_kind_count == 1);
  CHECK(raw.label[2] == 1);
  CHECK(raw.weight[1] == 2);
  CHECK(std::string(raw.state_name[1]) == "b");
  CHECK(raw.feature_name == nullptr);
  const auto written = experiment.resolved({})["dataset"]["train"].dump();
  CHECK(sources_of(experiment_of(written))[0].rows->hash() == rows->hash());
}

TEST_CASE("wrong lists of an experiment are refused with their position") {
  const auto refused_arrays = [](const std::string& keys) {
    return refused("{\"arrays\": {\"state_count\": 2, \"feature_count\": 2, " + keys + "}}");
  };
  CHECK(refused_arrays(R"("value": [1, "a"], "label": [0])") ==
        "x.json:2:73: must be a number, not the text \"a\"");
  CHECK(refused_arrays(R"("value": [1, 1], "label": [0.5])") ==
        "x.json:2:87: must be a whole number, not the number 0.5");
  CHECK(refused_arrays(R"("value": [1, 1], "label": [0, 1])") ==
        "x.json:2:86: \"label\" has 2 items, but the other lists need 1");
  CHECK(refused_arrays(R"("value": [1, 1, 1], "label": [0])") ==
        "x.json:2:69: \"value\" has 3 items, but the other lists need 2");
  CHECK(refused_arrays(R"("value": [1, 1], "labels": [0])") ==
        "x.json:2:77: unknown key \"labels\" of \"arrays\", did you mean \"label\"?");
  CHECK(refused_arrays(R"("value": [1, 1], "row_from": [], "label": [0])")
            .find("\"row_from\" has 0 items, but the other lists need 2") != std::string::npos);
  CHECK(refused_arrays(R"("value": [1, 1], "label": [2])") ==
        "x.json:2:21: the arrays \"train\": example 0: label[0] is 2; it must be at least -1 and "
        "below 2");
}

}  // namespace
}  // namespace sculpt::core
