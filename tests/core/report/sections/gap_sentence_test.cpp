// The sentence about the gap says what the numbers of a run prove, and no more.

#include "report/sections/gap_sentence.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;
using Json = nlohmann::ordered_json;

namespace {

RunRecord finished(Json certificate) {
  RunRecord run;
  run.state = RunState::finished;
  run.finished = std::move(certificate);
  return run;
}

}  // namespace

TEST_CASE("a proved gap") {
  const std::string text = gap_sentence(finished({{"primal", 262.0921617922123},
                                                  {"dual", 261.93206997020457},
                                                  {"gap", 0.1600918220077574},
                                                  {"relative_gap", 0.0006108226240458072},
                                                  {"certified", true}}));
  CHECK(text ==
        "The objective of these weights is P = 262.0922, and no weights reach less than D = "
        "261.9321: at most 0.0611 % of it can still be gained, and this is proved.");
}

TEST_CASE("P and D of a small gap are shown with digits in which they differ") {
  const std::string text = gap_sentence(finished({{"primal", 1.0000000001},
                                                  {"dual", 1.0},
                                                  {"gap", 1e-10},
                                                  {"relative_gap", 1e-10},
                                                  {"certified", true}}));
  CHECK(text.find("P = 1.0000000001,") != std::string::npos);
}

TEST_CASE("the optimum, a gap beyond the whole, and a share of 0") {
  CHECK(gap_sentence(
            finished(
                {{"primal", 2}, {"dual", 2}, {"gap", 0}, {"relative_gap", 0}, {"certified", true}}))
            .find("this is the optimum, and it is proved") != std::string::npos);
  CHECK(gap_sentence(finished({{"primal", 10},
                               {"dual", -48},
                               {"gap", 58},
                               {"relative_gap", 5.8},
                               {"certified", true}}))
            .find("this gap of 5.8 times P proves little") != std::string::npos);
  CHECK(gap_sentence(finished({{"primal", 0},
                               {"dual", -1},
                               {"gap", 1},
                               {"relative_gap", nullptr},
                               {"certified", true}}))
            .find("cannot be a share of 0") != std::string::npos);
}

TEST_CASE("what is not proved is not called proved") {
  const std::string estimate = gap_sentence(finished(
      {{"primal", 10}, {"dual", 9}, {"gap", 1}, {"relative_gap", 0.1}, {"certified", false}}));
  CHECK(estimate.find("is an estimate, because") != std::string::npos);
  CHECK(gap_sentence(finished({{"primal", 10}, {"dual", nullptr}, {"certified", false}}))
            .find("proves no lower bound") != std::string::npos);
  CHECK(gap_sentence(finished({{"primal", nullptr}, {"dual", 3}}))
            .find("no weights reach an objective below D = 3") != std::string::npos);
  CHECK(gap_sentence(finished({{"primal", nullptr}, {"dual", nullptr}})).find("nothing is known") !=
        std::string::npos);
  CHECK(gap_sentence(RunRecord()).find("No pass has ended") != std::string::npos);
  CHECK(
      gap_sentence(finished({{"primal", "x"}, {"dual", Json::array()}})).find("nothing is known") !=
      std::string::npos);
}

TEST_CASE("relaxed objectives and linear systems are called so") {
  CHECK(gap_sentence(finished({{"objective", "relaxed"},
                               {"primal", 10},
                               {"dual", 9},
                               {"gap", 1},
                               {"relative_gap", 0.1},
                               {"certified", true}}))
            .starts_with("The objective over relaxed outputs"));
  CHECK(gap_sentence(finished({{"residual", 1e-7}, {"primal", 10}})).find("a residual of 1e-07") !=
        std::string::npos);
}
