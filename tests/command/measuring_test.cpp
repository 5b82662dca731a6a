// Trained weights measured with other oracles, and their true primal: predict_with and audit_with.

#include <doctest/doctest.h>

#include "command/host_process.hpp"
#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

// What every run has: local search in training, and a split that evaluate can read again.
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

TEST_CASE("predict_with measures as evaluate does with that oracle, and changes no model") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const std::string combined = R"({"use":"combine","members":["icm","viterbi"]})";
  // few passes: the weights shall still make mistakes
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
  CHECK(says(outcome.out, "predicted with  viterbi"));
  const Json config = Json::parse(scratch.read("run/config.json"));
  CHECK(config["predict_with"][0]["use"] == "icm");
  CHECK(config["predict_with"][2].size() == 2);
  CHECK(scratch.sculpt({"train", "run/config.json", "--output", "again"}).exit == 3);
  CHECK(scratch.finished("again")["predict_with"].size() == 4);
}

TEST_CASE("an audit by an exact oracle finds the primal that inexact answers missed") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const std::vector<std::string> audited = {"--set", "audit_with=viterbi"};
  const Outcome outcome = train_with_icm(scratch, "run", audited);
  const Json event = scratch.finished("run");
  const Json& audit = event["audit"];
  CHECK(audit["oracle"] == "viterbi");
  CHECK(event["certified"] == false);
  const double primal = audit["primal"].get<double>();
  CHECK(primal > event["primal"].get<double>());  // which was at least so much
  CHECK(audit["primal_high"] == audit["primal"]);
  CHECK(audit["gap"].get<double>() ==
        doctest::Approx(primal - event["dual"].get<double>()).epsilon(1e-12));
  CHECK(audit["relative_gap"].get<double>() > event["relative_gap"].get<double>());
  CHECK(says(outcome.out, "audit           by viterbi: the primal of outputs is "));

  train_with_icm(scratch, "exact", {"--set", "oracle=viterbi", "--set", "audit_with=viterbi"});
  const Json exact = scratch.finished("exact");
  CHECK(exact["audit"]["primal"].get<double>() ==
        doctest::Approx(exact["primal"].get<double>()).epsilon(1e-12));
  CHECK(exact["audit"]["relative_gap"].get<double>() ==
        doctest::Approx(exact["relative_gap"].get<double>()).epsilon(1e-6));

  train_with_icm(scratch, "by_icm", {"--set", "audit_with=icm"});
  CHECK(scratch.finished("by_icm")["audit"]["primal_high"].is_null());
}

TEST_CASE("an audit under hard margin takes rounding for satisfied, as training does") {
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

TEST_CASE("an audit of relaxed training tells the primal of outputs, and of no gap") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  train_with_icm(scratch, "run", {"--set", "oracle=lp", "--set", "audit_with=viterbi"});
  const Json event = scratch.finished("run");
  CHECK(event["objective"] == "relaxed");
  CHECK(event["audit"]["primal"].get<double>() <= event["primal"].get<double>() * (1 + 1e-9));
  CHECK(event["audit"]["gap"].is_null());
}

// The two labels are never on together, and their pair gets a weight below 0: it is not attractive.
TEST_CASE("an oracle that refuses the trained weights costs its own figures, not the run") {
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
  CHECK(says(by_cut["refused"].get<std::string>(), "rewards disagreement"));
  CHECK(says(event["audit"]["refused"].get<std::string>(), "rewards disagreement"));
  CHECK_FALSE(by_cut.contains("train"));
  CHECK(event["predict_with"]["enumerate"]["train"] == event["train"]);
  CHECK(event["predict_with"]["icm"]["train"]["examples"] == 4);
  CHECK(event["all_measured"] == true);
  CHECK(says(outcome.out, "refused by graph_cut: example 0: the pair of the variables 0 and 1"));
}

TEST_CASE("what cannot be measured with is refused before training") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const auto refusal = [&](const std::string& setting) {
    const Outcome outcome = scratch.sculpt({"train", "noisy.json", "--set", setting});
    CHECK(outcome.exit == 78);
    CHECK_FALSE(fs::exists(scratch / "runs"));
    return outcome.err;
  };
  CHECK(says(refusal("predict_with=icm"), "\"predict_with\" is a list of oracles, not"));
  CHECK(says(refusal(R"(predict_with=["icm", "icm"])"), "\"predict_with\" has icm twice"));
  CHECK(says(refusal(R"(predict_with=["icmm"])"), "icm"));
  CHECK(says(refusal(R"(predict_with=[{"use": "icm", "restart": 1}])"), "restarts"));
  CHECK(says(refusal("predict_with=[\"graph_cut\"]"), "graph_cut needs"));
  CHECK(says(refusal("audit_with=lp"), "audit_with: lp gives relaxed answers"));
}

TEST_CASE("sweep --predict-with and --audit-with fill a matrix and a column") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Outcome outcome =
      scratch.sculpt({"sweep", "noisy.json", "--output", "sweep", "--set", "oracle=icm,viterbi",
                      "--predict-with", R"(icm,["icm","viterbi"])", "--audit-with", "viterbi"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);  // icm proves nothing
  CHECK(says(outcome.out, "test loss, predicted with\n"));
  CHECK(says(outcome.out, R"(| oracle | itself | icm | ["icm","viterbi"] |)"));
  CHECK(says(outcome.out, "| true gap |"));
  const Json rows = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["predict_with"]["icm"]["test"]["loss"] == rows[0]["test"]["loss"]);
  CHECK(rows[1]["predict_with"][R"(["icm","viterbi"])"]["test"]["loss"] == rows[1]["test"]["loss"]);
  CHECK(rows[0]["true_relative_gap"].get<double>() > rows[0]["relative_gap"].get<double>());
  CHECK(rows[1]["true_relative_gap"].get<double>() ==
        doctest::Approx(rows[1]["relative_gap"].get<double>()).epsilon(1e-6));
  CHECK(says(scratch.read("sweep/sweep.csv"), "test loss by icm,"));
  CHECK(rows[0]["true_relative_gap_known"] == "exactly");
  CHECK_FALSE(says(outcome.out, "| true gap known |"));
}

TEST_CASE("an audit by an oracle that proves nothing says so, and no less than the run knew") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  const Outcome outcome = scratch.sculpt({"sweep", "noisy.json", "--output", "sweep", "--set",
                                          "oracle=icm,viterbi", "--audit-with", "icm"});
  INFO(outcome.err);
  CHECK(says(outcome.out, "| true gap known |"));
  CHECK(says(outcome.out, "| at least |"));
  const Json rows = Json::parse(scratch.read("sweep/sweep.json"));
  for (const Json& row : rows) {
    CHECK(row["true_relative_gap_known"] == "at least");
    // the lower bound of the run itself, which icm alone falls short of
    CHECK(row["true_relative_gap"].get<double>() >= 0);
  }
  const Outcome run = scratch.sculpt({"train", "noisy.json", "--set", "audit_with=icm"});
  CHECK(says(run.out, "the primal of outputs is at least "));
  CHECK(says(run.out, ", relative gap at least "));
  const Json event = scratch.finished("runs/noisy");
  CHECK(event["audit"]["known"] == "at least");
  CHECK(event["audit"]["primal_low"].get<double>() >= event["primal_low"].get<double>());
}
