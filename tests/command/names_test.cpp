// Words of the command line that may be the name of a component or a path, and libraries that are
// missing.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <functional>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

using Words = std::vector<std::string>;

const std::string hamming = std::string(SCULPT_BUILT_PLUGINS) + "/hamming.so";

// Checks that describe and check take the word for the component hamming, without a warning.
void check_is_component(const Scratch& scratch) {
  const Outcome described = scratch.sculpt_in_time({"describe", "hamming"});
  INFO(described.err);
  CHECK(described.exit == 0);
  CHECK(described.out.starts_with("org.sculpt.hamming "));
  CHECK(described.err.empty());
  const Outcome checked = scratch.sculpt_in_time({"check", "hamming", "--only", "library.version"});
  INFO(checked.err);
  CHECK(checked.exit == 0);
  CHECK(checked.out.starts_with("check hamming (" + hamming + ")"));
  CHECK(checked.err.empty());
  CHECK(scratch.sculpt_in_time({"describe", "hamming", "--schema"}).exit == 0);
}

// Trains the small experiment into the folder `name`.
void train_into(const Scratch& scratch, const std::string& name) {
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt_in_time({"train", "small.json", "--output", name}).exit == 0);
}

}  // namespace

TEST_CASE("a file or folder without a model hides no component of the same name") {
  struct Case {
    const char* what;
    std::function<void(const fs::path& path)> make;
  };
  const std::vector<Case> cases = {
      {"an empty folder", [](const fs::path& path) { fs::create_directory(path); }},
      {"a folder of sources",
       [](const fs::path& path) {
         fs::create_directory(path);
         fs::copy_file(std::string(SCULPT_TEST_SOURCE) + "/tests/README.md", path / "README.md");
       }},
      {"a text", [](const fs::path& path) { fs::copy_file("/etc/passwd", path); }},
      {"a program", [](const fs::path& path) { fs::copy_file("/bin/true", path); }},
      {"a pipe", [](const fs::path& path) { ::mkfifo(path.c_str(), 0600); }},
      {"a link to nothing", [](const fs::path& path) { fs::create_symlink("nowhere", path); }},
      {"a link to itself", [](const fs::path& path) { fs::create_symlink("hamming", path); }}};
  for (const Case& test : cases) {
    CAPTURE(test.what);
    const Scratch scratch;
    test.make(scratch / "hamming");
    check_is_component(scratch);
  }
  const Scratch scratch;
  scratch.write("hamming.so", "no library");
  fs::create_directory(scratch / "hamming");
  check_is_component(scratch);
}

TEST_CASE("a folder with the name of a component is a path if the word has a slash") {
  const Scratch scratch;
  fs::create_directory(scratch / "hamming");
  for (const char* word : {"./hamming", "hamming/"}) {
    CAPTURE(word);
    check_refused(scratch, scratch.sculpt_in_time({"describe", word}), 66, {"there is no model"});
    check_refused(scratch, scratch.sculpt_in_time({"check", word}), 66, {"config.json"});
  }
  const Outcome component = scratch.sculpt_in_time({"describe", "hamming", "--json"});
  CHECK(component.exit == 0);
  CHECK(Json::parse(component.out)["components"][0]["id"] == "org.sculpt.hamming");
}

TEST_CASE("a run folder with the name of a component is used, and a warning says how to get both") {
  const Scratch scratch;
  train_into(scratch, "hamming");
  const std::string warning =
      "hamming: is a run folder here, which is used; for the component or library with this name, "
      "write " +
      hamming + "#hamming\n";
  const Outcome described = scratch.sculpt_in_time({"describe", "hamming"});
  CHECK(described.exit == 0);
  CHECK(described.out.starts_with("small: "));
  CHECK(described.err == "warning: " + warning);
  const Outcome other = scratch.sculpt_in_time({"describe", hamming + "#hamming"});
  CHECK(other.exit == 0);
  CHECK(other.out.starts_with("org.sculpt.hamming "));
  const Outcome checked = scratch.sculpt_in_time({"check", "hamming", "--only", "oracle.exact"});
  CHECK(checked.exit == 0);
  CHECK(contains(checked.out, "\nhamming\n"));  // the experiment of the run
  CHECK(checked.err == "warning: " + warning);
  CHECK(scratch.sculpt_in_time({"check", hamming + "#hamming", "--only", "library.version"}).exit ==
        0);
  for (const char* word : {"./hamming", "hamming/model.sculpt"}) {
    const Outcome path = scratch.sculpt_in_time({"describe", word});
    CHECK(path.out == described.out);
    CHECK(path.err.empty());
  }
  fs::remove(scratch / "hamming/model.sculpt");  // a run that has not ended
  check_refused(scratch, scratch.sculpt_in_time({"describe", "hamming"}), 66,
                {warning, "--resume"});
}

TEST_CASE("a model or an experiment with the name of a component is used, with a warning") {
  const Scratch scratch;
  train_into(scratch, "run");
  fs::copy_file(scratch / "run/model.sculpt", scratch / "hamming");
  fs::copy_file(scratch / "run/config.json", scratch / "chain");
  const Outcome model = scratch.sculpt_in_time({"describe", "hamming"});
  CHECK(model.out.starts_with("small: "));
  CHECK(contains(model.err, "hamming: is a model here"));
  CHECK(scratch.sculpt_in_time({"predict", "hamming", "words.txt"}).exit == 0);
  const Outcome experiment = scratch.sculpt_in_time({"check", "chain", "--only", "oracle.exact"});
  CHECK(experiment.exit == 0);
  CHECK(contains(experiment.err, "chain: is an experiment here"));
  // describe describes no experiments
  CHECK(scratch.sculpt_in_time({"describe", "chain"}).out.starts_with("org.sculpt.chain "));
}

TEST_CASE("a run folder with the name of a solver is used, and a warning says how to get both") {
  const Scratch scratch;
  train_into(scratch, "n_slack");
  const Outcome outcome = scratch.sculpt_in_time({"describe", "n_slack"});
  CHECK(outcome.out.starts_with("small: "));
  CHECK(contains(outcome.err, "write n_slack in another folder"));
}

TEST_CASE("a folder that describe cannot use is named in the message for an unknown name") {
  const Scratch scratch;
  fs::create_directory(scratch / "mine");
  check_refused(scratch, scratch.sculpt_in_time({"describe", "mine"}), 66,
                {"no component, plugin or model 'mine'", "'mine' here has no model.sculpt"});
}

TEST_CASE("a word that names nothing is a missing input of describe and of check") {
  const Scratch scratch;
  for (const std::string command : {"describe", "check"}) {
    check_refused(scratch, scratch.sculpt_in_time({command, "nosuch"}), 66, {"nosuch"});
  }
}

TEST_CASE("a folder with the name of a library is no library") {
  const Scratch scratch;
  write_small_experiment(scratch);
  fs::create_directories(scratch / "first/hamming.so");
  fs::create_directory(scratch / "hamming.so");
  const std::map<std::string, std::string> path{
      {"SCULPT_PLUGIN_PATH", (scratch / "first").string()}};
  const Outcome trained = scratch.sculpt_in_time(
      {"train", "small.json", "--output", "run", "--set", "loss=hamming.so#hamming"}, path);
  INFO(trained.err);
  CHECK(trained.exit == 0);
  CHECK_FALSE(contains(trained.err, "warning"));
  CHECK(scratch.sculpt_in_time({"describe", "hamming.so"}, path).out.starts_with("hamming "));
  const Outcome checked =
      scratch.sculpt_in_time({"check", "hamming.so", "--only", "library.version"}, path);
  CHECK(checked.out.starts_with("check hamming.so (" + hamming + ")"));
  check_refused(scratch, scratch.sculpt_in_time({"check", "./hamming.so"}, path), 69,
                {"is not a file"});
}

TEST_CASE("a library in the working directory is found by describe as by check") {
  const Scratch scratch;
  fs::copy_file(hamming, scratch / "mine.so");
  CHECK(contains(scratch.sculpt_in_time({"describe", "mine.so"}).out,
                 (scratch / "mine.so").string()));
  CHECK(scratch.sculpt_in_time({"describe", "mine.so#hamming"})
            .out.starts_with("org.sculpt.hamming "));
  check_refused(scratch, scratch.sculpt_in_time({"describe", "mine.so#homming"}), 78,
                {"has no component homming; it has org.sculpt.hamming"});
}

TEST_CASE("a missing library has one exit code in all commands") {
  const Scratch scratch;
  train_into(scratch, "run");
  for (const char* library : {"none.so", "./none.so", "/none/none.so"}) {
    CAPTURE(library);
    const std::string component = library + std::string("#x");
    const auto check_missing = [&](const Words& words) {
      const Outcome outcome = scratch.sculpt_in_time(words);
      INFO(outcome.err);
      CHECK(outcome.exit == 69);
      CHECK(contains(outcome.err, "none.so"));
    };
    check_missing({"describe", library});
    check_missing({"describe", component});
    check_missing({"describe", component, "--schema"});
    check_missing({"check", library});
    check_missing({"check", component});
    for (const char* section : {"dataset.use=", "features=", "loss=", "oracle="}) {
      const std::string set = section + component;
      check_missing({"train", "small.json", "--output", "other", "--set", set});
      check_missing({"sweep", "small.json", "--output", "other", "--set", set});
      check_missing({"check", "small.json", "--set", set});
    }
    for (const char* command : {"predict", "evaluate"}) {
      check_missing({command, "run", "words.txt", "--set", "oracle=" + component});
    }
    // Without a name after #, "use" names no component.
    const Outcome nameless =
        scratch.sculpt_in_time({"train", "small.json", "--set", std::string("loss=") + library});
    INFO(nameless.err);
    CHECK(nameless.exit == 78);
    CHECK(
        contains(nameless.err, "write \"" + component.substr(0, component.size() - 1) + "name\""));
  }
}
