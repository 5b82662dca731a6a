// sculpt check finds the fault of each plugin of tests/faulty_plugins, and passes the correct ones.
#include <doctest/doctest.h>

#include <fstream>

#include "check/check_found.hpp"

using namespace sculpt::test;

TEST_CASE("check: each faulty plugin gets the expected verdict") {
  for (const Expected& expected : verdicts) check_found(expected);
}

TEST_CASE("check: examples without a weight before others with one are no fault") {
  const Scratch scratch;
  const std::string path = write_tagger(scratch, "weights_are_late", "a:1", 20001);
  const CheckOutcome outcome = run_check({path, "--only", "dataset.weights"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(outcome.test("dataset.weights")["cases"] == 20001);
}

TEST_CASE("check: leaks are found at every level, to the byte") {
  for (const char* level : {"1", "2", "3"}) {
    const auto found = [&](const char* name, const std::string& test) {
      return run_check({mutant_library(name), "--only", test, "--level", level}).test(test);
    };
    const std::string reason = found("leak", "library.life")["reasons"][0].get<std::string>();
    INFO(reason);
    CHECK(reason.starts_with("org.sculpt.hamming: create and destroy leak: "));
    const double bytes = std::stod(reason.substr(reason.rfind("leak: ") + 6));
    CHECK(bytes >= 20);
    CHECK(bytes <= 48);  // the allocator adds some bytes
    CHECK(found("leak_in_load", "life.leak")["verdict"] == "fail");
    CHECK(found("leak_in_session", "sessions.leak")["verdict"] == "fail");
    CHECK(found("leak_in_argmax", "sessions.leak")["verdict"] == "warn");
    CHECK(found("leak_in_argmax", "life.leak")["verdict"] == "fail");
    CHECK(found("leak_in_first_query", "life.leak")["verdict"] == "fail");
    CHECK(found("leak_in_first_query", "sessions.leak")["verdict"] == "pass");
    CHECK(found("correct", "library.life")["verdict"] == "pass");
    CHECK(found("correct", "life.leak")["verdict"] == "pass");
    CHECK(found("correct", "sessions.leak")["verdict"] == "pass");
  }
}

TEST_CASE("check: each wrong distribution over all assignments is found at every level") {
  for (const Expected& expected : distributions) {
    check_found(expected);
    const CheckOutcome quick =
        run_check({mutant_library(expected.plugin), "--only", expected.test, "--level", "1"});
    CHECK(quick.exit == 1);
  }
}

TEST_CASE("check: the k best outputs are asked for with a loss that is no sum over parts") {
  const Json correct = run_check({mutant_library("positions_correct")}).test("k_best.order");
  CHECK(correct["verdict"] == "pass");
  CHECK(correct["reasons"].empty());
  const Json refuses = run_check({mutant_library("k_best_refuses_loss")}).test("k_best.order");
  CHECK(refuses["verdict"] == "pass");
  CHECK(refuses["reasons"].dump().find("ranks outputs without a loss only") != std::string::npos);
}

TEST_CASE("check: scores of an empty output are no fault") {
  const CheckOutcome outcome = run_check({mutant_library("positions_correct"), "--only", "scores"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(outcome.test("scores.psi")["verdict"] == "pass");
}

TEST_CASE("check: typical bugs are found") {
  for (const Expected& expected : bugs) check_found(expected);
}

TEST_CASE("check: faults beyond the experiments of a library are found") {
  for (const Expected& expected : beyond_experiments) check_found(expected);
}

TEST_CASE("check: wrong completions of partial truths are found") {
  for (const Expected& expected : completions) check_found(expected);
  const CheckOutcome correct =
      run_check({mutant_library("completion_correct"), "--only", "complete.best"});
  CHECK(correct.exit == 0);
  CHECK(correct.test("complete.best")["verdict"] == "pass");
  CHECK(correct.test("complete.best")["brute_forced"].get<int>() > 0);
}

TEST_CASE("check: answers in batches that are not those of single calls are found") {
  for (const Expected& expected : batches) {
    check_found(expected);
    const CheckOutcome others =
        run_check({mutant_library(expected.plugin), "--only", "oracle.value"});
    CHECK(others.exit == 0);
  }
  const CheckOutcome correct =
      run_check({mutant_library("batch_correct"), "--only", "oracle.batch"});
  CHECK(correct.exit == 0);
  CHECK(correct.test("oracle.batch")["verdict"] == "pass");
}

TEST_CASE("check: psi and losses of several outputs that are not those of each are found") {
  for (const Expected& expected : batch_values) check_found(expected);
  const CheckOutcome correct =
      run_check({mutant_library("values_correct"), "--only", "features.batch,loss.batch"});
  CHECK(correct.exit == 0);
  CHECK(correct.test("features.batch")["verdict"] == "pass");
  CHECK(correct.test("loss.batch")["verdict"] == "pass");
}

TEST_CASE("check: the outputs of an example with a complete shape are listed") {
  const auto exact = [](const std::string& mutant) {
    return run_check({mutant_library(mutant), "--level", "1", "--only", "oracle.exact"})
        .test("oracle.exact");
  };
  CHECK(exact("unlisted")["brute_forced"] == 0);
  const Json shaped = exact("unlisted_shaped");
  INFO(shaped.dump(2));
  CHECK(shaped["verdict"] == "pass");
  CHECK(shaped["cases"] > 0);
  CHECK(shaped["brute_forced"] == shaped["cases"]);
}

TEST_CASE("check: wrong relaxed answers are found") {
  for (const Expected& expected : relaxed) check_found(expected);
}

TEST_CASE("check: the originals of the faulty plugins pass") {
  for (const char* name : {"correct", "completion_correct", "batch_correct", "segments_correct",
                           "shaped", "lp_correct", "bag_correct", "example_without_outputs"}) {
    const CheckOutcome outcome = run_check({mutant_library(name), "--level", "3"});
    INFO(outcome.json.dump(2));
    CHECK(outcome.exit == 0);
  }
}

TEST_CASE("check: each oracle of a list is tested alone") {
  const Scratch scratch;
  const auto verdicts = [&](const Json& oracle, const std::string& only = "map_solver.exact") {
    Json experiment = {
        {"dataset", {{"use", "letters"}, {"train", {{"text", "1 0 0 a 1 1\n1 0 1 b 0 0\n"}}}}},
        {"features", "chain"},
        {"loss", "hamming"},
        {"oracle", oracle},
        {"solver", "n_slack"}};
    scratch.write("several.json", experiment.dump());
    const Outcome outcome = scratch.sculpt({"check", "several.json", "--only", only, "--json"});
    std::string verdict_lines;
    const Json report = Json::parse(outcome.out);
    for (const Json& test : report["tests"]) {
      verdict_lines +=
          test["experiment"].get<std::string>() + ": " + test["verdict"].get<std::string>() + "\n";
    }
    return verdict_lines;
  };
  const std::string wrong = mutant_library("viterbi_greedy") + "#viterbi";
  const std::string expected =
      "several: pass\nseveral, oracle 1: " + wrong + ": fail\nseveral, oracle 2: viterbi: pass\n";
  CHECK(verdicts({wrong, "viterbi"}) == expected);
  CHECK(verdicts({{"use", "combine"}, {"members", {wrong, "viterbi"}}}) == expected);
  CHECK(verdicts("viterbi") == "several: pass\n");
  // The counts that a loss is asked for are those of the frontiers of all oracles.
  CHECK(verdicts({"enumerate", "viterbi"}, "loss.count_values") ==
        "several: pass\nseveral, oracle 1: enumerate: pass\nseveral, oracle 2: viterbi: pass\n");
}

TEST_CASE("check: examples with too many outputs are compared with a pool and with neighbours") {
  const Scratch scratch;
  std::string word;  // of 12 letters with 3 labels: 3^12 outputs
  for (int t = 0; t < 12; ++t) {
    word += "1 0 " + std::to_string(t) + " " + "abc"[t % 3] + (t < 11 ? " 1 " : " 0 ") +
            (t % 2 == 0 ? "1" : "0") + "\n";
  }
  const Json experiment = {{"dataset", {{"use", "letters"}, {"train", {{"text", word}}}}},
                           {"features", "chain"},
                           {"loss", "hamming"},
                           {"oracle", mutant_library("viterbi_greedy") + "#viterbi"},
                           {"solver", "n_slack"}};
  scratch.write("long.json", experiment.dump());
  const Outcome outcome =
      scratch.sculpt({"check", "long.json", "--only", "oracle.exact", "--json"});
  CHECK(outcome.exit == 1);
  const Json test = Json::parse(outcome.out)["tests"][0];
  INFO(test.dump(2));
  CHECK(test["name"] == "oracle.exact");
  CHECK(test["verdict"] == "fail");
  CHECK(test["brute_forced"] == 0);
  CHECK(test["reasons"].dump().find("another output is better") != std::string::npos);
}

TEST_CASE("check: a test that takes too long fails, and names its last step") {
  const CheckOutcome outcome =
      run_check({mutant_library("hang"), "--only", "oracle.value", "--time-limit", "0.5"});
  CHECK(outcome.exit == 1);
  const Json found = outcome.test("oracle.value");
  CHECK(found["verdict"] == "fail");
  CHECK(found["reasons"][0] == "tagger: example 3: was still inside of argmax");
  CHECK(found["reasons"][1].get<std::string>().starts_with(
      "took longer than 0.5 s, in the middle of: example 3"));
}

TEST_CASE("check: after two timeouts the other tests are skipped") {
  const CheckOutcome outcome =
      run_check({mutant_library("hang"), "--only", "oracle", "--time-limit", "0.5"});
  CHECK(outcome.exit == 1);
  int timeouts = 0;
  int skipped = 0;
  for (const Json& test : outcome.json["tests"]) {
    const std::string reasons = test["reasons"].dump();
    timeouts += reasons.find("took longer than 0.5 s") != std::string::npos;
    skipped += test["verdict"] == "skip" && reasons.find("not run: 2 tests") != std::string::npos;
  }
  CHECK(timeouts == 2);
  CHECK(skipped > 3);
}

TEST_CASE("check: restored components are also tested if an experiment reads several files") {
  const Scratch scratch;
  const std::string path = write_tagger(scratch, "correct", "a:1 b:2", 3);
  const CheckOutcome outcome = run_check(
      {path, "--set", R"(dataset.test={"text":"c:1 a:1\n"})", "--only", "state.predictions"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.test("state.predictions")["verdict"] == "pass");
}

TEST_CASE("check: a component that hangs in destroy fails, and other tests still run") {
  const CheckOutcome outcome = run_check(
      {mutant_library("hang_in_destroy"), "--only", "dataset.text", "--time-limit", "0.5"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.test("dataset.text")["verdict"] == "pass");
  const Json end = outcome.test("life.end");
  CHECK(end["verdict"] == "fail");
  CHECK(end["reasons"][0] == "tagger: was still inside of destroy");
  CHECK(end["reasons"][1] ==
        "took longer than 0.5 s, in the middle of: destroying the components (--time-limit)");
  CHECK(end["repeat"].get<std::string>().ends_with(" --time-limit 0.5 --only life.end"));
  const CheckOutcome again =
      run_check({mutant_library("hang_in_destroy"), "--only", "life.end", "--time-limit", "0.5"});
  CHECK(again.test("life.end")["verdict"] == "fail");
  CHECK(run_check({mutant_library("correct"), "--only", "life.end"}).test("life.end")["verdict"] ==
        "pass");
}

TEST_CASE("check: a refusal is reported even if a component hangs in destroy") {
  const Scratch scratch;
  write_tagger(scratch, "hang_in_destroy", "a:1", 2);
  check_refused(
      scratch,
      scratch.sculpt({"check", "tagger.json", "--example", "99999", "--time-limit", "0.5"}), 64,
      {"--example 99999: there are 2 examples"});
}

TEST_CASE("check: a plugin whose own threads do the work passes") {
  const CheckOutcome outcome =
      run_check({mutant_library("threaded"), "--level", "1", "--time-limit", "20"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  CHECK(
      outcome.test("bind")["reasons"][0].get<std::string>().starts_with("leaves 1 thread running"));
  CHECK(outcome.test("oracle.exact")["brute_forced"] > 0);
  CHECK(run_check({mutant_library("correct"), "--only", "bind"}).test("bind")["reasons"].empty());
}

TEST_CASE("check: a library that starts a thread when it is loaded passes") {
  const CheckOutcome outcome =
      run_check({mutant_library("thread_at_load"), "--level", "1", "--time-limit", "20"});
  INFO(outcome.json.dump(2));
  CHECK(outcome.exit == 0);
  for (const char* test : {"library.load", "bind"}) {
    CHECK(
        outcome.test(test)["reasons"][0].get<std::string>().starts_with("leaves 1 thread running"));
  }
  CHECK(outcome.test("library.life")["verdict"] == "pass");
  CHECK(outcome.test("state.save")["verdict"] == "pass");
}

TEST_CASE("check: a fault of a plugin with its own threads is found") {
  check_found({"threaded_wrong", "loss.values", "fail", "the truth against itself is 0.5"});
}

TEST_CASE("check: the last printed lines of a process that ended are in the report") {
  const Json reasons = run_check({mutant_library("prints_before_exit"), "--only", "oracle.value"})
                           .test("oracle.value")["reasons"];
  REQUIRE(reasons.size() == 5);
  CHECK(reasons[0] == "tagger: example 0: ended the process in argmax");
  CHECK(reasons[2] == "it printed:");
  CHECK(reasons[3] == "  first line");  // its flush comes after the other text
  CHECK(reasons[4] == "  second line");
}

TEST_CASE("check: text that a plugin prints is in neither the table nor the JSON") {
  const CheckOutcome outcome = run_check({mutant_library("prints"), "--only", "oracle"});
  CHECK(outcome.exit == 0);  // and run_check() parsed the JSON
  const Scratch scratch;
  const Outcome table_text =
      scratch.sculpt({"check", mutant_library("prints"), "--only", "oracle"});
  CHECK(table_text.out.find("garbage") == std::string::npos);
  CHECK(table_text.err.empty());
}

TEST_CASE("check: the counter-example to icm has at most four variables") {
  const CheckOutcome outcome =
      run_check({mutant_library("icm_exact"), "--only", "map_solver.exact"});
  const std::string graph = outcome.test("map_solver.exact")["reasons"][3];
  CAPTURE(graph);
  CHECK(graph.find(" variables with ") != std::string::npos);
  CHECK(std::stoi(graph) <= 4);
}

TEST_CASE("check: a sidecar that does not match its library fails") {
  const Scratch scratch;
  fs::copy(mutant_library("correct"), scratch / "mutant_correct.so");
  std::ifstream file(std::string(SCULPT_FAULTY_PLUGINS) + "/correct/mutant_correct.sculpt.json");
  Json sidecar = Json::parse(file);
  sidecar["components"][0]["version"] = "7.0.0";
  scratch.write("mutant_correct.sculpt.json", sidecar.dump());
  const CheckOutcome outcome =
      run_check({(scratch / "mutant_correct.so").string(), "--only", "library.sidecar"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.test("library.sidecar")["verdict"] == "fail");
}
