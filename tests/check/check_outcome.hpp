// check_outcome.hpp - runs sculpt check and reads its report.
#pragma once

#include <doctest/doctest.h>

#include "command/host_process.hpp"

namespace sculpt::test {

// The paths of libraries: a plugin of the tree, and one of the zoo.
inline const std::string viterbi = std::string(SCULPT_BUILT_PLUGINS) + "/viterbi.so";
inline std::string zoo_plugin(const std::string& name) {
  return std::string(SCULPT_ZOO) + "/" + name + "/zoo_" + name + ".so";
}

struct CheckOutcome {
  int exit = -1;
  Json json;

  // The report of a test: of several experiments the first that it does not pass, else the first.
  Json test(const std::string& name) const {
    Json found;
    for (const Json& one : json["tests"]) {
      if (one["name"] != name) continue;
      if (found.is_null()) found = one;
      if (one["verdict"] != "pass") return one;
    }
    if (found.is_null()) FAIL("no test ", name, " in ", json.dump(2));
    return found;
  }
};

// `sculpt check WORDS... --json`. Sanitizers leave signals alone, which are what is looked for.
inline CheckOutcome run_check(std::vector<std::string> words) {
  words.insert(words.begin(), "check");
  words.push_back("--json");
  const Scratch scratch;
  const char* const signals = "handle_segv=0:handle_abort=0";
  const Outcome outcome =
      scratch.sculpt(words, {{"ASAN_OPTIONS", signals}, {"TSAN_OPTIONS", signals}});
  INFO(outcome.err);
  REQUIRE(Json::accept(outcome.out));
  return {outcome.exit, Json::parse(outcome.out)};
}

// Writes an experiment with a tagger of the zoo on `count` times the same line of data, in JSON's
// spelling; its path.
inline std::string write_tagger(const Scratch& scratch, const std::string& zoo,
                                const std::string& line, int count) {
  std::string lines;
  for (int k = 0; k < count; ++k) lines += line + "\\n";
  scratch.write("tagger.json", R"({"dataset": {"use": "tagger", "train": {"text": ")" + lines +
                                   R"("}}, "features": "tagger", "loss": "tagger",
                                     "oracle": "tagger", "solver": "n_slack", "plugin_path": [")" +
                                   SCULPT_ZOO + "/" + zoo + "\"]}");
  return (scratch / "tagger.json").string();
}

}  // namespace sculpt::test
