// Measuring trained weights with other oracles (predict_with), and their true primal (audit_with).

#include <doctest/doctest.h>

#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

// Trains with local search, and with a split test that evaluate can read again.
Outcome train_with_icm(const Scratch& scratch, const std::string& output,
                       std::vector<std::string> more) {
  more.insert(more.begin(),
              {"train", "noisy.json", "--output", output, "--set", "oracle=icm", "--set",
               R"(dataset={"use": "letters", "train": "noisy.txt", "test": "noisy.txt"})"});
  Outcome outcome = scratch.sculpt(more);
  INFO(outcome.err);
  REQUIRE((outcome.exit == 0 || outcome.exit == 3));
  return outcome;
}

}  // namespace

TEST_CASE(
    "predict_with gives the metrics of evaluate with that oracle, and the model stays the same") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const std::string combined = R"({"use":"combine","members":["icm","viterbi"]})";
  // few passes, so the weights still make mistakes
  const std::string few = "solver.max_passes=2";
  train_with_icm(scratch, "plain", {"--set", few});
  const Outcome outcome = train_with_icm(
      scratch, "run",
      {"--set", few, "--set",
       "predict_with=[\"icm\", \"viterbi\", [\"icm\", \"viterbi\"], " + combined + "]"});
  CHECK(scratch.read("plain/model.sculpt") == scratch.read("run/model.sculpt"));
  const Json event = scratch.finished("run");
  REQUIRE(event["predict_with"].size() == 4);
  CHECK(event["predict_with"]["icm"]["test"] == event["test"]);
  CHECK(event["predict_with"]["viterbi"]["test"] != event["test"]);
  for (const std::string& oracle :
       {std::string("viterbi"), std::string(R"(["icm","viterbi"])"), combined}) {
    CAPTURE(oracle);
    const Outcome evaluated =
        scratch.sculpt({"evaluate", "run", "noisy.txt", "--json", "--set", "oracle=" + oracle});
    INFO(evaluated.err);
    REQUIRE(evaluated.exit == 0);
    CHECK(Json::parse(evaluated.out) == event["predict_with"][oracle]["test"]);
  }
  CHECK(contains(outcome.out, "predicted with  viterbi"));
  const Json config = Json::parse(scratch.read("run/config.json"));
  CHECK(config["predict_with"][0]["use"] == "icm");
  CHECK(config["predict_with"][2].size() == 2);
  CHECK(scratch.sculpt({"train", "run/config.json", "--output", "again"}).exit == 3);
  CHECK(scratch.finished("again")["predict_with"].size() == 4);
}

TEST_CASE("an audit by an exact oracle finds a higher primal than the inexact answers") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const std::vector<std::string> audited = {"--set", "audit_with=viterbi"};
  const Outcome outcome = train_with_icm(scratch, "run", audited);
  const Json event = scratch.finished("run");
  const Json& audit = event["audit"];
  CHECK(audit["oracle"] == "viterbi");
  CHECK(event["certified"] == false);
  const double primal = audit["primal"].get<double>();
  CHECK(primal > event["primal"].get<double>());  // the run reports a lower bound
  CHECK(audit["primal_high"] == audit["primal"]);
  CHECK(audit["gap"].get<double>() ==
        doctest::Approx(primal - event["dual"].get<double>()).epsilon(1e-12));
  CHECK(audit["relative_gap"].get<double>() > event["relative_gap"].get<double>());
  CHECK(contains(outcome.out, "audit           by viterbi: the primal over outputs is "));

  train_with_icm(scratch, "exact", {"--set", "oracle=viterbi", "--set", "audit_with=viterbi"});
  const Json exact = scratch.finished("exact");
  CHECK(exact["audit"]["primal"].get<double>() ==
        doctest::Approx(exact["primal"].get<double>()).epsilon(1e-12));
  CHECK(exact["audit"]["relative_gap"].get<double>() ==
        doctest::Approx(exact["relative_gap"].get<double>()).epsilon(1e-6));

  train_with_icm(scratch, "by_icm", {"--set", "audit_with=icm"});
  CHECK(scratch.finished("by_icm")["audit"]["primal_high"].is_null());
}

TEST_CASE("an audit under hard margin accepts margins up to rounding, as training does") {
  const Scratch scratch;
  write_small_experiment(scratch);
  for (const char* solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    for (const char* gap : {"1e-3", "1e-6", "1e-9"}) {
      const Outcome outcome = scratch.sculpt(
          {"train", "small.json", "--output", "run", "--force", "--set", "audit_with=viterbi",
           "--set", "solver.C=inf", "--set", std::string("solver.use=") + solver, "--set",
           std::string("solver.relative_gap=") + gap});
      CHECK(outcome.exit == 0);
      const Json event = scratch.finished("run");
      REQUIRE(event["audit"]["primal_high"].is_number());
      CHECK(event["audit"]["primal_high"].get<double>() ==
            doctest::Approx(event["primal"].get<double>()).epsilon(1e-12));
    }
  }
}

TEST_CASE("an audit of relaxed training reports the primal of outputs and no gap") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_with_icm(scratch, "run", {"--set", "oracle=lp", "--set", "audit_with=viterbi"});
  const Json event = scratch.finished("run");
  CHECK(event["objective"] == "relaxed");
  CHECK(event["audit"]["primal"].get<double>() <= event["primal"].get<double>() * (1 + 1e-9));
  CHECK(event["audit"]["gap"].is_null());
}

// The two labels never occur together, so their pair gets a weight below 0: it is not attractive.
TEST_CASE("an oracle that refuses the trained weights has no metrics, and the run succeeds") {
  const Scratch scratch;
  scratch.write("pairs.json", R"({
    "dataset": {"use": "mlsvml", "train": {"text": "1 1:-2\n2 1:0\n- 1:-1 2:2\n1 1:2 2:-1\n"}},
    "features": {"use": "multilabel", "pairs": "both_on", "edges": "full", "bias": false},
    "loss": "hamming", "oracle": "enumerate", "solver": {"use": "n_slack", "C": 10},
    "predict_with": ["icm", {"use": "graph_cut", "attractive": "checked"}, "enumerate"],
    "audit_with": {"use": "graph_cut", "attractive": "checked"}})");
  const Outcome outcome = scratch.sculpt({"train", "pairs.json", "--output", "run"});
  INFO(outcome.out, outcome.err);
  CHECK(outcome.exit == 0);
  const Json event = scratch.finished("run");
  const Json& by_cut = event["predict_with"][R"({"use":"graph_cut","attractive":"checked"})"];
  CHECK(contains(by_cut["refused"].get<std::string>(), "is not attractive"));
  CHECK(contains(event["audit"]["refused"].get<std::string>(), "is not attractive"));
  CHECK_FALSE(by_cut.contains("train"));
  CHECK(event["predict_with"]["enumerate"]["train"] == event["train"]);
  CHECK(event["predict_with"]["icm"]["train"]["examples"] == 4);
  CHECK(event["all_measured"] == true);
  CHECK(
      contains(outcome.out, "refused by graph_cut: example 0: the pair of the variables 0 and 1"));
}

TEST_CASE("oracles that cannot measure are refused before training") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const auto refusal = [&](const std::string& setting) {
    const Outcome outcome = scratch.sculpt({"train", "noisy.json", "--set", setting});
    CHECK(outcome.exit == 78);
    CHECK_FALSE(fs::exists(scratch / "runs"));
    return outcome.err;
  };
  CHECK(contains(refusal("predict_with=icm"), "\"predict_with\" must be a list of oracles, not"));
  CHECK(contains(refusal(R"(predict_with=["icm", "icm"])"), "\"predict_with\" has icm twice"));
  CHECK(contains(refusal(R"(predict_with=["icmm"])"), "icm"));
  CHECK(contains(refusal(R"(predict_with=[{"use": "icm", "restart": 1}])"), "restarts"));
  CHECK(contains(refusal("predict_with=[\"graph_cut\"]"), "graph_cut needs"));
  CHECK(contains(refusal("audit_with=lp"), "audit_with: lp gives relaxed answers"));
}

TEST_CASE("sweep --predict-with adds a table, and --audit-with adds a column") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Outcome outcome =
      scratch.sculpt({"sweep", "noisy.json", "--output", "sweep", "--set", "oracle=icm,viterbi",
                      "--predict-with", R"(icm,["icm","viterbi"])", "--audit-with", "viterbi"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);  // icm proves no gap
  CHECK(contains(outcome.out, "test loss, predicted with\n"));
  CHECK(contains(outcome.out, R"(| oracle | itself | icm | ["icm","viterbi"] |)"));
  CHECK(contains(outcome.out, "| true gap |"));
  const Json rows = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["predict_with"]["icm"]["test"]["loss"] == rows[0]["test"]["loss"]);
  CHECK(rows[1]["predict_with"][R"(["icm","viterbi"])"]["test"]["loss"] == rows[1]["test"]["loss"]);
  CHECK(rows[0]["true_relative_gap"].get<double>() > rows[0]["relative_gap"].get<double>());
  CHECK(rows[1]["true_relative_gap"].get<double>() ==
        doctest::Approx(rows[1]["relative_gap"].get<double>()).epsilon(1e-6));
  CHECK(contains(scratch.read("sweep/sweep.csv"), "test loss by icm,"));
  CHECK(rows[0]["true_relative_gap_known"] == "exactly");
  CHECK_FALSE(contains(outcome.out, "| true gap known |"));
}

TEST_CASE("an audit by an inexact oracle reports a lower bound, at least that of the run") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Outcome outcome = scratch.sculpt({"sweep", "noisy.json", "--output", "sweep", "--set",
                                          "oracle=icm,viterbi", "--audit-with", "icm"});
  INFO(outcome.err);
  CHECK(contains(outcome.out, "| true gap known |"));
  CHECK(contains(outcome.out, "| at least |"));
  const Json rows = Json::parse(scratch.read("sweep/sweep.json"));
  for (const Json& row : rows) {
    CHECK(row["true_relative_gap_known"] == "at least");
    // The audit keeps the lower bound of the run, although icm alone finds less.
    CHECK(row["true_relative_gap"].get<double>() >= 0);
  }
  const Outcome run = scratch.sculpt({"train", "noisy.json", "--set", "audit_with=icm"});
  CHECK(contains(run.out, "the primal over outputs is at least "));
  CHECK(contains(run.out, ", relative gap at least "));
  const Json event = scratch.finished("runs/noisy");
  CHECK(event["audit"]["known"] == "at least");
  CHECK(event["audit"]["primal_low"].get<double>() >= event["primal_low"].get<double>());
}
