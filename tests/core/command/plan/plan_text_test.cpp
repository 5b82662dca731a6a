// Plans for people and programs.

#include "command/plan/plan_text.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace sculpt::core;

namespace {

// One process of 2 threads: 64 s of the oracle, 6 s of the QP.
RunCosts oracle_bound() {
  RunCosts costs;
  costs.threads = 2;
  costs.seconds = 70;
  costs.groups = {{"separation", 100, 100000, 64, 1e8}};
  costs.serial = {{"the QP", 6}};
  return costs;
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a plan has a row for each number of ranks, and says where it ends") {
  const std::string text = plan_text(oracle_bound(), {{1, 8}, 2, Network()});
  CAPTURE(text);
  CHECK(mentions(text, "measured  1 rank of 2 threads, 70 s\n"));
  CHECK(mentions(text, "as 10 Gbit Ethernet"));
  CHECK(mentions(text, "      1        2        70        1       0 %  the oracle (91 %)\n"));
  CHECK(mentions(text, "      8        2      14.3     4.91       1 %  the oracle (56 %)\n"));
  CHECK(mentions(text, "Up to 64 ranks are worth it"));
  CHECK(mentions(text, "the QP takes"));
  CHECK(mentions(text, "no number of them is more than 12 times as fast as one"));
}

TEST_CASE("a plan as JSON has the parts of each time") {
  const auto json = plan_json(oracle_bound(), {{4}, 2, Network()});
  const auto& plan = json["plans"][0];
  double sum = 0;
  for (const char* const part : {"serial_seconds", "oracle_seconds", "small_steps_seconds",
                                 "sums_seconds", "messages_seconds"}) {
    sum += plan[part].get<double>();
  }
  CHECK(sum == doctest::Approx(plan["seconds"].get<double>()));
  CHECK(json["useful_ranks"] == 64);
}

TEST_CASE("the summary of a run names threads and ranks that help, and what limits them") {
  const std::string text = more_cores_text(oracle_bound());
  CHECK(text ==
        "8 threads: about 22 s; 64 ranks of 2 threads: about 7.3 s, then limited by the QP");
}

TEST_CASE("more cores are of no use to solvers that ask one example at a time, or to a QP") {
  RunCosts one_by_one = oracle_bound();
  one_by_one.obstacle = "asks one example at a time";
  CHECK(more_cores_text(one_by_one) == "of no use: the solver asks one example at a time");
  RunCosts qp_bound = oracle_bound();
  qp_bound.serial.front().seconds = 2000;
  CHECK(more_cores_text(qp_bound) == "of little use: limited by the QP");
  CHECK(mentions(plan_text(qp_bound, {{2}, 2, Network()}), "Ranks do not help"));
}

TEST_CASE("a component that can be called from one thread only gets no advice about threads") {
  RunCosts costs = oracle_bound();
  costs.threads = 1;
  costs.is_serial = true;
  CHECK(more_cores_text(costs).starts_with("64 ranks: about "));
}
