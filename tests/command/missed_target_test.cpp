// If a run misses its target, the report names the measured cause. An upper bound of P is printed
// as "at most".

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Random sets of labels. Their pairs conflict, so the best relaxed answers have labels of one half.
constexpr const char* sets_of_six_labels = R"(1,3 1:1.29 2:1.45 3:0.07
2,4 1:-0.77 2:-0.4 3:1.03
1,2,5 1:0.3 2:-1.68 3:0.58
5,6 1:-1.4 2:0.97 3:-0.25
1,4,6 1:0.44 2:0.12 3:-1.92
3 1:-0.05 2:-0.83 3:-0.41
2,3,6 1:1.73 2:0.66 3:0.9
1,5 1:-0.62 2:1.1 3:1.37
4,5 1:0.95 2:-1.21 3:-0.7
2 1:-1.08 2:0.35 3:-1.16
1,2,3,4 1:0.18 2:2.02 3:0.49
6 1:0.71 2:-0.59 3:1.62
)";

void write_sets(const Scratch& scratch) {
  scratch.write("sets.txt", sets_of_six_labels);
  scratch.write("sets.json", R"({"dataset": {"use": "mlsvml", "train": "sets.txt"},
    "features": {"use": "multilabel", "edges": "full"}, "loss": "hamming",
    "oracle": {"use": "lp", "answers": "rounded"}, "solver": {"use": "n_slack", "C": 10}})");
}

}  // namespace

TEST_CASE("rounded answers leave a gap: the primal is printed as at most, limited by the bounds") {
  const Scratch scratch;
  write_sets(scratch);
  const Outcome outcome = scratch.sculpt({"train", "sets.json", "--output", "run"});
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  const Json finished = scratch.finished("run");
  CHECK(finished["stopped_by"] == "oracle_exhausted");
  CHECK(finished["primal_low"].get<double>() < 0.999 * finished["primal_high"].get<double>());
  CHECK(contains(outcome.out, "  primal          at most "));
  CHECK(contains(outcome.out,
                 " %, proved, target 0.1 % not reached: the bounds of lp allow no smaller gap"));
  CHECK(
      contains(outcome.out, "  limited by      the bounds of lp: the primal of these weights is "));
  CHECK(contains(outcome.out,
                 "\"answers\": \"relaxed\" (lp), a list of oracles that ends in an exact one, or a "
                 "larger relative_gap\n"));
  CHECK(contains(outcome.err, " <"));
  CHECK(contains(outcome.err,
                 "  < the primal is at most this value: the bounds of the oracle are above "
                 "its outputs"));
  CHECK(contains(scratch.sculpt({"describe", "run"}).out, "primal          at most "));
  const Outcome verified = scratch.sculpt({"verify", "run"});
  CHECK(contains(verified.out, "sets: verified: gap "));
  CHECK(contains(verified.out, "  primal          at most "));
  // The exact primal of the same weights lies between both bounds.
  const Outcome audited = scratch.sculpt(
      {"train", "sets.json", "--output", "audited", "--set", "audit_with=enumerate"});
  CHECK(audited.exit == 3);
  const Json audit = scratch.finished("audited")["audit"];
  CHECK(audit["known"] == "exactly");
  CHECK(audit["primal"].get<double>() <= finished["primal_high"].get<double>() * (1 + 1e-9));
  CHECK(audit["primal"].get<double>() >= finished["primal_low"].get<double>() * (1 - 1e-9));
}

TEST_CASE("an exact oracle reaches its target, and its primal is not printed as a bound") {
  const Scratch scratch;
  write_sets(scratch);
  const Outcome outcome =
      scratch.sculpt({"train", "sets.json", "--output", "run", "--set", "oracle=enumerate"});
  CHECK(outcome.exit == 0);
  CHECK_FALSE(contains(outcome.out, "at most"));
  CHECK_FALSE(contains(outcome.out, "bounds"));
  CHECK_FALSE(contains(outcome.err, "<"));
}

TEST_CASE("frank_wolfe certifies four raw rows") {
  const Scratch scratch;
  // Single steps once stopped here at a gap of 0.95.
  scratch.write("rows.txt", "1 1:1e4\n2 1:-1e4\n1 1:0.3e4\n2 1:0.2e4\n");
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt"},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "frank_wolfe", "C": 10}})");
  const Outcome outcome = scratch.sculpt({"train", "rows.json", "--output", "run"});
  INFO(outcome.out);
  CHECK(outcome.exit == 0);
  const Json finished = scratch.finished("run");
  CHECK(finished["certified"] == true);
  CHECK(finished["primal"].get<double>() == doctest::Approx(3.4722).epsilon(2e-3));
  CHECK(finished["dual"].get<double>() == doctest::Approx(3.4722).epsilon(2e-3));
  CHECK_FALSE(contains(outcome.out, "checkpoint_seconds"));
}

namespace {

// The report of the sets with these settings. The run must miss its target.
std::string missed(const std::vector<std::string>& settings, const char* stopped_by) {
  const Scratch scratch;
  write_sets(scratch);
  std::vector<std::string> words = {"train", "sets.json", "--output", "run"};
  for (const std::string& setting : settings) {
    words.emplace_back("--set");
    words.push_back(setting);
  }
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  CHECK(scratch.finished("run")["stopped_by"] == stopped_by);
  return outcome.out;
}

}  // namespace

TEST_CASE("slack rescaling without a frontier is limited by the search, which names the remedy") {
  const std::string out =
      missed({"oracle=branch_and_bound", "solver.rescaling=slack", "solver.relative_gap=1e-6"},
             "oracle_exhausted");
  INFO(out);
  CHECK(contains(
      out,
      ", target 1e-06 not reached: the search over loss_weight is not exact, and allows no "
      "smaller gap\n"));
  CHECK(contains(out,
                 "  limited by      the search over loss_weight, which is not exact: the "
                 "primal of these weights is "));
  CHECK(contains(out,
                 "; to narrow it, try counts of the loss together with a frontier of the "
                 "oracle (sdk/losses.md, \"Losses that count\"), "));
  CHECK(contains(out, "; branch_and_bound offers no frontier (sculpt.frontier/"));
}

TEST_CASE("slack rescaling with inexact answers is limited by the search and the oracle") {
  const std::string out = missed({"solver.rescaling=slack"}, "oracle_exhausted");
  INFO(out);
  CHECK(contains(out, "the search over loss_weight and the bounds of lp allow no smaller gap\n"));
}

TEST_CASE("an oracle without bounds is named as the reason, with the remedy") {
  const std::string out = missed({"oracle=icm"}, "relative_gap");
  INFO(out);
  CHECK(contains(out, "not certified, the oracle gives no upper bound\n"));
  CHECK(contains(out,
                 "  limited by      the oracle gives no upper bound, so nothing is proved: "
                 "try an oracle whose answers are exact or have bounds, or a list "));
}

TEST_CASE("hard margins with slack rescaling and a search prove nothing, and the report says so") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1\n2 1:-1\n1 1:2\n3 2:3\n");
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt"},
    "features": "multiclass", "loss": "zero_one", "oracle": "branch_and_bound",
    "solver": {"use": "n_slack", "C": "inf", "rescaling": "slack"}})");
  const Outcome outcome = scratch.sculpt({"train", "rows.json", "--output", "run"});
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  CHECK(contains(outcome.out,
                 "the search over loss_weight proves no bound under hard margins with "
                 "slack rescaling"));
  CHECK(contains(outcome.out, " or a finite solver.C; branch_and_bound offers no frontier"));
}
