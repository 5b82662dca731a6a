// sculpt check as a command: what it takes, what it refuses, what it prints.
#include <doctest/doctest.h>

#include <cstring>
#include <fstream>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

namespace {

const std::string viterbi = std::string(SCULPT_BUILT_PLUGINS) + "/viterbi.so";

}  // namespace

TEST_CASE("check: an experiment file is checked, with --set") {
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
  CHECK(other.out.find("icm never says EXACT") != std::string::npos);
}

TEST_CASE("check: a component is checked by its name") {
  const Scratch scratch;
  const Outcome outcome = scratch.sculpt({"check", "viterbi", "--only", "oracle.exact"});
  CHECK(outcome.exit == 0);
  CHECK(outcome.out.find("viterbi_two_words") != std::string::npos);
}

TEST_CASE("check: the same seed asks the same, another one something else") {
  const auto cases = [](const char* seed) {
    return run_check({viterbi, "--seed", seed, "--level", "1"});
  };
  const auto without_times = [](CheckOutcome outcome) {
    for (Json& test : outcome.json["tests"]) test.erase("seconds");
    return outcome.json;
  };
  CHECK(without_times(cases("7")) == without_times(cases("7")));
  CHECK(cases("8").json["seed"] == 8);
}

TEST_CASE("check: a higher level looks at more cases") {
  const auto cases = [](const char* level) {
    const CheckOutcome outcome = run_check({viterbi, "--level", level, "--only", "oracle.exact"});
    return outcome.test("oracle.exact")["brute_forced"].get<int>();
  };
  CHECK(cases("1") < cases("2"));
  CHECK(cases("2") < cases("3"));
}

TEST_CASE("check: what cannot begin has the exit code of its reason") {
  const Scratch scratch;
  write_small_experiment(scratch);
  check_refused(scratch, scratch.sculpt({"check"}), 64, {"needs SUBJECT"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--level", "4"}), 64, {"--level"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--only", "oracle.exakt"}), 64,
                {"oracle.exact"});
  check_refused(scratch, scratch.sculpt({"check", viterbi, "--time-limit", "0"}), 64,
                {"--time-limit"});
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

TEST_CASE("check: a library that the host would refuse is refused") {
  const Scratch scratch;
  const std::string faulty = SCULPT_FAULTY_PLUGINS;
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

TEST_CASE("check: what is refused at bind is the verdict of bind") {
  const Scratch scratch;
  write_small_experiment(scratch);
  scratch.write("words.txt", "no words\n");
  const Outcome outcome = scratch.sculpt({"check", "small.json"});
  CHECK(outcome.exit == 1);
  CHECK(outcome.out.find("bind                    fail") != std::string::npos);
  CHECK(outcome.out.find("words.txt:1") != std::string::npos);
}
