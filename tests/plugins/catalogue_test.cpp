// The catalogues of the plugins: ids, versions, and experiments that work.
#include <doctest/doctest.h>

#include "live_component.hpp"

#include <map>

using namespace plugin_test;

namespace {

// The experiment names every component and contains examples.
void check_experiment(const nlohmann::json& experiment) {
  for (const char* key : {"dataset", "features", "loss", "oracle", "solver"}) {
    CHECK(experiment.contains(key));
  }
  nlohmann::json parameters = experiment["dataset"];
  for (const char* key : {"use", "train", "test"}) parameters.erase(key);
  LiveComponent dataset(experiment["dataset"]["use"].get<std::string>(), parameters);
  dataset.load("train", experiment["dataset"]["train"]["text"]);
  CHECK(example_count(dataset) > 0);
}

}  // namespace

TEST_CASE("every plugin offers components under its own name and a small experiment") {
  const std::map<std::string, std::string> versions = {{"belief_propagation", "1.1.0"},
                                                       {"branch_and_bound", "1.0.0"},
                                                       {"chain", "1.2.0"},
                                                       {"enumerate", "1.3.0"},
                                                       {"graph", "1.0.0"},
                                                       {"graph_cut", "1.0.0"},
                                                       {"greedy", "1.0.0"},
                                                       {"grid", "1.0.0"},
                                                       {"hamming", "1.3.0"},
                                                       {"icm", "1.0.0"},
                                                       {"letters", "1.0.0"},
                                                       {"lp", "1.0.0"},
                                                       {"mlsvml", "1.0.0"},
                                                       {"multiclass", "1.0.0"},
                                                       {"multilabel", "1.0.0"},
                                                       {"svmlight", "1.0.0"},
                                                       {"texts", "1.0.0"},
                                                       {"viterbi", "1.5.0"},
                                                       {"weighted_hamming", "1.0.0"},
                                                       {"zero_one", "1.1.0"}};
  for (const auto& entry : versions) {
    const std::string& name = entry.first;
    CAPTURE(name);
    const sculpt_plugin& catalogue = plugin(name);
    REQUIRE(catalogue.component_count == (name == "graph" ? 2 : 1));  // dataset and features
    for (std::int64_t k = 0; k < catalogue.component_count; ++k) {
      CHECK(std::string(catalogue.components[k]->id) == "org.sculpt." + name);
      CHECK(std::string(catalogue.components[k]->version) == entry.second);
    }
    REQUIRE(catalogue.experiment_count >= 1);
    for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
      check_experiment(nlohmann::json::parse(catalogue.experiments[k]));
    }
  }
}
