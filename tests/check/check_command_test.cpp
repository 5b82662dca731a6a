// The command sculpt check: its arguments, its refusals and its output.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

TEST_CASE("check: the subject can be an experiment file, changed by --set") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt({"check", "small.json"});
  INFO(outcome.out);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.starts_with("check small.json, level 2, seed 1\n"));
  CHECK(outcome.out.find("oracle.exact            pass") != std::string::npos);
  const Outcome other =
      scratch.sculpt({"check", "small.json", "--set", "oracle=icm", "--only", "oracle.exact"});
  CHECK(other.exit == 0);
  CHECK(other.out.find("icm never reports EXACT") != std::string::npos);
}

TEST_CASE("check: weights that must not be negative are drawn at least 0") {
  const Scratch scratch;
  scratch.write("pixels.json", R"({
    "dataset": {"use": "grid", "train": {"text": "image a 2 3\nxox\noxx\n010\n110\n"}},
    "features": {"use": "graph", "pairs": "potts", "nonnegative": ["pairs"]},
    "loss": "hamming", "oracle": "graph_cut", "solver": "n_slack"})");
  const CheckOutcome outcome = run_check({(scratch / "pixels.json").string(), "--level", "2"});
  CHECK(outcome.exit == 0);
  CHECK(outcome.test("oracle.exact")["verdict"] == "pass");
}

TEST_CASE("check: the subject can be the name of a component") {
  const Scratch scratch;
  const Outcome outcome = scratch.sculpt({"check", "viterbi", "--only", "oracle.exact"});
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.find("viterbi_two_words") != std::string::npos);
}

namespace {

// Copies a shipped library with its sidecar to mine/NAME.so. Returns its path.
std::string copy_viterbi(const Scratch& scratch, const std::string& name) {
  fs::create_directory(scratch / "mine");
  for (const std::string ending : {".so", ".sculpt.json"}) {
    fs::copy(std::string(SCULPT_BUILT_PLUGINS) + "/viterbi" + ending,
             scratch / "mine" / (name + ending));
  }
  return (scratch / "mine" / (name + ".so")).string();
}

}  // namespace

TEST_CASE("check: a copy of a library in an earlier folder is the one that is meant") {
  const Scratch scratch;
  const std::string mine = copy_viterbi(scratch, "viterbi");
  const std::map<std::string, std::string> path = {
      {"SCULPT_PLUGIN_PATH", (scratch / "mine").string()}};
  const Outcome outcome = scratch.sculpt({"check", "viterbi", "--only", "library"}, path);
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.starts_with("check viterbi (" + mine + "), level 2"));
}

TEST_CASE("check: a library is tested itself, whatever copies lie beside it") {
  const Scratch scratch;
  copy_viterbi(scratch, "old");
  const std::string mine = copy_viterbi(scratch, "viterbi");
  const Outcome outcome = scratch.sculpt({"check", mine, "--only", "oracle.value,map_solver"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.find(" pass ") != std::string::npos);
}

TEST_CASE("check: a name that two libraries offer is refused, but file.so#name is accepted") {
  const Scratch scratch;
  const std::string mine = copy_viterbi(scratch, "other");
  const std::map<std::string, std::string> path = {
      {"SCULPT_PLUGIN_PATH", (scratch / "mine").string()}};
  const auto check = [&](const std::string& subject) {
    return scratch.sculpt({"check", subject, "--only", "library.version"}, path);
  };
  check_refused(scratch, check("viterbi"), 78, {mine + "#viterbi", viterbi + "#viterbi"});
  const Outcome one = check(mine + "#viterbi");
  CHECK(one.exit == 0);
  CHECK(one.out.starts_with("check " + mine + "#viterbi (" + mine + "), level 2"));
  CHECK(check("other.so#org.sculpt.viterbi").out.find(" (" + mine + "), ") != std::string::npos);
  check_refused(scratch, check(mine + "#icm"), 78, {"no component icm", "org.sculpt.viterbi"});
  const Outcome found = scratch.sculpt({"check", "icm", "--only", "library.version"}, path);
  CHECK(found.out.starts_with("check icm (" + std::string(SCULPT_BUILT_PLUGINS) + "/icm.so), "));
}

TEST_CASE("check: the subject can be a run folder or its model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  for (const char* subject : {"run", "run/", "run/model.sculpt", "run/config.json"}) {
    CAPTURE(subject);
    const Outcome outcome = scratch.sculpt({"check", subject, "--only", "oracle.exact"});
    INFO(outcome.err);
    INFO(outcome.out);
    CHECK(outcome.exit == 0);
    CHECK(outcome.out.find("\nrun\n") != std::string::npos);
    CHECK(outcome.out.find("oracle.exact            pass") != std::string::npos);
  }
  for (const char* subject : {"config.json", "model.sculpt", "."}) {
    CAPTURE(subject);
    const Outcome outcome = scratch.run({"/usr/bin/env", "-C", "run", SCULPT_TEST_BINARY, "check",
                                         subject, "--only", "oracle.exact"});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK(outcome.out.find("\nrun\n") != std::string::npos);
  }
  fs::create_directory(scratch / "empty");
  const std::string reason = "empty: the folder has no model.sculpt and no config.json; ";
  check_refused(scratch, scratch.sculpt({"check", "empty"}), 66,
                {reason + "give the file of an experiment, a run folder, or a library"});
  scratch.write("empty/CMakeLists.txt", "");
  check_refused(scratch, scratch.sculpt({"check", "empty"}), 66,
                {reason + "to check a plugin, build it and give its library"});
  fs::create_directory(scratch / "empty/build");
  scratch.write("empty/build/mine.so", "");
  check_refused(scratch, scratch.sculpt({"check", "empty"}), 66,
                {reason + "to check a library in it, write empty/build/mine.so"});
  check_refused(scratch, scratch.sculpt({"check", "n_slack"}), 64,
                {"n_slack: is a part of sculpt itself", "sculpt describe n_slack"});
}

TEST_CASE("check: with --strict a warning is a failure") {
  const Scratch scratch;
  fs::copy(viterbi, scratch / "alone.so");  // without its sidecar
  const std::vector<std::string> words = {"check", "alone.so", "--only", "library.sidecar"};
  CHECK(scratch.sculpt(words).exit == 0);
  std::vector<std::string> strict = words;
  strict.push_back("--strict");
  CHECK(scratch.sculpt(strict).exit == 1);
  CHECK(scratch.sculpt({"check", viterbi, "--only", "library.sidecar", "--strict"}).exit == 0);
}

TEST_CASE("check: the same seed finds the same counter-example, other seeds find others") {
  const std::string icm = mutant_library("icm_exact");
  const auto reasons = [&](const char* seed) {
    const CheckOutcome outcome = run_check({icm, "--seed", seed, "--only", "map_solver.exact"});
    CHECK(outcome.json["seed"] == std::stoi(seed));
    const Json test = outcome.test("map_solver.exact");
    CHECK(test["verdict"] == "fail");
    return test["reasons"].dump();
  };
  const std::string first = reasons("7");
  CHECK(first == reasons("7"));
  bool other = false;  // two seeds may shrink to the same counter-example
  for (const char* seed : {"8", "9", "10", "11"}) other = other || reasons(seed) != first;
  CHECK(other);
}

TEST_CASE("check: a higher level tests more cases") {
  const auto cases = [](const char* level) {
    const CheckOutcome outcome = run_check({viterbi, "--level", level, "--only", "oracle.exact"});
    return outcome.test("oracle.exact")["brute_forced"].get<int>();
  };
  CHECK(cases("1") < cases("2"));
  CHECK(cases("2") < cases("3"));
}

TEST_CASE("check: --only takes several tests and groups, with commas or repeated options") {
  const auto names = [](std::vector<std::string> words) {
    words.insert(words.begin(), {viterbi, "--level", "1"});
    std::vector<std::string> found;
    const CheckOutcome outcome = run_check(words);
    for (const Json& test : outcome.json["tests"]) found.push_back(test["name"]);
    return found;
  };
  const std::vector<std::string> expected = {"library.version",   "loss.values",  "loss.parts",
                                             "loss.count_values", "loss.slopes",  "loss.counts",
                                             "loss.metrics",      "oracle.value", "loss.batch"};
  CHECK(names({"--only", "loss,oracle.value,library.version"}) == expected);
  CHECK(names({"--only", "loss", "--only", "oracle.value,library.version"}) == expected);
  const Scratch scratch;
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--only", "loss,oracle.exakt"}), 64,
                {"'oracle.exakt'", "oracle.exact"});
}

TEST_CASE("check: --only suggests groups and tests") {
  const Scratch scratch;
  const auto refused = [&](const std::string& word, const std::string& suggestion) {
    CAPTURE(word);
    check_refused(scratch, scratch.sculpt({"check", viterbi, "--only", word}), 64, {suggestion});
  };
  refused("oracel", "did you mean \"oracle\"?");
  refused("frontiers", "did you mean \"frontier\"?");
  refused("names", "did you mean features.names?");
  refused("exact", "did you mean oracle.exact or map_solver.exact?");
}

TEST_CASE("check: a frontier that is refused for its size is no fault") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const auto check = [&](const std::string& oracle) {
    return run_check(
        {(scratch / "small.json").string(), "--set", "oracle=" + oracle, "--only", "frontier"});
  };
  const CheckOutcome none = check(R"({"use":"enumerate","max_cells":1})");
  const CheckOutcome some = check(R"({"use":"enumerate","max_cells":3})");
  // Some random graphs have a single entry.
  CHECK(contains(none.test("frontier.graphs")["reasons"].dump(), " were refused: "));
  for (const char* test : {"frontier.entries", "frontier.argmax"}) {
    CAPTURE(test);
    CHECK(none.test(test)["verdict"] == "skip");
    CHECK(contains(none.test(test)["reasons"].dump(), "all frontiers are refused: "));
    CHECK(some.test(test)["verdict"] == "pass");
    CHECK(contains(some.test(test)["reasons"].dump(), " were refused: "));
  }
}

TEST_CASE("check: a repeated crash is reported in one line") {
  const Scratch scratch;
  const std::string mutant = mutant_library("exit");
  const Outcome outcome =
      scratch.sculpt({"check", mutant, "--only", "oracle.value,oracle.output", "--level", "1"});
  INFO(outcome.out);
  CHECK(outcome.exit == 1);
  const std::string reason = "tagger: example 0: ended the process in argmax\n";
  const std::size_t first = outcome.out.find(reason);
  REQUIRE(first != std::string::npos);
  CHECK(outcome.out.find(reason, first + 1) == std::string::npos);
  const std::size_t second = outcome.out.find("  oracle.output           crash");
  REQUIRE(second != std::string::npos);
  CHECK(second > first);
  const std::size_t line = outcome.out.find('\n', second) + 1;
  CHECK(outcome.out.substr(line) ==
        "      the same as oracle.value\n\n"
        "failed:\n  oracle.value of tagger_lines\n  oracle.output of tagger_lines\n\n"
        "result: FAILED: 2 crashed\n");
}

TEST_CASE("check: each kind of refusal has its exit code") {
  const Scratch scratch;
  write_small_experiment(scratch);
  check_refused(scratch, scratch.sculpt({"check"}), 64, {"needs SUBJECT"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--level", "4"}), 64, {"--level"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--only", "oracle.exakt"}), 64,
                {"oracle.exact"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--time-limit", "0"}), 64,
                {"--time-limit"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--seed", "-1"}), 64,
                {"--seed must be a whole number of at least 0"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--set", "seed=2"}), 64, {"--set"});
  check_refused(scratch, scratch.sculpt({"check", "none.json"}), 66, {"none.json"});
  check_refused(scratch, scratch.sculpt({"check", "none.so"}), 69, {"none.so"});
  check_refused(scratch, scratch.sculpt({"check", "small.json", "--set", "oracle=viterby"}), 78,
                {"viterby", "viterbi"});
  check_refused(scratch, scratch.sculpt({"check", "small.json", "--only", "library"}), 64,
                {"--only library", "small.json"});
  check_refused(scratch, scratch.sculpt({"check", "small.json", "--set", "dataset.train=none.txt"}),
                66, {"none.txt"});
  check_refused(scratch,
                scratch.sculpt({"check", "small.json", "--set", "features=multiclass", "--set",
                                "oracle=viterbi", "--set", "loss=hamming"}),
                78, {"multiclass"});
  scratch.write("broken.json", "{");
  check_refused(scratch, scratch.sculpt({"check", "broken.json"}), 78, {"broken.json:1"});
}

TEST_CASE("check: a library that train refuses is refused") {
  const Scratch scratch;
  const std::string faulty = SCULPT_REGISTRY_PLUGINS;
  check_refused(scratch, scratch.sculpt({"check", faulty + "/no_symbol.so"}), 69,
                {"has no function sculpt_entry"});
  check_refused(scratch, scratch.sculpt({"check", faulty + "/other_abi.so"}), 69,
                {"was built for ABI"});
  std::ifstream whole(viterbi, std::ios::binary);
  std::string start(2000, '\0');
  whole.read(start.data(), 2000);
  scratch.write("cut.so", start);
  check_refused(scratch, scratch.sculpt({"check", "cut.so"}), 69, {"is truncated"});
}

TEST_CASE("check: the test bind fails if a file of data is refused") {
  const Scratch scratch;
  write_small_experiment(scratch);
  scratch.write("words.txt", "no words\n");
  const Outcome outcome = scratch.sculpt({"check", "small.json"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.out.find("bind                    fail") != std::string::npos);
  CHECK(outcome.out.find("words.txt:1") != std::string::npos);
}

TEST_CASE("check: a fault in one of many examples is found, and --example repeats it") {
  const Scratch scratch;
  const auto config = [&](const std::string& mutant) {
    return write_tagger(scratch, mutant, "a:1 b:2 c:-1", 60);
  };
  struct Fault {
    const char* mutant;
    const char* reason;
  };
  for (const Fault& fault : {Fault{"one_example", "the value of its answer is"},
                             {"one_worst", "but the truth has"},
                             {"one_bound", "claims that no output has a value above"}}) {
    INFO(fault.mutant);
    const CheckOutcome all = run_check({config(fault.mutant), "--level", "1"});
    CHECK(all.exit == 1);
    const Json every = all.test("oracle.every");
    INFO(every.dump(2));
    CHECK(every["verdict"] == "fail");
    CHECK(every["reasons"].dump().find(fault.reason) != std::string::npos);
    CHECK(every["reasons"].dump().find("example 37") != std::string::npos);
    CHECK(all.test("bind")["reasons"].dump().find("uses 3 of 60 examples") != std::string::npos);
  }
  const std::string one_wrong = config("one_example");
  for (const auto& [example, verdict] : {std::pair{"37", "fail"}, {"36", "pass"}}) {
    const CheckOutcome one = run_check({one_wrong, "--example", example, "--only", "oracle.value"});
    CHECK(one.test("oracle.value")["verdict"] == verdict);
  }
  const Outcome none = scratch.sculpt({"check", "tagger.json", "--example", "60"});
  CHECK(none.exit == 64);
  CHECK(none.err.find("there are 60 examples") != std::string::npos);
}

TEST_CASE("check: random graphs are only for map_solvers of the checked library") {
  for (const char* test : {"map_solver.value", "frontier.graphs"}) {
    CAPTURE(test);
    const auto verdict = [&](const std::string& subject) {
      return run_check({subject, "--level", "1", "--only", test}).test(test);
    };
    const Json foreign = verdict(std::string(SCULPT_BUILT_PLUGINS) + "/chain.so");
    CHECK(foreign["verdict"] == "skip");
    CHECK(foreign["reasons"][0] ==
          "viterbi belongs to another library; for random graphs, run: sculpt check viterbi");
    CHECK(verdict(viterbi)["verdict"] == "pass");
    CHECK(verdict(std::string(SCULPT_TEST_SOURCE) + "/configs/quickstart.json")["verdict"] ==
          "pass");
  }
}
