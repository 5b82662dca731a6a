// Models with kernels: the same from every run, and complete without the training data.

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

std::string model_after(const Scratch& scratch, const Json& experiment,
                        const std::vector<std::string>& more) {
  trained(scratch, experiment, "run", more);
  return scratch.read("run/model.sculpt");
}

std::string predictions(const Scratch& scratch, const std::string& model) {
  const Outcome outcome = scratch.sculpt({"predict", model, "test.txt"});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK_FALSE(outcome.out.empty());
  return outcome.out;
}

}  // namespace

TEST_CASE("threads and a resumed run change no byte of a model with a kernel") {
  const Scratch scratch;
  for (const Json& small : {multiclass_experiment(), chain_experiment()}) {
    const Json experiment = with(small, "/kernel", rbf(0.5));
    const std::string model = model_after(scratch, experiment, {"--threads", "1"});
    CHECK(model_after(scratch, experiment, {"--threads", "2"}) == model);
    fs::remove_all(scratch / "run");
    trained(scratch, experiment, "run", {"--set", "solver.max_passes=3"});
    // The limit is part of the header, so the models without it are compared.
    trained(scratch, experiment, "run", {"--resume", "--set", "solver.max_passes=1000"});
    const std::string resumed = scratch.read("run/model.sculpt");
    CHECK(resumed == model_after(scratch, experiment, {"--set", "solver.max_passes=1000"}));
  }
}

TEST_CASE("little memory for rows changes no weight") {
  const Scratch scratch;
  Json experiment = with(multiclass_experiment(), "/kernel", rbf(0.5));
  experiment["dataset"]["train"]["text"] = class_text(class_rows(300));
  trained(scratch, experiment, "run");
  const std::vector<double> weights = weights_of(scratch.read("run/model.sculpt"));
  const Json little =
      trained(scratch, experiment, "run", {"--set", "solver.kernel_megabytes=0.01"});
  CHECK(weights_of(scratch.read("run/model.sculpt")) == weights);
  CHECK(little["kernel_rows"]["computed"] > 300);
  CHECK(little["kernel_rows"]["asked"] >= little["kernel_rows"]["computed"]);
}

TEST_CASE("a model with a kernel predicts without its training data") {
  const Scratch scratch;
  Json experiment = with(multiclass_experiment(), "/kernel",
                         {{"use", "normalized"}, {"of", {{"use", "polynomial"}, {"degree", 2}}}});
  scratch.write("train.txt", class_text(class_rows()));
  scratch.write("test.txt", class_text(random_rows(20, 3, 11)));
  experiment["dataset"]["train"] = "train.txt";
  trained(scratch, experiment);
  const std::string before = predictions(scratch, "run");
  fs::copy_file(scratch / "run/model.sculpt", scratch / "copy.sculpt");
  fs::remove_all(scratch / "run");
  fs::remove(scratch / "train.txt");
  CHECK(predictions(scratch, "copy.sculpt") == before);
}

TEST_CASE("train and describe speak of atoms and blocks, and list support examples by mass") {
  const Scratch scratch;
  scratch.write("small.json", with(chain_experiment(), "/kernel", rbf(0.5)).dump());
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "run"});
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(contains(outcome.err, " atoms in 3 blocks and 12 weights without atoms, "));
  CHECK(contains(outcome.out, "\n  kernel rows     "));
  CHECK(contains(outcome.out, " computed, "));
  const Outcome described = scratch.sculpt({"describe", "run", "--top", "2"});
  INFO(described.out);
  CHECK(described.exit == 0);
  CHECK(contains(described.out, " support atoms of "));
  CHECK(contains(described.out, " in 3 blocks and 12 weights without atoms; learned from 14"));
  CHECK(contains(described.out, "\nsupport examples by mass\n"));
  CHECK(contains(described.out, "example "));
  CHECK_FALSE(contains(described.out, "top weights"));
}

TEST_CASE("describe shows support examples in their own text while the training data are there") {
  const Scratch scratch;
  Json experiment = with(multiclass_experiment(), "/kernel", rbf(0.5));
  const std::string text = class_text(class_rows());
  scratch.write("train.txt", text);
  experiment["dataset"]["train"] = "train.txt";
  trained(scratch, experiment);
  const Outcome described = scratch.sculpt({"describe", "run", "--top", "3"});
  INFO(described.out);
  INFO(described.err);
  CHECK(described.exit == 0);
  CHECK(described.err.empty());
  const std::size_t heading = described.out.find("support examples by mass\n");
  REQUIRE(heading != std::string::npos);
  std::istringstream lines(described.out.substr(heading));
  std::string line;
  std::getline(lines, line);
  int count = 0;
  double mass_before = 1e300;
  while (std::getline(lines, line)) {
    ++count;
    double mass = 0;
    int example = -1;
    char place[100] = {};
    char label[100] = {};
    CAPTURE(line);
    REQUIRE(std::sscanf(line.c_str(), " %lf example %d %99s %99s", &mass, &example, place, label) ==
            4);
    CHECK(mass <= mass_before);
    mass_before = mass;
    // Line `example + 1` of the file has the class 1 + example mod 3.
    CHECK(std::string(place).ends_with("train.txt:" + std::to_string(example + 1) + ":"));
    CHECK(std::string(label) == std::to_string(1 + example % 3));
  }
  CHECK(count == 3);

  // Without the data, or with others, examples have numbers.
  const auto shows_numbers = [&](const std::string& reason) {
    const Outcome outcome = scratch.sculpt({"describe", "run", "--top", "3"});
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
    CHECK(contains(outcome.err, reason));
    CHECK(contains(outcome.err, "; examples are shown by number"));
    CHECK(contains(outcome.out, "  example "));
    CHECK_FALSE(contains(outcome.out, "train.txt"));
  };
  scratch.write("train.txt", text + text);
  shows_numbers("the data of \"train\" have changed since the training");
  fs::remove(scratch / "train.txt");
  shows_numbers("train.txt");
  fs::copy_file(scratch / "run/model.sculpt", scratch / "copy.sculpt");
  const Outcome alone = scratch.sculpt({"describe", "copy.sculpt"});
  CHECK(alone.exit == 0);
  CHECK(alone.err.empty());
  CHECK(contains(alone.out, "support examples by mass\n"));
}
