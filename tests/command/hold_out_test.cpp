// Examples that are held out of training (hold_out).

#include <doctest/doctest.h>

#include <sstream>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

std::string fold(int folds, int number, const std::string& more = "") {
  return "hold_out={\"folds\": " + std::to_string(folds) + ", \"fold\": " + std::to_string(number) +
         more + "}";
}

}  // namespace

TEST_CASE("a fold is held out of training and measured as validation") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  REQUIRE(train_noisy(scratch, "all", {}).exit == 0);
  const int examples = scratch.finished("all")["train"]["examples"].get<int>();
  CHECK_FALSE(scratch.finished("all").contains("validation"));
  int held_out = 0;
  for (int k = 0; k < 3; ++k) {
    const std::string run = "fold" + std::to_string(k);
    REQUIRE(train_noisy(scratch, run, {fold(3, k)}).exit == 0);
    const Json finished = scratch.finished(run);
    const int held = finished["validation"]["examples"].get<int>();
    CHECK(finished["train"]["examples"].get<int>() == examples - held);
    CHECK(finished["validation"]["loss"].get<double>() > finished["train"]["loss"].get<double>());
    CHECK(finished["validation"]["loss_standard_error"].get<double>() > 0);
    CHECK(finished["test"]["examples"] == scratch.finished("all")["test"]["examples"]);
    held_out += held;
    CHECK(scratch.sculpt({"verify", run}).exit == 0);
    CHECK(scratch.sculpt({"evaluate", run, "noisy.txt"}).exit == 0);
  }
  CHECK(held_out == examples);
}

TEST_CASE(
    "a run with a fold held out is resumed with the same fold, and refused with another one") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  std::string groups;
  for (int k = 0; k < 48; ++k) groups += "writer" + std::to_string(k / 4) + "\n";
  scratch.write("groups.txt", groups);
  const std::string held = fold(3, 1, R"(, "groups": "groups.txt")");
  REQUIRE(train_noisy(scratch, "plain", {held}).exit == 0);
  CHECK(train_noisy(scratch, "run", {held, "solver.max_passes=2"}).exit == 3);
  CHECK(
      train_noisy(scratch, "run", {fold(3, 2, R"(, "groups": "groups.txt")")}, {"--resume"}).exit ==
      78);
  CHECK(train_noisy(scratch, "run", {held}, {"--resume"}).exit == 0);
  CHECK(scratch.read("run/model.sculpt") == scratch.read("plain/model.sculpt"));
  CHECK(scratch.read("run/model.sculpt").find(scratch.folder().string()) == std::string::npos);
  const Outcome warm = train_noisy(scratch, "warm", {fold(3, 2), "solver.warm_start=run"});
  CHECK(warm.exit == 78);
  CHECK(warm.err.find("hold_out.fold is 2") != std::string::npos);
  scratch.write("groups.txt", groups.substr(0, groups.size() - 3) + "00\n");
  CHECK(train_noisy(scratch, "run", {held}, {"--resume"}).exit == 65);
  CHECK(scratch.sculpt({"verify", "run"}).exit == 65);
}

TEST_CASE("values of hold_out that cannot work are refused") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const auto refused = [&](const std::string& set, int exit, const std::string& text) {
    check_refused(scratch, train_noisy(scratch, "runs/x", {set}), exit, {text});
  };
  refused(R"(hold_out={"folds": 3})", 78, "needs \"folds\" and \"fold\", or \"fraction\"");
  refused(R"(hold_out={"folds": 3, "fold": 0, "fraction": 0.5})", 78, "or \"fraction\"");
  refused(fold(3, 3), 78, "must be below");
  refused(R"(hold_out={"fraction": 0})", 78, "must be a number from 1e-06 to 1");
  refused(R"(hold_out={"fraction": 1})", 78, "leave some for training");
  refused(R"(hold_out={"part": 1})", 78, "unknown key \"part\"");
  refused(R"(hold_out=5)", 78, "must be an object");
  refused(fold(49, 3), 78, "48 examples");
  refused(fold(2, 0, R"(, "groups": "none.txt")"), 66, "none.txt");
  scratch.write("groups.txt", "a\nb\n");
  refused(fold(2, 0, R"(, "groups": "groups.txt")"), 65, "groups.txt:2: ");
}

TEST_CASE("hold_out is refused if the dataset has a split validation") {
  const Scratch scratch;
  const std::string rows = "1 1:1\n2 2:1\n1 1:2\n2 2:2\n";
  scratch.write("rows.svml", rows);
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "rows.svml",
                                          "validation": "rows.svml"},
                              "features": "multiclass", "loss": "zero_one",
                              "oracle": "enumerate", "solver": "n_slack",
                              "hold_out": {"fraction": 0.5}})");
  check_refused(scratch, scratch.sculpt({"train", "x.json", "--output", "runs/x"}), 78,
                {"x.json:5:", "the dataset has a split \"validation\""});
}
