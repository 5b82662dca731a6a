// The solver crf as users run it: trained, verified, resumed, and refused by name.

#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

const char* const crf_words =
    "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n3 0 0 b 0 01\n";

// An experiment on these words, with the settings in addition.
Outcome train_words(const Scratch& scratch, std::vector<std::string> settings,
                    const std::string& run = "run") {
  scratch.write("words.txt", crf_words);
  scratch.write("words.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": "chain", "loss": "hamming", "oracle": "viterbi",
      "solver": {"use": "crf", "C": 10}})");
  std::vector<std::string> all = {"train", "words.json", "--output", run};
  all.insert(all.end(), settings.begin(), settings.end());
  return scratch.sculpt(all);
}

}  // namespace

TEST_CASE("crf trains to a certificate that verify confirms") {
  for (const std::string solver :
       {R"({"use": "crf", "C": 10})", R"({"use": "crf", "C": 10, "l1": 0.1})",
        R"({"use": "crf", "C": 10, "loss_weight": 1})",
        R"({"use": "crf", "C": 10, "loss_weight": 1, "temperature": 0.1})"}) {
    for (const std::string oracle : {"viterbi", "enumerate"}) {
      CAPTURE(solver);
      const Scratch scratch;
      const Outcome outcome =
          train_words(scratch, {"--set", "solver=" + solver, "--set", "oracle=" + oracle});
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      CHECK(contains(outcome.err, "rel. gap    last fall"));
      const Json event = scratch.finished("run");
      CHECK(event["certified"] == true);
      CHECK(event["relative_gap"].get<double>() <= 1e-3);
      CHECK(event["dual"].get<double>() <= event["primal"].get<double>());
      const Outcome verified = scratch.sculpt({"verify", "run"});
      INFO(verified.out);
      CHECK(verified.exit == 0);
      CHECK(contains(verified.out, "verified: gap "));
      CHECK_FALSE(contains(verified.out, "planes"));
      CHECK(scratch.sculpt({"verify", "run", "--json"}).exit == 0);
    }
  }
}

TEST_CASE("crf of data with a single label has nothing to learn, and no oracle to blame") {
  const Scratch scratch;
  std::string tokens;
  for (int i = 0; i < 20; ++i) {
    for (int k = 0; k < 100; ++k) tokens += "o" + std::to_string((7 * i + k * k) % 4) + " s0\n";
    tokens += "\n";
  }
  scratch.write("one.txt", tokens);
  scratch.write("one.json", R"({"dataset": {"use": "conll", "columns": ["w"],
      "templates": ["w[0]"], "train": "one.txt"}, "features": {"use": "chain", "bias": false},
      "loss": "hamming", "oracle": "viterbi", "solver": "crf"})");
  for (const std::string method : {"lbfgs", "sdca"}) {
    for (const std::string C : {"0.2", "10"}) {
      const std::string run = method + C;
      CAPTURE(run);
      const Outcome outcome = scratch.sculpt({"train", "one.json", "--set", "solver.C=" + C,
                                              "--set", "solver.method=" + method, "--output", run});
      CHECK_MESSAGE(outcome.exit == 0, outcome.err);
      CHECK(std::abs(scratch.finished(run)["primal"].get<double>()) < 1e-12);
      CHECK(scratch.sculpt({"verify", run}).exit == 0);
    }
  }
}

TEST_CASE("viterbi and enumerate give the same conditional random field") {
  const Scratch scratch;
  const std::vector<std::string> exact = {"--set", "solver.relative_gap=1e-10"};
  REQUIRE(train_words(scratch, exact, "chain").exit == 0);
  std::vector<std::string> by_list = exact;
  by_list.insert(by_list.end(), {"--set", "oracle=enumerate"});
  REQUIRE(train_words(scratch, by_list, "list").exit == 0);
  const std::vector<double> w = weights_of(scratch.read("chain/model.sculpt"));
  const std::vector<double> other = weights_of(scratch.read("list/model.sculpt"));
  REQUIRE(w.size() == other.size());
  for (std::size_t j = 0; j < w.size(); ++j) CHECK(w[j] == Approx(other[j]).epsilon(1e-4).scale(1));
}

TEST_CASE("crf gives the same bytes for any number of threads, and if it is resumed") {
  const Scratch scratch;
  REQUIRE(
      train_words(scratch, {"--threads", "1", "--set", "solver.relative_gap=1e-8"}, "one").exit ==
      0);
  REQUIRE(
      train_words(scratch, {"--threads", "3", "--set", "solver.relative_gap=1e-8"}, "three").exit ==
      0);
  CHECK(scratch.read("one/model.sculpt") == scratch.read("three/model.sculpt"));
  for (const std::string limit : {"1", "4", "9", "1000"}) {
    const Outcome outcome = train_words(
        scratch,
        {"--resume", "--set", "solver.relative_gap=1e-8", "--set", "solver.max_passes=" + limit},
        "parts");
    INFO(outcome.err);
    CHECK(outcome.exit == (limit == "1000" ? 0 : 3));
  }
  CHECK(weights_of(scratch.read("parts/model.sculpt")) ==
        weights_of(scratch.read("one/model.sculpt")));
  CHECK(scratch.finished("parts")["dual"] == scratch.finished("one")["dual"]);
}

TEST_CASE("a crf that is interrupted before its first pass has no primal, and says so") {
  const Scratch scratch;
  const Outcome outcome = train_words(scratch, {"--set", "solver.max_seconds=0"});
  INFO(outcome.out);
  CHECK(outcome.exit == 3);
  CHECK(contains(outcome.out, "the run stopped before one full pass at one w"));
  CHECK(scratch.finished("run")["primal"] == nullptr);
  CHECK(scratch.sculpt({"describe", "run"}).exit == 0);
  CHECK(train_words(scratch, {"--resume", "--set", "solver.max_seconds=null"}).exit == 0);
}

TEST_CASE("crf weighs examples: weight 2 is as two copies") {
  const Scratch scratch;
  const auto config = [&](const std::string& data) {
    scratch.write("rows.json", R"({"dataset": {"use": "svmlight", )" + data + R"(},
        "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
        "solver": {"use": "crf", "C": 9, "relative_gap": 1e-10}})");
    const Outcome outcome = scratch.sculpt({"train", "rows.json", "--output", "run", "--force"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return weights_of(scratch.read("run/model.sculpt"));
  };
  scratch.write("twice.txt", "1 1:1\n1 1:1\n2 2:1\n");
  scratch.write("once.txt", "1 1:1\n2 2:1\n2 1:5\n");
  scratch.write("weights.txt", "2\n1\n0\n");
  const std::vector<double> twice = config(R"("train": "twice.txt")");
  const std::vector<double> once = config(R"("train": "once.txt", "weights": "weights.txt")");
  REQUIRE(twice.size() == once.size());
  for (std::size_t j = 0; j < once.size(); ++j) CHECK(once[j] == Approx(twice[j]).epsilon(1e-4));
}

TEST_CASE("the method sgd ends after its passes with a primal and a proved gap") {
  const Scratch scratch;
  const Outcome outcome = train_words(scratch, {"--set", "solver.method=sgd"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  const Json event = scratch.finished("run");
  CHECK(event["stopped_by"] == "sgd_passes");
  CHECK(event["passes"] == 26);
  CHECK(contains(outcome.out, "stochastic steps have no target"));
  CHECK_FALSE(contains(outcome.out, "to continue"));  // no limit can be raised
  CHECK(event["certified"] == true);
  CHECK(scratch.sculpt({"verify", "run"}).exit == 3);
  const Outcome resumed = train_words(scratch, {"--set", "solver.method=sgd", "--resume"});
  CHECK(resumed.exit == 3);
}

TEST_CASE("threads: sdca reaches the optimum of lbfgs, with equal bytes, and verify confirms it") {
  for (const std::string solver :
       {R"("C": 10)", R"("C": 10, "loss_weight": 1)", R"("C": 20, "temperature": 2)"}) {
    for (const std::string order : {"1", "2"}) {
      CAPTURE(solver);
      CAPTURE(order);
      const Scratch scratch;
      const auto train = [&](const std::string& method, const std::string& threads) {
        const std::string gap = method == "lbfgs" ? "1e-11" : "1e-9";
        const Outcome outcome = train_words(
            scratch,
            {"--set", "features={\"use\": \"chain\", \"order\": " + order + "}", "--set",
             "solver={\"use\": \"crf\", " + solver + R"(, "method": ")" + method +
                 R"(", "relative_gap": )" + gap + "}",
             "--threads", threads},
            method + threads);
        INFO(outcome.err);
        REQUIRE(outcome.exit == 0);
        return scratch.finished(method + threads)["primal"].get<double>();
      };
      CHECK(train("sdca", "1") == Approx(train("lbfgs", "1")).epsilon(1e-8));
      train("sdca", "3");
      CHECK(scratch.read("sdca1/model.sculpt") == scratch.read("sdca3/model.sculpt"));
      const Outcome verified = scratch.sculpt({"verify", "sdca1"});
      INFO(verified.out);
      CHECK(verified.exit == 0);
      CHECK(contains(verified.out, "verified: gap "));
    }
  }
}

TEST_CASE("sdca trains softmax regression with weights of examples, as lbfgs does") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1 3:0.5\n2 2:1\n3 1:-1 2:2\n2 3:1\n1 2:0.25\n");
  scratch.write("weights.txt", "2\n1\n0.5\n0\n1\n");
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt",
      "weights": "weights.txt"}, "features": "multiclass", "loss": "zero_one",
      "oracle": "enumerate", "solver": {"use": "crf", "C": 9}})");
  const auto primal_of = [&](const std::string& method) {
    const Outcome outcome =
        scratch.sculpt({"train", "rows.json", "--output", method, "--set",
                        "solver.method=" + method, "--set", "solver.relative_gap=1e-10"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return scratch.finished(method)["primal"].get<double>();
  };
  CHECK(primal_of("sdca") == Approx(primal_of("lbfgs")).epsilon(1e-9));
}

TEST_CASE("sdca gives the same bytes if it is resumed") {
  const Scratch scratch;
  const std::vector<std::string> method = {"--set", "solver.method=sdca", "--set",
                                           "solver.relative_gap=1e-8"};
  REQUIRE(train_words(scratch, method, "one").exit == 0);
  for (const std::string limit : {"1", "7", "12", "1000"}) {
    std::vector<std::string> settings = method;
    settings.insert(settings.end(), {"--resume", "--set", "solver.max_passes=" + limit});
    const Outcome outcome = train_words(scratch, settings, "parts");
    INFO(outcome.err);
    CHECK(outcome.exit == (limit == "1000" ? 0 : 3));
  }
  CHECK(weights_of(scratch.read("parts/model.sculpt")) ==
        weights_of(scratch.read("one/model.sculpt")));
  CHECK(scratch.finished("parts")["dual"] == scratch.finished("one")["dual"]);
  CHECK(scratch.sculpt({"verify", "parts"}).exit == 0);
}

TEST_CASE("what crf cannot use is refused by name, before there is a run") {
  const Scratch scratch;
  const auto refused = [&](std::vector<std::string> settings, std::vector<std::string> texts) {
    check_refused(scratch, train_words(scratch, std::move(settings)), exit_config, texts);
    CHECK_FALSE(fs::exists(scratch / "run"));
  };
  refused({"--set", "oracle=icm"},
          {"crf needs expectations of features, but icm offers no probabilities"});
  refused({"--set", "solver.C=inf"}, {"\"C\" must be a number from 1e-12"});
  refused({"--set", R"(solver={"use": "crf", "rescaling": "slack"})"},
          {"unknown key \"rescaling\" of crf"});
  refused({"--set", "solver.loss_weight=1", "--set", "loss=zero_one"},
          {"crf needs probabilities that the loss enters, but zero_one", "or loss_weight 0"});
  refused({"--set", "solver.l1=1", "--set", "solver.sgd_passes=3"},
          {"passes of stochastic steps do not support \"l1\""});
  refused({"--set", "solver.method=sgd", "--set", "solver.sgd_passes=0"},
          {"\"sgd\" needs \"sgd_passes\" of at least 1"});
  refused({"--set", "solver.method=sgd", "--set",
           R"(features={"use": "chain", "nonnegative": ["transitions"]})"},
          {"crf may give negative weights", "use \"method\": \"lbfgs\""});
  refused({"--set", "solver.method=sdca", "--set", "solver.l1=1"},
          {"the method sdca does not support \"l1\""});
  refused({"--set", "solver.method=sdca", "--set",
           R"(features={"use": "chain", "nonnegative": ["transitions"]})"},
          {"crf may give negative weights", "use \"method\": \"lbfgs\""});
  scratch.write("pairs.fa", ">a\nGGGAAACCC\n(((...)))\n");
  scratch.write("pairs.json", R"({"dataset": {"use": "dot_bracket", "train": "pairs.fa"},
      "features": "rna", "loss": "missed", "oracle": "rna",
      "solver": {"use": "crf", "method": "sdca"}})");
  check_refused(scratch, scratch.sculpt({"train", "pairs.json", "--output", "run"}), exit_config,
                {"for the method sdca, but rna is an oracle without them; use the method lbfgs"});
  refused({"--set", "audit_with=viterbi"},
          {"\"audit_with\" needs an objective of structural hinges"});
}
