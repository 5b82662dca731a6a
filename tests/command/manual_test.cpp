// sculpt man and sculpt completion: they have every command and option that --help prints, and the
// programs that read them accept them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

std::vector<std::string> matches_in(const std::string& text, const char* pattern) {
  std::vector<std::string> result;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) {
    result.push_back((*at)[1]);
  }
  return result;
}

// The commands that `sculpt --help` lists.
std::vector<std::string> listed_commands(const Scratch& scratch) {
  const std::string help = scratch.sculpt({"--help"}).out;
  return matches_in(help.substr(0, help.find("COMMAND --help")), "\n  ([a-z]+)  ");
}

// The options that `sculpt COMMAND --help` lists, without their hyphens.
std::vector<std::string> listed_options(const Scratch& scratch, const std::string& command) {
  return matches_in(scratch.sculpt({command, "--help"}).out, "\n  (?:-h \\[ )?--([a-z-]+)");
}

// True if the program is there.
bool is_installed(const Scratch& scratch, const std::string& program) {
  return scratch.run({"sh", "-c", "command -v " + program}).exit == 0;
}

// Completes the last word in bash, sourced from the file "completion". Returns the candidates.
std::set<std::string> completed(const Scratch& scratch, const std::string& words) {
  const fs::path bin = fs::path(SCULPT_TEST_BINARY).parent_path();
  const std::string path = bin.string() + ":" + std::getenv("PATH");
  const Outcome outcome = scratch.run(
      {"bash", "-c",
       "source completion; COMP_WORDS=(" + words +
           "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sculpt; printf '%s\\n' \"${COMPREPLY[@]}\""},
      {{"PATH", path}});
  CHECK(outcome.err == "");
  std::set<std::string> lines;
  for (const std::string& line : matches_in(outcome.out, "([^\n]+)")) lines.insert(line);
  return lines;
}

using Candidates = std::set<std::string>;

}  // namespace

TEST_CASE("man has a page for each command, with each of its options") {
  const Scratch scratch;
  REQUIRE(scratch.sculpt({"man", "--output", "pages"}).exit == 0);
  const std::vector<std::string> names = listed_commands(scratch);
  CHECK(names.size() >= 12);
  const std::string main_page = scratch.read("pages/sculpt.1");
  CHECK(main_page == scratch.sculpt({"man"}).out);
  for (const std::string& name : names) {
    CAPTURE(name);
    CHECK(contains(main_page, "\n\\fB" + name + "\\fR"));
    const std::string page = scratch.read("pages/sculpt-" + name + ".1");
    CHECK(page == scratch.sculpt({"man", name}).out);
    for (std::string option : listed_options(scratch, name)) {
      CAPTURE(option);
      option = std::regex_replace(option, std::regex("-"), "\\-");
      CHECK(contains(page, "\\fB\\-\\-" + option + "\\fR"));
    }
  }
}

TEST_CASE("groff and mandoc accept the man pages") {
  const Scratch scratch;
  REQUIRE(scratch.sculpt({"man", "--output", "pages"}).exit == 0);
  for (const auto& entry : fs::directory_iterator(scratch / "pages")) {
    CAPTURE(entry.path());
    if (is_installed(scratch, "groff")) {
      const Outcome outcome = scratch.run({"groff", "-man", "-ww", "-z", entry.path()});
      CHECK(outcome.exit == 0);
      CHECK(outcome.err == "");
    }
    if (is_installed(scratch, "mandoc")) {  // 2 and above: warnings; pages have no date
      const Outcome outcome = scratch.run({"mandoc", "-T", "lint", "-W", "error", entry.path()});
      CHECK(outcome.exit == 0);
      CHECK(outcome.out == "");
    }
  }
}

TEST_CASE("man and completion refuse words that they do not know") {
  const Scratch scratch;
  CHECK(contains(scratch.sculpt({"man", "trian"}).err, "did you mean \"train\"?"));
  CHECK(scratch.sculpt({"man", "trian"}).exit == 64);
  CHECK(contains(scratch.sculpt({"completion", "bish"}).err, "did you mean \"bash\"?"));
  CHECK(scratch.sculpt({"completion", "bash", "loss"}).exit == 64);
  CHECK(contains(scratch.sculpt({"completion", "names", "los"}).err, "did you mean \"loss\"?"));
  CHECK(scratch.sculpt({"completion"}).exit == 64);
  CHECK(scratch.sculpt({"man", "train", "--output", ""}).exit == 64);
}

TEST_CASE("the completions have every command and option") {
  const Scratch scratch;
  const std::string bash = scratch.sculpt({"completion", "bash"}).out;
  const std::string zsh = scratch.sculpt({"completion", "zsh"}).out;
  const std::string fish = scratch.sculpt({"completion", "fish"}).out;
  for (const std::string& name : listed_commands(scratch)) {
    CAPTURE(name);
    CHECK(contains(bash, "    " + name + ")\n"));
    CHECK(contains(zsh, "    " + name + ")\n"));
    CHECK(contains(fish, " -n __fish_use_subcommand -a " + name + " "));
    for (const std::string& option : listed_options(scratch, name)) {
      CAPTURE(option);
      CHECK(contains(bash.substr(bash.find("    " + name + ")\n")), "--" + option));
      CHECK(contains(zsh.substr(zsh.find("    " + name + ")\n")), "--" + option + "["));
      CHECK(contains(
          fish, "_from " + name + "'" + (option == "help" ? " -s h" : "") + " -l " + option + " "));
    }
  }
}

TEST_CASE("bash completes commands, options, files and names of components") {
  const Scratch scratch;
  scratch.write("completion", scratch.sculpt({"completion", "bash"}).out);
  scratch.write("tag.json", "{}");
  scratch.write("tag.txt", "");
  fs::create_directory(scratch / "tags");
  CHECK(completed(scratch, "sculpt ver") == Candidates{"verify"});
  CHECK(completed(scratch, "sculpt train --tr") == Candidates{"--trust-rebuilt"});
  CHECK(completed(scratch, "sculpt sweep ta") == Candidates{"tag.json", "tags"});
  CHECK(completed(scratch, "sculpt train --task tag") == Candidates{"tagging"});
  CHECK(completed(scratch, "sculpt train --task tagging ta") ==
        Candidates{"tag.json", "tag.txt", "tags"});
  CHECK(completed(scratch, "sculpt train --output ta") == Candidates{"tags"});
  CHECK(completed(scratch, "sculpt train --output = ta") == Candidates{"tags"});
  CHECK(completed(scratch, "sculpt predict runs/a --seed 1 ta") ==
        Candidates{"tag.json", "tag.txt", "tags"});
  CHECK(completed(scratch, "sculpt predict runs/a tag.txt ta") == Candidates{});
  CHECK(completed(scratch, "sculpt predict --set oracle = icm ta") == Candidates{"tags"});
  CHECK(completed(scratch, "sculpt train --threads ta") == Candidates{});
  CHECK(completed(scratch, "sculpt train tag.json --set ora") == Candidates{"oracle="});
  CHECK(completed(scratch, "sculpt train tag.json --set oracle = vit") == Candidates{"viterbi"});
  CHECK(completed(scratch, "sculpt train tag.json --set solver = per") == Candidates{"perceptron"});
  CHECK(completed(scratch, "sculpt train tag.json --set loss.use = ham") == Candidates{"hamming"});
  CHECK(completed(scratch, "sculpt train tag.json --set kernel =").count("rbf") == 1);
  CHECK(completed(scratch, "sculpt describe frank") == Candidates{"frank_wolfe"});
  CHECK(completed(scratch, "sculpt describe tag.j") == Candidates{"tag.json"});
  CHECK(completed(scratch, "sculpt new x --kind map") == Candidates{"map_solver"});
  CHECK(completed(scratch, "sculpt evaluate a b --decode max-m") == Candidates{"max-marginal"});
}

TEST_CASE("bash, zsh and fish accept the completions") {
  const Scratch scratch;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    CAPTURE(shell);
    scratch.write("completion", scratch.sculpt({"completion", shell}).out);
    if (!is_installed(scratch, shell)) continue;
    const Outcome outcome = scratch.run({shell, "-n", "completion"});
    CHECK(outcome.exit == 0);
    CHECK(outcome.err == "");
  }
}

TEST_CASE("fish completes options and values of --set") {
  const Scratch scratch;
  if (!is_installed(scratch, "fish")) return;
  scratch.write("completion", scratch.sculpt({"completion", "fish"}).out);
  const fs::path bin = fs::path(SCULPT_TEST_BINARY).parent_path();
  const std::map<std::string, std::string> environment = {
      {"PATH", bin.string() + ":" + std::getenv("PATH")}, {"HOME", scratch.folder().string()}};
  const auto lines = [&](const std::string& text) {
    return scratch.run({"fish", "-c", "source completion; complete -C '" + text + "'"}, environment)
        .out;
  };
  CHECK(lines("sculpt verif").find("verify\t") == 0);
  CHECK(lines("sculpt train --trus").find("--trust-rebuilt\t") == 0);
  CHECK(lines("sculpt train a.json --set oracle=vit").find("oracle=viterbi") == 0);
}

TEST_CASE("a terminal shows a page by man(1), or --help without it") {
  const Scratch scratch;
  const auto shown = [&](const std::string& path) {
    return scratch
        .run({"/usr/bin/script", "-qec", "exec '" SCULPT_TEST_BINARY "' man sweep", "/dev/null"},
             {{"PATH", path}, {"TERM", "xterm"}, {"SHELL", "/bin/sh"}})
        .out;
  };
  fs::create_directory(scratch / "bin");
  const std::string help = shown((scratch / "bin").string());
  INFO(help);
  CHECK(contains(help, "Usage: sculpt sweep "));
  CHECK(contains(help, "--folds K"));

  // A man(1) that keeps what it gets, and one that fails.
  scratch.write("bin/man", "#!/bin/sh\n/bin/cat > '" + (scratch / "got").string() + "'\n");
  fs::permissions(scratch / "bin/man", fs::perms::owner_all);
  CHECK(shown((scratch / "bin").string()).empty());
  CHECK(scratch.read("got") == scratch.sculpt({"man", "sweep"}).out);
  scratch.write("bin/man", "#!/bin/sh\nexit 3\n");
  CHECK(shown((scratch / "bin").string()) == help);
}
