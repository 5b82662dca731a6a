// sculpt new: its messages, and that it leaves nothing behind when it fails. tests/templates tests
// what it writes.

#include <doctest/doctest.h>

#include <set>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

constexpr int exit_cannot_create = 73;
constexpr int exit_write_failed = 74;

Outcome make_loss(const Scratch& scratch, const std::string& name) {
  return scratch.sculpt({"new", name, "--kind", "loss"});
}

// The names in a folder, without the files that the tests write for the output of a process.
std::set<std::string> entries(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace

TEST_CASE("sculpt new without --kind lists the kinds") {
  const Scratch scratch;
  const Outcome listed = scratch.sculpt({"new"});
  CHECK(listed.exit == 0);
  const Outcome named = scratch.sculpt({"new", "tagger"});
  CHECK(named.exit == exit_usage);
  for (const char* kind :
       {"task", "program", "loss", "map_solver", "dataset", "oracle", "kernel"}) {
    CAPTURE(kind);
    const std::string line = std::string("\n  ") + kind + " ";
    CHECK(listed.out.find(line) != std::string::npos);
    CHECK(named.err.find(line) != std::string::npos);
  }
  CHECK_FALSE(fs::exists(scratch / "tagger"));
  const Outcome help = scratch.sculpt({"new", "--help"});
  CHECK(help.exit == 0);
  CHECK(help.out.find("--kind KIND") != std::string::npos);
}

TEST_CASE("sculpt new refuses wrong kinds, and programs in C") {
  const Scratch scratch;
  const Outcome unknown = scratch.sculpt({"new", "tagger", "--kind", "dateset"});
  CHECK(unknown.exit == exit_usage);
  CHECK(unknown.err.find("did you mean \"dataset\"?") != std::string::npos);
  const Outcome program = scratch.sculpt({"new", "tagger", "--kind", "program", "--c"});
  CHECK(program.exit == exit_usage);
  CHECK(program.err.find("C++ only") != std::string::npos);
  CHECK(scratch.sculpt({"new", "--kind", "loss"}).exit == exit_usage);
  CHECK_FALSE(fs::exists(scratch / "tagger"));
}

TEST_CASE("sculpt new refuses names that C, C++ or CMake cannot use") {
  const Scratch scratch;
  const std::set<std::string> before = entries(scratch.folder());
  for (const char* name : {"",        "Tagger",  "9lives", "_tagger",    "a-b",        "a b",
                           "a/b",     "../up",   ".",      "tagger.cpp", "t\xc3\xa4g", "a__b",
                           "tagger_", "int",     "class",  "restrict",   "co_await",   "typeof",
                           "test",    "install", "sculpt", "sculpt_sdk"}) {
    CAPTURE(name);
    const Outcome refused = make_loss(scratch, name);
    CHECK(refused.exit == exit_usage);
    CHECK(refused.err.find("the name '") != std::string::npos);
  }
  CHECK(make_loss(scratch, std::string(65, 'a')).exit == exit_usage);
  std::set<std::string> after = entries(scratch.folder());
  for (const std::string& name : before) after.erase(name);
  for (const std::string& name : after) CHECK(fs::is_regular_file(scratch / name));  // out and err
  CHECK(make_loss(scratch, std::string(64, 'a')).exit == 0);
}

TEST_CASE("sculpt new refuses names of types and functions of its template") {
  const Scratch scratch;
  const std::vector<std::vector<std::string>> refused_words = {
      {"sequence", "task"},   {"word", "dataset"},    {"sentence", "dataset"},
      {"session", "task"},    {"score", "oracle"},    {"session", "loss"},
      {"session", "dataset"}, {"session", "program"}, {"session", "oracle"},
      {"loss", "task", "--c"}};
  for (const std::vector<std::string>& words : refused_words) {
    CAPTURE(words[0]);
    CAPTURE(words[1]);
    std::vector<std::string> command = {"new", words[0], "--kind"};
    command.insert(command.end(), words.begin() + 1, words.end());
    const Outcome refused = scratch.sculpt(command);
    CHECK(refused.exit == exit_usage);
    CHECK(refused.err.find("the name '" + words[0] + "' makes the identifier ") !=
          std::string::npos);
    CHECK(refused.err.find("such as my_" + words[0]) != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / words[0]));
  }
  // Names of other templates, and words of comments, are free.
  CHECK(scratch.sculpt({"new", "sequence", "--kind", "loss"}).exit == 0);
  CHECK(scratch.sculpt({"new", "a", "--kind", "task"}).exit == 0);
  CHECK(scratch.sculpt({"new", "labels", "--kind", "task"}).exit == 0);
}

TEST_CASE("sculpt new refuses names of components, libraries and solvers that exist") {
  const Scratch scratch;
  for (const char* name :
       {"hamming", "viterbi", "item_losses", "f1", "n_slack", "combine", "product"}) {
    CAPTURE(name);
    const Outcome refused = make_loss(scratch, name);
    CHECK(refused.exit == exit_usage);
    CHECK(refused.err.find("is already used by ") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / name));
  }
}

TEST_CASE("sculpt new refuses a path that exists, and changes nothing") {
  const Scratch scratch;
  fs::create_directory(scratch / "empty");
  scratch.write("file", "text");
  fs::create_symlink("nowhere", scratch / "link");
  REQUIRE(make_loss(scratch, "tagger").exit == 0);
  scratch.write("tagger/README.md", "mine");
  for (const char* name : {"empty", "file", "link", "tagger"}) {
    CAPTURE(name);
    const std::set<std::string> before = entries(scratch.folder());
    const Outcome refused = make_loss(scratch, name);
    CHECK(refused.exit == exit_cannot_create);
    CHECK(refused.err.find("exists already") != std::string::npos);
    for (const std::string& entry : entries(scratch.folder())) {
      if (before.count(entry) == 0) CHECK(fs::is_regular_file(scratch / entry));  // out and err
    }
  }
  CHECK(fs::is_empty(scratch / "empty"));
  CHECK(scratch.read("file") == "text");
  CHECK(fs::is_symlink(scratch / "link"));
  CHECK(scratch.read("tagger/README.md") == "mine");
}

TEST_CASE("sculpt new says that it may not write, or cannot write, and leaves nothing behind") {
  const Scratch scratch;
  const std::string command = std::string("exec ") + SCULPT_TEST_BINARY + " new tagger --kind loss";
  // Nobody can make a folder in /proc, not even root.
  const Outcome read_only = scratch.run({"sh", "-c", "cd /proc && " + command});
  CHECK(read_only.exit == exit_cannot_create);
  CHECK(read_only.err.find("/proc/tagger: cannot be created") != std::string::npos);
  // Files may have two blocks of 512 bytes. The templates need more.
  fs::create_directory(scratch / "work");
  const Outcome full = scratch.run({"sh", "-c", "cd work && ulimit -f 2 && " + command});
  CHECK(full.exit == exit_write_failed);
  CHECK(fs::is_empty(scratch / "work"));
}

TEST_CASE(
    "sculpt new counts no relative folder of the PATH, because its commands change the folder") {
  const Scratch scratch;
  const std::string program = SCULPT_TEST_BINARY;
  fs::create_directory(scratch / "bin");
  fs::create_symlink(program, scratch / "bin/sculpt");
  fs::create_symlink(program, scratch / "sculpt");
  const auto printed = [&](const std::string& path, const std::string& name) {
    const Outcome made = scratch.run(
        {"sh", "-c", "PATH=" + path + " exec " + program + " new " + name + " --kind loss"});
    CHECK(made.exit == 0);
    return made.out;
  };
  CHECK(printed((scratch / "bin").string(), "absolute").find("\n    sculpt check ") !=
        std::string::npos);
  for (const char* path : {"bin", ".", "", "::"}) {
    CAPTURE(path);
    const std::string name =
        "relative_" + std::to_string(std::string(path).size()) + (path[0] == '.' ? "_dot" : "");
    CHECK(printed(path, name).find("\n    sculpt check ") == std::string::npos);
  }
}

TEST_CASE("sculpt new makes files and folders with the usual permissions") {
  const Scratch scratch;
  const std::string command = std::string("exec ") + SCULPT_TEST_BINARY + " new tagger --kind loss";
  REQUIRE(scratch.run({"sh", "-c", "umask 027 && " + command}).exit == 0);
  const auto bits = [](const fs::path& path) {
    return static_cast<unsigned>(fs::status(path).permissions());
  };
  CHECK(bits(scratch / "tagger") == 0750);
  CHECK(bits(scratch / "tagger/tagger.cpp") == 0640);
}
