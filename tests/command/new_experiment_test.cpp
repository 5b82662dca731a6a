// sculpt new experiment --task: writes an experiment with comments that runs as it is.

#include <doctest/doctest.h>

#include "command/host_process.hpp"
#include "command/small_task_data.hpp"

using namespace sculpt::test;

TEST_CASE("sculpt new experiment writes what train --task trains") {
  const Scratch scratch;
  for (const SmallTask& small : small_tasks()) {
    CAPTURE(small.task);
    CAPTURE(small.text);
    scratch.write("data.txt", small.text);
    fs::remove(scratch / "x.json");
    const Outcome made = scratch.sculpt({"new", "experiment", "--task", small.task, "--train",
                                         "data.txt", "--test", "data.txt", "--output", "x.json"});
    INFO(made.err);
    REQUIRE(made.exit == 0);
    CHECK(contains(made.out, "sculpt train "));
    const Outcome written = scratch.sculpt({"train", "x.json", "--output", "written", "--force"});
    INFO(written.err);
    REQUIRE(written.exit == 0);
    REQUIRE(scratch
                .sculpt({"train", "--task", small.task, "data.txt", "--test", "data.txt",
                         "--output", "direct", "--force", "--set", "name=x"})
                .exit == 0);
    CHECK(scratch.read("written/model.sculpt") == scratch.read("direct/model.sculpt"));
  }
}

TEST_CASE("sculpt new experiment explains keys and names alternatives") {
  const Scratch scratch;
  scratch.write("data.txt", "2 qid:1 1:1\n1 qid:1 1:0.5\n0 qid:1 2:1\n");
  const Outcome printed =
      scratch.sculpt({"new", "experiment", "--task", "ranking", "--train", "data.txt"});
  INFO(printed.err);
  REQUIRE(printed.exit == 0);
  CHECK(contains(printed.out, "// The task ranking: "));
  CHECK(contains(printed.out, "  // Instead: ndcg: "));
  CHECK(contains(printed.out, "    // \"test\": \"FILE\", "));
  CHECK(contains(printed.out, "explained by `sculpt describe one_slack`: "));
  CHECK_FALSE(contains(printed.out, std::string(101, ' ')));
  scratch.write("x.json", printed.out);
  CHECK(scratch.sculpt({"train", "x.json", "--output", "run"}).exit == 0);
}

TEST_CASE("paths of an experiment in another folder are absolute, and overrides are in it") {
  const Scratch scratch;
  scratch.write("data.txt", "1 1:1\n2 1:-1\n");
  fs::create_directory(scratch / "other");
  const Outcome made =
      scratch.sculpt({"new", "experiment", "--task", "multiclass", "--train", "data.txt", "--set",
                      "solver.use=perceptron", "--output", "other/x.json"});
  INFO(made.err);
  REQUIRE(made.exit == 0);
  CHECK(contains(scratch.read("other/x.json"), (scratch / "data.txt").string()));
  CHECK(scratch.sculpt({"train", "other/x.json", "--output", "run"}).exit == 3);
  const std::string text = scratch.read("other/x.json");
  CHECK(scratch
            .sculpt({"new", "experiment", "--task", "multiclass", "--train", "data.txt", "--output",
                     "other/x.json"})
            .exit == exit_cannot_create);
  CHECK(scratch.read("other/x.json") == text);
}

TEST_CASE("an experiment in another folder trains the same, whatever keys are paths") {
  const Scratch scratch;
  fs::create_directory(scratch / "other");
  fs::create_directory(scratch / "plugins");
  scratch.write("data.txt", "1 1:1\n2 1:-1\n1 1:2\n");
  scratch.write("weights.txt", "1\n2\n0.5\n");
  scratch.write("groups.txt", "a\nb\nc\n");
  const std::string oracle = R"(oracle=["icm", "enumerate"])";
  const std::string fold = R"(hold_out={"folds": 3, "fold": 0, "groups": "groups.txt"})";
  REQUIRE(scratch
              .sculpt({"train", "--task", "multiclass", "data.txt", "--output", "first", "--set",
                       oracle, "--set", fold, "--set", "dataset.weights=weights.txt"})
              .exit == 0);
  const std::vector<std::string> words{"--set", "name=same",
                                       "--set", "dataset.weights=weights.txt",
                                       "--set", "solver.warm_start=first",
                                       "--set", "plugin_path=[\"plugins\"]",
                                       "--set", oracle,
                                       "--set", fold};
  std::vector<std::string> make{"new",     "experiment", "--task",   "multiclass",
                                "--train", "data.txt",   "--output", "other/x.json"};
  make.insert(make.end(), words.begin(), words.end());
  const Outcome made = scratch.sculpt(make);
  INFO(made.err);
  REQUIRE(made.exit == 0);
  const std::string text = scratch.read("other/x.json");
  INFO(text);
  for (const char* path : {"data.txt", "weights.txt", "first", "plugins", "groups.txt"}) {
    CHECK(contains(text, Json((scratch / path).string()).dump()));
  }
  const Outcome trained = scratch.sculpt({"train", "other/x.json", "--output", "run"});
  INFO(trained.err);
  REQUIRE(trained.exit == 0);
  std::vector<std::string> train{"train", "--task", "multiclass", "data.txt", "--output", "direct"};
  train.insert(train.end(), words.begin(), words.end());
  REQUIRE(scratch.sculpt(train).exit == 0);
  CHECK(scratch.read("run/model.sculpt") == scratch.read("direct/model.sculpt"));
}

TEST_CASE("sculpt new refuses options that do not fit together") {
  const Scratch scratch;
  const Outcome tasks = scratch.sculpt({"new", "experiment"});
  CHECK(tasks.exit == exit_usage);
  CHECK(contains(tasks.err, "\n  tagging "));
  CHECK(scratch.sculpt({"new", "experiment", "--task", "ranking"}).exit == exit_usage);
  CHECK(scratch.sculpt({"new", "tagger", "--task", "ranking", "--train", "x"}).exit == exit_usage);
  CHECK(scratch.sculpt({"new", "tagger", "--kind", "loss", "--train", "x"}).exit == exit_usage);
  CHECK_FALSE(fs::exists(scratch / "tagger"));
}

TEST_CASE("the run of a new experiment has the name of its file, and so has that of a copy") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1\n2 1:-1\n1 1:2\n2 1:-2\n");
  REQUIRE(scratch.sculpt({"train", "--task", "multiclass", "rows.txt"}).exit == 0);
  REQUIRE(scratch
              .sculpt({"new", "experiment", "--task", "multiclass", "--train", "rows.txt",
                       "--output", "mine.json"})
              .exit == 0);
  CHECK(scratch.sculpt({"train", "mine.json"}).exit == 0);
  CHECK(fs::exists(scratch / "runs/mine/model.sculpt"));
  scratch.write("other.json", scratch.read("mine.json"));
  CHECK(scratch.sculpt({"train", "other.json"}).exit == 0);
  CHECK(fs::exists(scratch / "runs/other/model.sculpt"));
  CHECK(scratch.sculpt({"sweep", "mine.json", "--set", "solver.C=1,2", "--folds", "2"}).exit == 0);
  CHECK(fs::exists(scratch / "sweeps/mine/sweep.json"));
  const Outcome again = scratch.sculpt({"train", "mine.json"});
  CHECK(again.exit == exit_cannot_create);
  CHECK(again.err.find("--output") < again.err.find("--force"));  // what loses nothing comes first

  // A name that the user sets stays.
  REQUIRE(scratch
              .sculpt({"new", "experiment", "--task", "multiclass", "--train", "rows.txt",
                       "--output", "named.json", "--set", "name=chosen"})
              .exit == 0);
  CHECK(contains(scratch.read("named.json"), "\"name\": \"chosen\""));
}
