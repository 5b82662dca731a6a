// The templates of `sculpt new`: what the command writes, and that the built libraries keep what
// the pages of the templates promise.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

struct Template {
  std::string kind;
  bool is_c;
};

const std::vector<Template>& all_templates() {
  static const std::vector<Template> all = {
      {"task", false},    {"program", false},   {"loss", false},   {"map_solver", false},
      {"dataset", false}, {"oracle", false},    {"kernel", false}, {"task", true},
      {"loss", true},     {"map_solver", true}, {"dataset", true}, {"oracle", true},
      {"kernel", true}};
  return all;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  REQUIRE(in.is_open());
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// `sculpt new my_KIND --kind KIND`.
Outcome make(const Scratch& scratch, const Template& which, const std::string& name) {
  std::vector<std::string> words{"new", name, "--kind", which.kind};
  if (which.is_c) words.emplace_back("--c");
  return scratch.sculpt(words);
}

// The folder of the built library.
fs::path built_folder(const Template& which) {
  return fs::path(SCULPT_BUILT_TEMPLATES) / (which.kind + (which.is_c ? "_c" : "_cpp"));
}
std::string library_of(const Template& which) {
  const std::string name = "template_" + which.kind + (which.is_c ? "_c" : "_cpp");
  return (built_folder(which) / (name + ".so")).string();
}

std::int64_t line_count(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

}  // namespace

TEST_CASE("sculpt new writes the templates that are built and tested") {
  for (const Template& which : all_templates()) {
    CAPTURE(which.kind);
    CAPTURE(which.is_c);
    const Scratch scratch;
    const std::string name = "my_" + which.kind;
    const Outcome made = make(scratch, which, name);
    INFO(made.err);
    REQUIRE(made.exit == 0);
    std::int64_t sources = 0;
    for (const auto& entry : fs::directory_iterator(scratch / name)) {
      const std::string file = entry.path().filename().string();
      CAPTURE(file);
      const bool is_c_source = file.ends_with(".c") || file.ends_with(".h");
      const bool is_source = is_c_source || file.ends_with(".cpp");
      if (is_source) CHECK(is_c_source == which.is_c);
      sources += is_source ? 1 : 0;
      const std::string text = text_of(entry.path());
      CHECK(text.find("my_plugin") == std::string::npos);
      if (is_source || file.ends_with(".json") || file == "README.md") {
        CHECK(text == text_of(fs::path(SCULPT_TEMPLATES) / which.kind / file));
      }
    }
    CHECK(sources > 0);
    for (const char* file : {"CMakeLists.txt", ".gitignore", "README.md", "generate.sh"}) {
      CHECK(fs::exists(scratch / name / file));
    }
    CHECK(fs::exists(scratch / name / (name + ".json")));
  }
}

TEST_CASE("a new plugin has its own name everywhere") {
  for (const Template& which : all_templates()) {
    CAPTURE(which.kind);
    CAPTURE(which.is_c);
    const Scratch scratch;
    REQUIRE(make(scratch, which, "two_words").exit == 0);
    for (const auto& entry : fs::directory_iterator(scratch / "two_words")) {
      const std::string text = text_of(entry.path()) + entry.path().filename().string();
      CAPTURE(entry.path().filename().string());
      CHECK(text.find("my_" + which.kind) == std::string::npos);
      CHECK(text.find("My") == std::string::npos);
      CHECK(text.find("MY_") == std::string::npos);
    }
    const std::string source = which.is_c ? "two_words/two_words.c" : "two_words/two_words.cpp";
    CHECK(scratch.read(source).find("org.example.two_words") != std::string::npos);
    if (!which.is_c) CHECK(scratch.read(source).find("class TwoWords {") != std::string::npos);
  }
}

TEST_CASE("a name may contain the name of the template") {
  for (const Template& which : all_templates()) {
    CAPTURE(which.kind);
    CAPTURE(which.is_c);
    const Scratch scratch;
    const std::string name = "not_my_" + which.kind + "_2";
    REQUIRE(make(scratch, which, name).exit == 0);
    CHECK(fs::exists(scratch / name / (name + ".json")));
    CHECK(scratch.read(name + "/CMakeLists.txt").find("project(" + name + " ") !=
          std::string::npos);
    for (const auto& entry : fs::directory_iterator(scratch / name)) {
      const std::string text = text_of(entry.path());
      CHECK(text.find("not_not_") == std::string::npos);
      CHECK(text.find("_2_2") == std::string::npos);
    }
  }
}

TEST_CASE("every template passes check --strict, trains with a certified gap and predicts") {
  for (const Template& which : all_templates()) {
    CAPTURE(which.kind);
    CAPTURE(which.is_c);
    const Outcome check = Scratch().sculpt({"check", library_of(which), "--strict"});
    INFO(check.out, check.err);
    CHECK(check.exit == 0);
    // What their experiments must be able to show.
    for (const char* missing : {"examples without a truth", "equal content", "at least 3 sizes"}) {
      // With a kernel each row has weights of its own, so no two examples are equal.
      if (which.kind == "kernel" && std::string(missing) == "equal content") continue;
      CAPTURE(missing);
      CHECK(check.out.find(missing) == std::string::npos);
    }

    const Scratch scratch;
    const std::string name = "my_" + which.kind;
    REQUIRE(make(scratch, which, name).exit == 0);
    const std::string folder = (scratch / name).string();
    const Outcome generated = scratch.run({"sh", "-c", "cd " + name + " && sh generate.sh"});
    INFO(generated.err);
    REQUIRE(generated.exit == 0);
    const std::map<std::string, std::string> path{
        {"SCULPT_PLUGIN_PATH", built_folder(which).string()}};
    const Outcome trained =
        scratch.sculpt({"train", name + "/" + name + ".json", "--output", "run"}, path);
    INFO(trained.err);
    REQUIRE(trained.exit == 0);
    CHECK(scratch.finished("run")["certified"] == true);
    const Outcome predicted = scratch.sculpt({"predict", "run", name + "/new.txt"}, path);
    INFO(predicted.err);
    CHECK(predicted.exit == 0);
    CHECK(line_count(predicted.out) == line_count(scratch.read(name + "/new.txt")));
    const Outcome evaluated = scratch.sculpt({"evaluate", "run", name + "/test.txt"}, path);
    INFO(evaluated.err);
    CHECK(evaluated.exit == 0);
  }
}

TEST_CASE("the template of a task learns the number of inputs from the training data alone") {
  for (const Template& which : {Template{"task", false}, Template{"task", true}}) {
    CAPTURE(which.is_c);
    const Scratch scratch;
    scratch.write("x.json", R"({
      "dataset": {"use": "my_task", "train": {"text": "-\n"}, "test": {"text": "0:1,2\n"}},
      "features": "my_task", "loss": "my_task", "oracle": "my_task", "solver": "n_slack"})");
    const Outcome trained =
        scratch.sculpt({"train", "x.json"}, {{"SCULPT_PLUGIN_PATH", built_folder(which).string()}});
    INFO(trained.err);
    CHECK(trained.exit == 65);
    CHECK(trained.err.find("training data") != std::string::npos);
  }
}

TEST_CASE("the template of a dataset names the line that mixes words with and without a tag") {
  for (const Template& which : {Template{"dataset", false}, Template{"dataset", true}}) {
    CAPTURE(which.is_c);
    const Scratch scratch;
    scratch.write("x.json", R"({
      "dataset": {"use": "my_dataset", "train": {"text": "a/X\na/X b c\n"}},
      "features": "chain", "loss": "hamming", "oracle": "viterbi", "solver": "n_slack"})");
    const Outcome trained =
        scratch.sculpt({"train", "x.json"}, {{"SCULPT_PLUGIN_PATH", built_folder(which).string()}});
    CHECK(trained.exit == 65);
    INFO(trained.err);
    CHECK(trained.err.find("dataset.train:2:1: has words with and without a tag") !=
          std::string::npos);
  }
}

TEST_CASE("equal seeds of a generator give equal files, other seeds other files") {
  const Scratch scratch;
  for (const char* kind : {"task", "program", "dataset", "loss"}) {
    CAPTURE(kind);
    const std::string name = std::string("my_") + kind;
    REQUIRE(make(scratch, {kind, false}, name).exit == 0);
    const auto train_text = [&](const std::string& seed) {
      REQUIRE(scratch.run({"sh", "-c", "cd " + name + " && sh generate.sh " + seed}).exit == 0);
      return scratch.read(name + "/train.txt");
    };
    const std::string first = train_text("1");
    CHECK(train_text("2") != first);
    CHECK(train_text("1") == first);
    CHECK(train_text("") == first);
  }
}

TEST_CASE("a generator runs awk with decimal points, whatever the locale is") {
  // awk writes the decimal point of its locale. So the generator must set it.
  for (const char* kind : {"task", "program", "dataset", "loss"}) {
    CAPTURE(kind);
    const Scratch scratch;
    const std::string name = std::string("my_") + kind;
    REQUIRE(make(scratch, {kind, false}, name).exit == 0);
    fs::create_directory(scratch / "bin");
    scratch.write("bin/awk",
                  "#!/bin/sh\necho \"$LC_ALL\" >> ../locales\nPATH=$OLD_PATH exec awk \"$@\"\n");
    fs::permissions(scratch / "bin/awk", fs::perms::owner_all);
    const std::string command = "cd " + name +
                                " && OLD_PATH=$PATH LC_ALL=de_DE.UTF-8 PATH=../bin:$PATH "
                                "sh generate.sh";
    REQUIRE(scratch.run({"sh", "-c", command}).exit == 0);
    const std::string locales = scratch.read("locales");
    CHECK(locales.find("C\n") == 0);
    CHECK(locales.find("de_DE") == std::string::npos);
  }
}
