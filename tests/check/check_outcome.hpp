// check_outcome.hpp - runs sculpt check and reads its report.
#pragma once

#include <doctest/doctest.h>

#include "command/host_process.hpp"

namespace sculpt::test {

// Paths of libraries: a shipped plugin, and a mutant of tests/faulty_plugins.
inline const std::string viterbi = std::string(SCULPT_BUILT_PLUGINS) + "/viterbi.so";
inline std::string mutant_library(const std::string& name) {
  return std::string(SCULPT_FAULTY_PLUGINS) + "/" + name + "/mutant_" + name + ".so";
}

struct CheckOutcome {
  int exit = -1;
  Json json;

  // Returns the report of a test: from the first experiment that fails it, else from the first that
  // does not pass it, else from the first one.
  Json test(const std::string& name) const {
    Json found;
    for (const Json& report : json["tests"]) {
      if (report["name"] != name) continue;
      if (report["verdict"] == "fail" || report["verdict"] == "crash") return report;
      if (found.is_null() || (found["verdict"] == "pass" && report["verdict"] != "pass"))
        found = report;
    }
    if (found.is_null()) FAIL("no test ", name, " in ", json.dump(2));
    return found;
  }
};

// Runs `sculpt check WORDS... --json`. Sanitizers must not handle signals: the tests expect them.
inline CheckOutcome run_check(std::vector<std::string> words) {
  words.insert(words.begin(), "check");
  words.push_back("--json");
  const Scratch scratch;
  const char* const sanitizer = "handle_segv=0:handle_abort=0";
  const Outcome outcome =
      scratch.sculpt(words, {{"ASAN_OPTIONS", sanitizer}, {"TSAN_OPTIONS", sanitizer}});
  INFO(outcome.err);
  REQUIRE(Json::accept(outcome.out));
  return {outcome.exit, Json::parse(outcome.out)};
}

// Writes an experiment with a mutant of the tagger. Its data are `count` copies of `line`, which is
// escaped for JSON. Returns the path of the experiment.
inline std::string write_tagger(const Scratch& scratch, const std::string& mutant,
                                const std::string& line, int count) {
  std::string lines;
  for (int k = 0; k < count; ++k) lines += line + "\\n";
  scratch.write("tagger.json", R"({"dataset": {"use": "tagger", "train": {"text": ")" + lines +
                                   R"("}}, "features": "tagger", "loss": "tagger",
                                     "oracle": "tagger", "solver": "n_slack", "plugin_path": [")" +
                                   SCULPT_FAULTY_PLUGINS + "/" + mutant + "\"]}");
  return (scratch / "tagger.json").string();
}

}  // namespace sculpt::test
