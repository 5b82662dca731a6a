// Hard margins: both ways to set C = inf, the report, and data that is refused.

#include <doctest/doctest.h>

#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Writes three classes that the two inputs separate, followed by the rows `more`.
void write_three_classes(const Scratch& scratch, const std::string& C,
                         const std::string& more = "") {
  scratch.write("rows.svml", "1 1:1\n2 2:1\n3 1:-1 2:-1\n1 1:2\n2 2:3\n" + more);
  scratch.write("hard.json",
                "{\n"
                "  \"dataset\": {\"use\": \"svmlight\", \"train\": \"rows.svml\"},\n"
                "  \"features\": \"multiclass\",\n"
                "  \"loss\": \"zero_one\",\n"
                "  \"oracle\": \"enumerate\",\n"
                "  \"solver\": {\"use\": \"n_slack\", \"C\": " +
                    C + "}\n}\n");
}

}  // namespace

TEST_CASE("C = inf in the file or on the command line has the optimum of a large C") {
  const Scratch scratch;
  for (const char* solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    const std::string use = std::string("solver.use=") + solver;
    std::vector<double> primal;
    for (const char* C : {"\"inf\"", "1", "1000"}) {
      write_three_classes(scratch, C);
      std::vector<std::string> words = {"train", "hard.json", "--output",
                                        "run",   "--force",   "--set",
                                        use,     "--set",     "solver.relative_gap=1e-6"};
      if (std::string(C) == "1") words.insert(words.end(), {"--set", "solver.C=inf"});
      const Outcome outcome = scratch.sculpt(words);
      INFO(outcome.err);
      REQUIRE(outcome.exit == 0);
      const Json event = scratch.finished("run");
      CHECK(event["certified"] == true);
      CHECK(event["train"]["loss"] == 0);
      primal.push_back(event["primal"].get<double>());
      const bool hard = std::string(C) != "1000";
      CHECK((outcome.err.find("hard margin") != std::string::npos) == hard);
      CHECK((outcome.err.find("lambda") != std::string::npos) == !hard);
    }
    CHECK(primal[0] == primal[1]);
    CHECK(primal[0] == doctest::Approx(primal[2]).epsilon(3e-6));
  }
}

TEST_CASE("hard margin on inseparable data is refused with exit 65 and the examples") {
  const Scratch scratch;
  for (const char* solver : {"n_slack", "one_slack"}) {
    CAPTURE(solver);
    write_three_classes(scratch, "\"inf\"", "1 1:3 2:1\n2 1:3 2:1\n");
    const Outcome outcome = scratch.sculpt({"train", "hard.json", "--output", "run", "--force",
                                            "--set", std::string("solver.use=") + solver});
    INFO(outcome.err);
    CHECK(outcome.exit == 65);
    CHECK(outcome.err.find("svmlight: examples 5, 6: contradict each other: ") !=
          std::string::npos);
    CHECK(outcome.err.find("lower \"separation_floor\"") ==
          std::string::npos);  // a lower floor cannot help
    CHECK(outcome.err.find("finite \"C\"") != std::string::npos);
    CHECK(outcome.out.empty());
  }
}

TEST_CASE("a failed run writes its reason to the events, and the next run replaces it") {
  const Scratch scratch;
  write_three_classes(scratch, "\"inf\"", "1 1:3 2:1\n2 1:3 2:1\n");
  const std::vector<std::string> words = {"train", "hard.json", "--output", "run"};
  const Outcome refused = scratch.sculpt(words);
  CHECK(refused.exit == 65);
  const Json event = scratch.finished("run");
  CHECK(event["event"] == "failed");
  CHECK(event["exit"] == 65);
  CHECK("sculpt: " + event["message"].get<std::string>() ==
        refused.err.substr(refused.err.rfind("sculpt: "),
                           refused.err.rfind('\n') - refused.err.rfind("sculpt: ")));
  write_three_classes(scratch, "10");
  const Outcome corrected = scratch.sculpt(words);
  INFO(corrected.err);
  CHECK(corrected.exit == 0);
  CHECK(scratch.read("run/events.jsonl").find("failed") == std::string::npos);
  // The corrected run has a model, so it is kept.
  const std::string model = scratch.read("run/model.sculpt");
  CHECK(scratch.sculpt(words).exit == 73);
  CHECK(scratch.read("run/model.sculpt") == model);
}

TEST_CASE("hard margin reports a falling bound on the separation until the margins hold") {
  const Scratch scratch;
  write_three_classes(scratch, "\"inf\"", "1 1:3 2:1\n2 1:3 2:1.01\n");
  const Outcome outcome =
      scratch.sculpt({"train", "hard.json", "--output", "run", "--set", "solver.use=one_slack"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  double before = 1e300;
  std::istringstream lines(scratch.read("run/events.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const Json event = Json::parse(line);
    if (event["event"] != "pass" || event["separation"].is_null()) continue;
    CHECK(event["separation"].get<double>() <= before);
    before = event["separation"].get<double>();
  }
  CHECK(before < 0.01);  // the last two rows are 0.01 apart, and longer than 3
  CHECK(outcome.err.find("  <") != std::string::npos);
}

TEST_CASE("a hard margin run that ends before its weights satisfy all margins reports no primal") {
  const Scratch scratch;
  write_three_classes(scratch, "\"inf\"");
  const Outcome outcome = scratch.sculpt({"train", "hard.json", "--output", "run", "--set",
                                          "solver.use=one_slack", "--set", "solver.max_passes=1"});
  INFO(outcome.err);
  CHECK(outcome.exit == 3);
  const Json event = scratch.finished("run");
  CHECK(event["certified"] == false);
  for (const char* key : {"primal", "primal_low", "primal_high", "gap", "relative_gap"}) {
    CAPTURE(key);
    CHECK(event[key].is_null());
  }
  CHECK(event["dual"] == 0);
  std::istringstream lines(scratch.read("run/events.jsonl"));
  for (std::string line; std::getline(lines, line);) CHECK(Json::accept(line));
  CHECK(outcome.out.find("violate some of the hard margins") != std::string::npos);
  CHECK(outcome.out.find("inf") == std::string::npos);
  CHECK(outcome.out.find("nan") == std::string::npos);
}
