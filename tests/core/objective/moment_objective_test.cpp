// MomentObjective: texts, and JSON that reads back.

#include "objective/moment_objective.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/refusal.hpp"

using namespace sculpt::core;
using Json = nlohmann::ordered_json;

TEST_CASE("the objectives of soda and z_score read back from their JSON") {
  for (const MomentTerms& terms : {MomentTerms{true, 0.5}, MomentTerms{false, 0},
                                   MomentTerms{true, 0.5, 100}, MomentTerms{false, 1, 0, 2.5}}) {
    for (const bool is_weighted : {false, true}) {
      const MomentObjective objective(terms, {0, false, is_weighted});
      CHECK(objective.json()["kind"] == "moments");
      CHECK(objective.json().contains("weighted") == is_weighted);
      require_read_back(objective, terms.name());
      const auto read = objective_in(objective.json());
      REQUIRE(read->moments() != nullptr);
      CHECK(read->moments()->adds_deviations == terms.adds_deviations);
      CHECK(read->moments()->lambda == terms.lambda);
      CHECK(read->moments()->samples == terms.samples);
      CHECK(objective.json().contains("moments") == (terms.samples > 0));
      CHECK(read->moments()->loss_weight == terms.loss_weight);
      CHECK(objective.json().contains("loss_weight") == (terms.loss_weight > 0));
      CHECK_FALSE(read->is_hinge());
      CHECK(read->log_loss() == nullptr);
    }
  }
}

TEST_CASE("the objectives of soda and z_score say what they solve, and refuse other values") {
  CHECK(MomentObjective({true, 0.5}, {}).text() ==
        "1/2 <w, A w> - <b, w>, b = mean of b_i, A = mean of Cov_i + b_i b_i' + lambda I, lambda "
        "= 0.5");
  CHECK(MomentObjective({false, 0}, {0, false, true}).text() ==
        "1/2 <w, A w> - <b, w>, b = weighted mean of b_i, A = weighted mean of Cov_i");
  CHECK(MomentObjective({true, 0.5}, {}).remarks(20).at(1) ==
        "summed over the examples, as in the paper: lambda = 10");
  CHECK(MomentObjective({true, 0}, {}).remarks(20).size() == 1);
  CHECK(MomentObjective({true, 0, 50}, {}).text().ends_with("b_i b_i', Cov_i of 50 samples"));
  const auto refused = [](const char* key, const Json& value) {
    Json json = MomentObjective({true, 1}, {}).json();
    json[key] = value;
    return refusal_of([&] { objective_in(json); }).exit == Exit::data;
  };
  CHECK(refused("system", "other"));
  CHECK(refused("lambda", -1));
  CHECK(refused("samples", 0));
  CHECK(refused("loss_weight", -1));
}
