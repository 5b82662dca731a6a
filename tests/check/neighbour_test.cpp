// Libraries without a sidecar: what they offer has to be asked of them, and they may be broken.
#include <doctest/doctest.h>

#include "check/check_outcome.hpp"

using namespace sculpt::test;

namespace {

// A library without a sidecar that does `how` when it is loaded: "crash", "hang" or nothing.
struct Bare {
  explicit Bare(const std::string& how) {
    fs::create_directory(scratch / "mine");
    fs::copy(zoo_plugin("breaks_at_load"), scratch / "mine/bad.so");
    around = {{"SCULPT_PLUGIN_PATH", (scratch / "mine").string()},
              {"SCULPT_TEST_AT_LOAD", how},
              {"ASAN_OPTIONS", "handle_segv=0"},
              {"TSAN_OPTIONS", "handle_segv=0"}};
  }
  Outcome check(std::vector<std::string> words) const {
    words.insert(words.begin(), "check");
    return scratch.sculpt(words, around);
  }
  Scratch scratch;
  std::map<std::string, std::string> around;
};

}  // namespace

TEST_CASE("check: file.so#name of a library that crashes when it is loaded is refused") {
  const Bare bare("crash");
  check_refused(bare.scratch, bare.check({"mine/bad.so#tagger"}), 69,
                {"mine/bad.so: loading it", "SIGSEGV"});
  check_refused(bare.scratch, bare.check({"bad.so#tagger"}), 69, {"SIGSEGV"});
}

TEST_CASE("check: file.so#name of a library that hangs when it is loaded is refused in time") {
  const Bare bare("hang");
  check_refused(bare.scratch, bare.check({"bad.so#tagger", "--time-limit", "0.5"}), 69,
                {"takes longer than 0.5 s"});
}

TEST_CASE("check: file.so#name of a library without a sidecar is found") {
  const Bare bare("");
  CHECK(bare.check({"bad.so#tagger", "--only", "library.version"}).exit == 0);
  check_refused(bare.scratch, bare.check({"bad.so#tager"}), 78,
                {"no component tager", "org.test.tagger"});
  const Outcome named = bare.check({"tagger", "--only", "library.version"});
  CHECK(named.out.starts_with("check tagger (" + (bare.scratch / "mine/bad.so").string() + ")"));
}

TEST_CASE("check: a broken neighbour is a warning, once, and no more") {
  for (const char* how : {"crash", "hang"}) {
    const Bare bare(how);
    write_small_experiment(bare.scratch);
    for (const char* subject : {"viterbi", "small.json"}) {
      INFO(how, ", ", subject);
      const Outcome outcome =
          bare.check({subject, "--level", "1", "--time-limit", "2", "--only", "oracle.value"});
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

TEST_CASE("check: a name that is not found comes with the places that were searched") {
  const Bare bare("");
  const std::string mine = (bare.scratch / "mine").string();
  check_refused(bare.scratch, bare.check({"viterby"}), 66,
                {"viterby: there is no such file", "did you mean \"viterbi\"", mine,
                 std::string(SCULPT_BUILT_PLUGINS)});
  check_refused(bare.scratch, bare.check({"none.so"}), 69, {"none.so", mine});
  check_refused(bare.scratch, bare.check({".so#x"}), 69, {".so: there is no such library"});
}

TEST_CASE("check: a library is found by its name, whatever its components are called") {
  const Bare bare("");
  const std::map<std::string, std::string>& around = bare.around;
  const auto only = [&](const std::string& word) {
    return bare.scratch.sculpt({"check", word, "--only", "library.version"}, around);
  };
  const std::string losses = std::string(SCULPT_BUILT_PLUGINS) + "/item_losses.so";
  CHECK(only("item_losses").out.starts_with("check item_losses (" + losses + ")"));
  CHECK(only("f1").out.starts_with("check f1 (" + losses + ")"));
  // one without a sidecar by its file: it says that it is called tagger
  CHECK(only("bad").out.starts_with("check bad (" + (bare.scratch / "mine/bad.so").string()));
  check_refused(bare.scratch, only("item_lose"), 66,
                {"no component or library is called so; did you mean \"item_losses\""});
}

TEST_CASE("check: a name of a library and of another one's component is refused, naming both") {
  const Bare bare("");
  fs::rename(bare.scratch / "mine/bad.so", bare.scratch / "mine/viterbi.so");
  const Outcome outcome = bare.check({"viterbi"});
  check_refused(bare.scratch, outcome, 78,
                {"2 libraries are called viterbi or offer it; check one of them: ",
                 (bare.scratch / "mine/viterbi.so").string(), viterbi + "#viterbi"});
  CHECK(bare.check({"viterbi.so", "--only", "library.version"}).exit == 0);
}
