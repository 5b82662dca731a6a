// The solvers soda and z_score as users run them: trained, verified, resumed, and refused by name.

#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

const char* const moment_words =
    "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n3 0 0 b 0 01\n";

// An experiment on these words, with the settings in addition.
Outcome train_moments(const Scratch& scratch, std::vector<std::string> settings,
                      const std::string& run = "run") {
  scratch.write("words.txt", moment_words);
  scratch.write("words.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": "chain", "loss": "hamming", "oracle": "viterbi",
      "solver": {"use": "soda", "lambda": 1e-3}})");
  std::vector<std::string> all = {"train", "words.json", "--output", run};
  all.insert(all.end(), settings.begin(), settings.end());
  return scratch.sculpt(all);
}

// ||a - b|| / ||b||
double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double difference = 0;
  double length = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    difference += (a[j] - b[j]) * (a[j] - b[j]);
    length += b[j] * b[j];
  }
  return std::sqrt(difference / length);
}

}  // namespace

TEST_CASE("soda and z_score train to a residual that verify confirms, beside P of the hinges") {
  for (const std::string name : {"soda", "z_score"}) {
    for (const std::string lambda : {"0.01", "1e-8", "0"}) {
      CAPTURE(name);
      CAPTURE(lambda);
      const Scratch scratch;
      const Outcome outcome = train_moments(
          scratch, {"--set", R"(solver={"use": ")" + name + R"(", "lambda": )" + lambda + "}"});
      INFO(outcome.out);
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      CHECK(contains(outcome.err, "primal   residual"));
      CHECK(contains(outcome.out, "target 1e-06 reached"));
      CHECK(contains(outcome.out, "hinge primal"));
      const Json event = scratch.finished("run");
      CHECK(event["stopped_by"] == "residual");
      CHECK(event["residual"].get<double>() <= 1e-6);
      CHECK(event["primal"].get<double>() < 0);
      CHECK(event["hinge_primal"].get<double>() > 0);
      CHECK(event["certified"] == (lambda != "0"));
      CHECK(event["dual"].is_null() == (lambda == "0"));
      const Outcome verified = scratch.sculpt({"verify", "run"});
      INFO(verified.out);
      CHECK(verified.exit == 0);
      CHECK(contains(verified.out, "verified: residual "));
      const Outcome as_json = scratch.sculpt({"verify", "run", "--json"});
      CHECK(as_json.exit == 0);
      CHECK(Json::parse(as_json.out)["verified"] == true);
      CHECK(contains(scratch.sculpt({"describe", "run"}).out, "of ||b||, target reached"));
    }
  }
}

// Only moments with a loss ask the map_solver. The loss_weight 1e-300 adds nothing to them.
TEST_CASE("viterbi, enumerate and the closed form give the same soda and z_score") {
  for (const std::string name : {"soda", "z_score"}) {
    const Scratch scratch;
    const auto weights = [&](const std::string& run, const std::string& oracle,
                             const std::string& loss_weight) {
      const Outcome outcome =
          train_moments(scratch,
                        {"--set", "oracle=" + oracle, "--set",
                         R"(solver={"use": ")" + name + R"(", "lambda": 0.001, "residual": 1e-12})",
                         "--set", "solver.loss_weight=" + loss_weight},
                        run);
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      return weights_of(scratch.read(run + "/model.sculpt"));
    };
    const std::vector<double> w = weights("closed", "viterbi", "0");
    CHECK(relative_distance(w, weights("chain", "viterbi", "1e-300")) <= 1e-10);
    CHECK(relative_distance(w, weights("list", "enumerate", "1e-300")) <= 1e-10);
    CHECK(weights("local", "icm", "0") == w);
    // Only the last pass, for the hinges, asks the oracle.
    CHECK(scratch.finished("closed")["oracle_calls"] == 3);
    CHECK(scratch.finished("chain")["oracle_calls"] > 3);
  }
}

TEST_CASE(
    "soda and z_score train with cycles and a map_solver without probabilities, crf does not") {
  const Scratch scratch;
  scratch.write("images.txt",
                "image one 3 3\nxox\nxxo\noox\n0 1 0\n0 0 1\n1 1 0\n"
                "image two 2 3\nooo\nxox\n1 1 1\n0 1 1\n");
  scratch.write("images.json", R"({"dataset": {"use": "grid", "train": "images.txt"},
      "features": "graph", "loss": "hamming", "oracle": "icm",
      "solver": {"use": "soda", "lambda": 0.01}})");
  for (const std::string name : {"soda", "z_score"}) {
    std::vector<double> w;
    for (const std::string oracle : {"icm", "enumerate", "belief_propagation"}) {
      const std::string run = name + oracle;
      const Outcome outcome = scratch.sculpt(
          {"train", "images.json", "--output", run, "--guard", "--set", "solver.use=" + name,
           "--set", "oracle=" + oracle, "--set", "solver.residual=1e-10"});
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      CHECK(scratch.sculpt({"verify", run}).exit == 0);
      const std::vector<double> found = weights_of(scratch.read(run + "/model.sculpt"));
      if (w.empty()) w = found;
      CHECK(found == w);
    }
    const Outcome by_list =
        scratch.sculpt({"train", "images.json", "--output", name, "--set", "oracle=enumerate",
                        "--set", "solver.use=" + name, "--set", "solver.loss_weight=1e-300",
                        "--set", "solver.residual=1e-10"});
    REQUIRE(by_list.exit == 0);
    CHECK(relative_distance(w, weights_of(scratch.read(name + "/model.sculpt"))) <= 1e-7);
  }
  check_refused(scratch,
                scratch.sculpt({"train", "images.json", "--output", "run", "--set",
                                "solver={\"use\": \"crf\"}"}),
                exit_config,
                {"crf needs expectations of features, but icm offers no probabilities"});
}

TEST_CASE("soda gives the same bytes for any number of threads, and if it is resumed") {
  const Scratch scratch;
  for (const std::string threads : {"1", "2", "4"}) {
    REQUIRE(train_moments(scratch, {"--threads", threads}, threads).exit == 0);
    CHECK(scratch.read(threads + "/model.sculpt") == scratch.read("1/model.sculpt"));
  }
  for (const std::string limit : {"1", "3", "5", "1000"}) {
    const Outcome outcome =
        train_moments(scratch, {"--resume", "--set", "solver.max_passes=" + limit}, "parts");
    INFO(outcome.out);
    CHECK(outcome.exit == (limit == "1000" ? 0 : 3));
    CHECK(scratch.finished("parts")["hinge_primal"].is_number());
    CHECK(scratch.sculpt({"verify", "parts"}).exit == outcome.exit);
  }
  CHECK(weights_of(scratch.read("parts/model.sculpt")) ==
        weights_of(scratch.read("1/model.sculpt")));
  CHECK(scratch.finished("parts")["residual"] == scratch.finished("1")["residual"]);
  CHECK(train_moments(scratch, {"--resume"}, "1").exit == 0);
}

TEST_CASE("a soda that is interrupted before its first pass has no primal, and says so") {
  const Scratch scratch;
  const Outcome outcome = train_moments(scratch, {"--set", "solver.max_seconds=0"});
  INFO(outcome.out);
  CHECK(outcome.exit == 3);
  CHECK(contains(outcome.out, "the run stopped before one full pass at one w"));
  CHECK(scratch.finished("run")["primal"] == nullptr);
  CHECK(scratch.sculpt({"describe", "run"}).exit == 0);
  CHECK(scratch.sculpt({"verify", "run"}).exit == 3);
  CHECK(train_moments(scratch, {"--resume", "--set", "solver.max_seconds=null"}).exit == 0);
}

TEST_CASE("a sweep compares soda, z_score and crf, and says which reached their targets") {
  const Scratch scratch;
  scratch.write("words.txt", moment_words);
  scratch.write("words.json", R"({"dataset": {"use": "letters", "train": "words.txt"},
      "features": "chain", "loss": "hamming", "oracle": "viterbi", "solver": "soda"})");
  const Outcome outcome = scratch.sculpt(
      {"sweep", "words.json", "--output", "grid", "--set", "solver.use=soda,z_score,crf"});
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(contains(outcome.out, "residual"));
  CHECK_FALSE(contains(outcome.out, "missed"));
}

TEST_CASE("what soda and z_score cannot use is refused by name, before there is a run") {
  for (const std::string name : {"soda", "z_score"}) {
    const Scratch scratch;
    const auto refused = [&](std::vector<std::string> settings, std::vector<std::string> texts) {
      settings.insert(settings.begin(), {"--set", "solver.use=" + name});
      check_refused(scratch, train_moments(scratch, std::move(settings)), exit_config, texts);
      CHECK_FALSE(fs::exists(scratch / "run"));
    };
    refused({"--set", "oracle=icm", "--set", "features.order=2"},
            {name + " needs expectations of features at w = 0, but icm offers no probabilities",
             "use features whose factors have at most two variables"});
    refused({"--set", "oracle=icm", "--set", "solver.loss_weight=1"},
            {name + " needs expectations of features, but icm offers no probabilities"});
    refused({"--set", "solver.C=inf"}, {name + " does not support hard margins"});
    refused({"--set", "solver.lambda=-1"}, {"\"lambda\" must be"});
    refused({"--set", "solver.relative_gap=0.1"}, {"unknown key \"relative_gap\" of " + name});
    refused({"--set", R"(features={"use": "chain", "nonnegative": ["transitions"]})"},
            {name + " may give negative weights"});
    refused({"--set", "audit_with=viterbi"},
            {"\"audit_with\" needs an objective of structural hinges"});
  }
}

TEST_CASE("an oracle without covariances is refused before the first pass ends") {
  for (const std::string name : {"soda", "z_score"}) {
    const Scratch scratch;
    const Outcome outcome =
        train_moments(scratch, {"--set", "solver.use=" + name, "--set", "solver.loss_weight=1",
                                "--set", "oracle=belief_propagation"});
    check_refused(scratch, outcome, exit_config, {"belief_propagation: example 0: has no covar"});
    CHECK_FALSE(contains(scratch.read("run/events.jsonl"), "\"residual\""));
  }
}

TEST_CASE("sampled moments give the same bytes for any number of threads, and if resumed") {
  const std::vector<std::string> solvers = {
      R"({"use": "soda", "lambda": 0.01, "moments": "sampled", "samples": 20})",
      R"({"use": "z_score", "lambda": 0.01, "moments": "sampled"})",
      R"({"use": "constrained_z_score", "lambda": 0.01, "moments": "sampled", "samples": 20})"};
  for (const std::string& solver : solvers) {
    CAPTURE(solver);
    const Scratch scratch;
    for (const std::string threads : {"1", "2", "4"}) {
      const Outcome outcome =
          train_moments(scratch, {"--set", "solver=" + solver, "--threads", threads}, threads);
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      CHECK(scratch.read(threads + "/model.sculpt") == scratch.read("1/model.sculpt"));
    }
    for (const std::string limit : {"1", "3", "1000"}) {
      const Outcome outcome = train_moments(
          scratch, {"--set", "solver=" + solver, "--resume", "--set", "solver.max_passes=" + limit},
          "parts");
      CHECK(outcome.exit == (limit == "1000" ? 0 : 3));
      CHECK(scratch.sculpt({"verify", "parts"}).exit == outcome.exit);
    }
    CHECK(weights_of(scratch.read("parts/model.sculpt")) ==
          weights_of(scratch.read("1/model.sculpt")));
    CHECK(scratch.sculpt({"verify", "1"}).exit == 0);
    CHECK(contains(scratch.sculpt({"describe", "1"}).out, " samples"));
    CHECK(train_moments(scratch, {"--set", "solver=" + solver, "--set", "seed=7"}, "other").exit ==
          0);
    CHECK(weights_of(scratch.read("other/model.sculpt")) !=
          weights_of(scratch.read("1/model.sculpt")));
  }
}

TEST_CASE(
    "a loss_weight moves soda and z_score, the same for viterbi, enumerate and many samples") {
  for (const std::string name : {"soda", "z_score"}) {
    CAPTURE(name);
    const Scratch scratch;
    const auto train_with = [&](const std::string& settings, const std::string& oracle,
                                const std::string& run) {
      const Outcome outcome = train_moments(
          scratch,
          {"--set", R"(solver={"use": ")" + name + R"(", "lambda": 0.01)" + settings + "}", "--set",
           "oracle=" + oracle},
          run);
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      CHECK(scratch.sculpt({"verify", run}).exit == 0);
      return weights_of(scratch.read(run + "/model.sculpt"));
    };
    const auto plain = train_with("", "viterbi", "plain");
    const auto weighted = train_with(R"(, "loss_weight": 2)", "viterbi", "weighted");
    const auto listed = train_with(R"(, "loss_weight": 2)", "enumerate", "listed");
    const auto sampled = train_with(R"(, "loss_weight": 2, "moments": "sampled", "samples": 20000)",
                                    "viterbi", "sampled");
    CHECK(relative_distance(plain, weighted) > 0.1);
    CHECK(relative_distance(listed, weighted) < 1e-4);
    CHECK(relative_distance(sampled, weighted) < 0.1);
    CHECK(contains(scratch.sculpt({"describe", "weighted"}).out, "loss_weight = 2"));
  }
}

TEST_CASE("samples of viterbi and of enumerate give weights near the exact ones") {
  const Scratch scratch;
  const std::string exact = R"(solver={"use": "soda", "lambda": 0.01})";
  REQUIRE(train_moments(scratch, {"--set", exact}, "exact").exit == 0);
  const std::vector<double> w = weights_of(scratch.read("exact/model.sculpt"));
  for (const std::string oracle : {"viterbi", "enumerate"}) {
    const std::vector<std::string> sampled = {
        "--set",
        R"(solver={"use": "soda", "lambda": 0.01, "moments": "sampled", "samples": 20000})",
        "--set", "oracle=" + oracle};
    REQUIRE(train_moments(scratch, sampled, oracle).exit == 0);
    const std::vector<double> found = weights_of(scratch.read(oracle + "/model.sculpt"));
    CHECK(relative_distance(found, w) > 0);
    CHECK(relative_distance(found, w) < 0.1);
  }
}

TEST_CASE("samples that cannot be are refused by name") {
  for (const std::string name : {"soda", "z_score", "constrained_z_score"}) {
    const Scratch scratch;
    const auto refused = [&](const std::string& settings, const std::string& text) {
      check_refused(
          scratch,
          train_moments(scratch, {"--set", R"(solver={"use": ")" + name + "\", " + settings + "}"}),
          exit_config, {text});
    };
    refused(R"("moments": "sampled", "samples": 0)", "\"samples\" must be");
    refused(R"("samples": 10)", name + ": \"samples\" needs \"moments\": \"sampled\"");
    refused(R"("moments": "all")", "\"moments\"");
    check_refused(
        scratch,
        train_moments(scratch, {"--set", "oracle=icm", "--set",
                                R"(solver={"use": ")" + name + R"(", "moments": "sampled"})"}),
        exit_config, {name + " needs samples of outputs, but icm offers no samples"});
  }
}

TEST_CASE("constrained_z_score trains certified, is verified, resumed, and refused by name") {
  const Scratch scratch;
  const std::vector<std::string> settings = {
      "--set", R"(solver={"use": "constrained_z_score", "price": 10, "lambda": 0.01})"};
  const Outcome outcome = train_moments(scratch, settings);
  INFO(outcome.out);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json event = scratch.finished("run");
  CHECK(event["certified"] == true);
  CHECK(event["stopped_by"] == "relative_gap");
  CHECK(event["minimizes"] == "constrained_moments");
  CHECK(event["hinge_primal"].is_number());
  CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
  CHECK(contains(scratch.sculpt({"describe", "run"}).out, "price/n sum of slacks, price = 10"));
  for (const std::string limit : {"2", "4", "1000"}) {
    std::vector<std::string> words = settings;
    words.insert(words.end(),
                 {"--threads", "4", "--resume", "--set", "solver.max_passes=" + limit});
    CHECK(train_moments(scratch, words, "parts").exit == (limit == "1000" ? 0 : 3));
  }
  CHECK(weights_of(scratch.read("parts/model.sculpt")) ==
        weights_of(scratch.read("run/model.sculpt")));
  const auto refused = [&](const std::string& solver, const std::string& text) {
    check_refused(scratch, train_moments(scratch, {"--set", "solver=" + solver}, "other"),
                  exit_config, {text});
    CHECK_FALSE(fs::exists(scratch / "other"));
  };
  refused(R"({"use": "constrained_z_score", "C": "inf"})", "use a large \"price\"");
  refused(R"({"use": "constrained_z_score", "price": 0})", "\"price\" must be");
  refused(R"({"use": "constrained_z_score", "lambda": 0})", "\"lambda\" must be");
}
