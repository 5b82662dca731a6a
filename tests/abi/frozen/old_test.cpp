// A plugin that was built with the headers of ABI 0.1 trains, and its model predicts.

#include <doctest/doctest.h>

#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// The mean is 1, and a and c mirror each other about it. So slopes are -s, 0, s, and b has a bias
// that is d above the two others. The margin of 2 asks for d >= 2 at b's own line and for
// 2 s - d >= 2 at those next to it: of all with s^2 + d^2 / 3 the least has d = 2 and s = 2.
constexpr const char* lines = "a -1\na -1.5\nb 1\nc 3\nc 3.5\n";

Outcome train(const Scratch& scratch, const std::string& solver) {
  scratch.write("lines.txt", lines);
  scratch.write("old.json", R"({
    "dataset": {"use": "old_lines", "train": "lines.txt"},
    "features": "old_blocks", "loss": {"use": "old_cost", "cost": 2}, "oracle": "old_argmax",
    "solver": {"use": ")" + solver +
                                R"(", "C": 1000, "relative_gap": 1e-7}})");
  return scratch.sculpt(with_test_plugins({"train", "old.json", "--output", solver}));
}

}  // namespace

TEST_CASE("a plugin built with the headers of 0.1 is trained to the optimum by each solver") {
  const Scratch scratch;
  for (const char* solver : {"n_slack", "one_slack"}) {
    const Outcome outcome = train(scratch, solver);
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    const Json finished = scratch.finished(solver);
    CHECK(finished["certified"] == true);
    CHECK(finished["primal"].get<double>() == doctest::Approx(16.0 / 3).epsilon(1e-6));
    const std::vector<double> w = weights_of(scratch.read(std::string(solver) + "/model.sculpt"));
    const std::vector<double> best = {-2, -2.0 / 3, 0, 4.0 / 3, 2, -2.0 / 3};
    REQUIRE(w.size() == best.size());
    for (std::size_t j = 0; j < w.size(); ++j) CHECK(std::abs(w[j] - best[j]) < 2e-3);
  }
}

TEST_CASE(
    "a model of a plugin built with the headers of 0.1 needs neither its data nor its labels") {
  const Scratch scratch;
  REQUIRE(train(scratch, "n_slack").exit == 0);
  fs::remove(scratch / "lines.txt");
  scratch.write("new.txt", "a 1.2\na 4\na -7\n");
  const std::map<std::string, std::string> path = {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}};
  const Outcome predicted = scratch.sculpt({"predict", "n_slack", "new.txt"}, path);
  INFO(predicted.err);
  CHECK(predicted.exit == 0);
  CHECK(predicted.out == "b\nc\na\n");
  const Outcome described = scratch.sculpt({"describe", "n_slack"}, path);
  CHECK(described.out.find("slope of c") != std::string::npos);
}
