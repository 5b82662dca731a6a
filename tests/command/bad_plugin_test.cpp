// `sculpt train` with plugins that are missing, broken or faulty.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Checks the exit code and the message of a failed run, which may have begun, and that it has no
// model.
void check_failed(const Scratch& scratch, const Outcome& outcome, int exit,
                  const std::vector<std::string>& texts) {
  INFO(outcome.err);
  CHECK(outcome.exit == exit);
  for (const std::string& text : texts) {
    CAPTURE(text);
    CHECK(outcome.err.find(text) != std::string::npos);
  }
  CHECK_FALSE(fs::exists(scratch / "run/model.sculpt"));
}

// Trains with a loss of a library that tests/core/registry builds.
Outcome train_with_faulty(const Scratch& scratch, const std::string& plugin) {
  fs::copy_file(fs::path(SCULPT_REGISTRY_PLUGINS) / (plugin + ".so"), scratch / "bad.so");
  return train_with_test_plugins(scratch, {"loss=./bad.so#zero"});
}

fs::path built(const std::string& plugin) {
  return fs::path(SCULPT_BUILT_PLUGINS) / (plugin + ".so");
}

}  // namespace

TEST_CASE("a missing plugin is refused with its path") {
  const Scratch scratch;
  check_failed(scratch, train_with_test_plugins(scratch, {"loss=./bad.so#zero"}), 69,
               {(scratch / "bad.so").string(), "does not exist"});
}

TEST_CASE("a plugin that is not on the search path is refused with the folders searched") {
  const Scratch scratch;
  check_failed(scratch, train_with_test_plugins(scratch, {"loss=bad.so#zero"}), 69,
               {"bad.so", SCULPT_TEST_PLUGINS, SCULPT_BUILT_PLUGINS});
}

TEST_CASE("a truncated plugin is refused") {
  const Scratch scratch;
  fs::copy_file(built("hamming"), scratch / "bad.so");
  fs::resize_file(scratch / "bad.so", fs::file_size(scratch / "bad.so") / 2);
  check_failed(scratch, train_with_test_plugins(scratch, {"loss=./bad.so#hamming"}), 69,
               {"bad.so", "is truncated"});
}

TEST_CASE("a plugin that is not an ELF file is refused") {
  const Scratch scratch;
  scratch.write("bad.so", std::string(4096, 'x'));
  check_failed(scratch, train_with_test_plugins(scratch, {"loss=./bad.so#hamming"}), 69,
               {"bad.so", "is not a shared library"});
}

TEST_CASE("a plugin of another ABI version is refused") {
  const Scratch scratch;
  check_failed(scratch, train_with_faulty(scratch, "other_abi"), 69,
               {"bad.so", "was built for ABI 0.7", "build it against the headers of this host"});
}

TEST_CASE("a plugin without the function sculpt_entry is refused") {
  const Scratch scratch;
  check_failed(scratch, train_with_faulty(scratch, "no_symbol"), 69,
               {"bad.so", "has no function sculpt_entry"});
}

TEST_CASE(
    "a component that a plugin does not offer is refused with the components that it offers") {
  const Scratch scratch;
  fs::copy_file(built("hamming"), scratch / "mine.so");
  check_failed(scratch, train_with_test_plugins(scratch, {"loss=./mine.so#zero_one"}), 78,
               {"mine.so", "offers no loss \"zero_one\"", "loss hamming"});
}

TEST_CASE("one name in two libraries is refused with both, and file.so#name selects one") {
  const Scratch scratch;
  fs::create_directory(scratch / "plugins");
  fs::copy_file(built("hamming"), scratch / "plugins/mine.so");
  write_small_experiment(scratch);
  const std::string places = "plugin_path=[\"plugins\"]";
  check_failed(scratch, scratch.sculpt({"train", "small.json", "--output", "run", "--set", places}),
               78,
               {"\"hamming\" is offered more than once", (scratch / "plugins/mine.so").string(),
                built("hamming").string(), "mine.so#hamming"});
  const Outcome outcome = scratch.sculpt(
      {"train", "small.json", "--output", "run", "--set", places, "--set", "loss=mine.so#hamming"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
}

TEST_CASE("a component of a refused library is refused with the reason, by every command") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "run"}).exit == 0);
  fs::create_directory(scratch / "plugins");
  fs::copy_file(fs::path(SCULPT_REGISTRY_PLUGINS) / "other_abi.so", scratch / "plugins/mine.so");
  const std::map<std::string, std::string> path{
      {"SCULPT_PLUGIN_PATH", (scratch / "plugins").string()}};
  const std::vector<std::vector<std::string>> commands = {
      {"train", "small.json", "--set", "dataset.use=calendar"},
      {"sweep", "small.json", "--set", "dataset.use=calendar", "--output", "swept"},
      {"check", "small.json", "--set", "dataset.use=calendar"},
      {"check", "calendar"},
      {"describe", "calendar"},
      {"describe", "calendar", "--schema"},
      {"predict", "run", "words.txt", "--set", "oracle=calendar"},
      {"evaluate", "run", "words.txt", "--set", "oracle=calendar"}};
  for (const auto& words : commands) {
    CAPTURE(words[0]);
    const Outcome outcome = scratch.sculpt(words, path);
    INFO(outcome.err);
    CHECK(outcome.exit == 69);
    const std::size_t message = outcome.err.find("sculpt: ");  // after the warning
    REQUIRE(message != std::string::npos);
    CHECK(outcome.err.find("calendar", message) != std::string::npos);
    CHECK(outcome.err.find("mine.so was built for ABI 0.7", message) != std::string::npos);
  }
}

TEST_CASE("viterbi on a graph with a cycle is refused at bind, and enumerate accepts it") {
  const Scratch scratch;
  const Outcome refused = train_with_test_plugins(scratch, {"features=ring"});
  check_failed(scratch, refused, 78,
               {"viterbi needs pairwise, forest graphs or order-two graphs; ring offers pairwise"});
  CHECK_FALSE(fs::exists(scratch / "run"));
  const Outcome outcome = train_with_test_plugins(scratch, {"features=ring", "oracle=enumerate"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(scratch.finished("run")["certified"] == true);
}

TEST_CASE("NaN in the features of a truth is reported as a data error with the example") {
  const Scratch scratch;
  const Outcome outcome =
      train_with_test_plugins(scratch, {"oracle=enumerate", "features=ring", "features.nan=truth"});
  check_failed(scratch, outcome, 65, {"ring: example 0: ", "NaN"});
}

TEST_CASE("NaN in the scores of a plugin is reported as a plugin error with the example") {
  const Scratch scratch;
  const Outcome outcome = train_with_test_plugins(
      scratch, {"oracle=enumerate", "features=ring", "features.nan=scores"});
  check_failed(scratch, outcome, 69, {"enumerate: example 0: the value of its answer is nan"});
}
