// sculpt check and libraries without a sidecar. The host must load such a library to list its
// components, and the library may crash or hang.
#include <doctest/doctest.h>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

namespace {

// A library without a sidecar. `behaviour` when it is loaded: "crash", "hang" or "" (correct).
struct UnlistedLibrary {
  explicit UnlistedLibrary(const std::string& behaviour) {
    fs::create_directory(scratch / "mine");
    fs::copy(mutant_library("breaks_at_load"), scratch / "mine/bad.so");
    environment = {{"SCULPT_PLUGIN_PATH", (scratch / "mine").string()},
                   {"SCULPT_TEST_AT_LOAD", behaviour},
                   {"ASAN_OPTIONS", "handle_segv=0"},
                   {"TSAN_OPTIONS", "handle_segv=0"}};
  }
  Outcome check(std::vector<std::string> words) const {
    words.insert(words.begin(), "check");
    return scratch.sculpt(words, environment);
  }
  Scratch scratch;
  std::map<std::string, std::string> environment;
};

}  // namespace

TEST_CASE("check: file.so#name of a library that crashes when it is loaded is refused") {
  const UnlistedLibrary unlisted("crash");
  check_refused(unlisted.scratch, unlisted.check({"mine/bad.so#tagger"}), 69,
                {"mine/bad.so: loading it", "SIGSEGV"});
  check_refused(unlisted.scratch, unlisted.check({"bad.so#tagger"}), 69, {"SIGSEGV"});
}

TEST_CASE("check: file.so#name of a library that hangs when it is loaded is refused") {
  const UnlistedLibrary unlisted("hang");
  check_refused(unlisted.scratch, unlisted.check({"bad.so#tagger", "--time-limit", "0.5"}), 69,
                {"takes longer than 0.5 s"});
}

TEST_CASE("check: file.so#name of a library without a sidecar is found") {
  const UnlistedLibrary unlisted("");
  CHECK(unlisted.check({"bad.so#tagger", "--only", "library.version"}).exit == 0);
  check_refused(unlisted.scratch, unlisted.check({"bad.so#tager"}), 78,
                {"no component tager", "org.test.tagger"});
  const Outcome named = unlisted.check({"tagger", "--only", "library.version"});
  const std::string path = (unlisted.scratch / "mine/bad.so").string();
  CHECK(named.out.starts_with("check tagger (" + path + ")"));
}

TEST_CASE("check: a broken library on the search path causes one warning") {
  for (const char* behaviour : {"crash", "hang"}) {
    const UnlistedLibrary unlisted(behaviour);
    write_small_experiment(unlisted.scratch);
    for (const char* subject : {"viterbi", "small.json"}) {
      INFO(behaviour, ", ", subject);
      const Outcome outcome =
          unlisted.check({subject, "--level", "1", "--time-limit", "2", "--only", "oracle.value"});
      INFO(outcome.out);
      INFO(outcome.err);
      CHECK(outcome.exit == 0);
      CHECK(outcome.out.find("oracle.value            pass") != std::string::npos);
      const std::size_t first = outcome.err.find("bad.so: loading it");
      CHECK(first != std::string::npos);
      CHECK(outcome.err.find("bad.so: loading it", first + 1) == std::string::npos);
    }
  }
}

TEST_CASE("check: the message for an unknown name lists the searched folders") {
  const UnlistedLibrary unlisted("");
  const std::string mine = (unlisted.scratch / "mine").string();
  check_refused(unlisted.scratch, unlisted.check({"viterby"}), 66,
                {"viterby: there is no such file", "did you mean \"viterbi\"", mine,
                 std::string(SCULPT_BUILT_PLUGINS)});
  check_refused(unlisted.scratch, unlisted.check({"none.so"}), 69, {"none.so", mine});
  check_refused(unlisted.scratch, unlisted.check({".so#x"}), 69, {".so: there is no such library"});
}

TEST_CASE("check: a library is found by its name even if no component has this name") {
  const UnlistedLibrary unlisted("");
  const std::map<std::string, std::string>& environment = unlisted.environment;
  const auto only = [&](const std::string& word) {
    return unlisted.scratch.sculpt({"check", word, "--only", "library.version"}, environment);
  };
  const std::string losses = std::string(SCULPT_BUILT_PLUGINS) + "/item_losses.so";
  CHECK(only("item_losses").out.starts_with("check item_losses (" + losses + ")"));
  CHECK(only("f1").out.starts_with("check f1 (" + losses + ")"));
  // without a sidecar, by the name of its file: its catalogue has the name tagger
  CHECK(only("bad").out.starts_with("check bad (" + (unlisted.scratch / "mine/bad.so").string()));
  check_refused(unlisted.scratch, only("item_lose"), 66,
                {"no component or library with this name; did you mean \"item_losses\""});
}

TEST_CASE("check: a name of a library and of another component is refused with both paths") {
  const UnlistedLibrary unlisted("");
  fs::rename(unlisted.scratch / "mine/bad.so", unlisted.scratch / "mine/viterbi.so");
  const Outcome outcome = unlisted.check({"viterbi"});
  check_refused(unlisted.scratch, outcome, 78,
                {"2 libraries have the name viterbi or a component with it; check one of them: ",
                 (unlisted.scratch / "mine/viterbi.so").string(), viterbi + "#viterbi"});
  CHECK(unlisted.check({"viterbi.so", "--only", "library.version"}).exit == 0);
}
