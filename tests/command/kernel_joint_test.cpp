// Joint kernels k((x, y), (x', y')): the atoms are pairs of an input and an output, so kernels and
// features need no more than rows (plugins/joint.cpp). The same optima come from runs that know how
// the kernel is made.

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

constexpr int outputs = 3;

// The rows of class_rows(), as lines of the dataset pairs.
std::string pair_text(bool is_labelled = true) {
  std::string text;
  const auto rows = class_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += is_labelled ? std::to_string(i % outputs) : "?";
    for (const double x : rows[i]) text += " " + number(x);
    text += "\n";
  }
  return text;
}

Json joint_experiment(Json kernel, bool is_squared = false) {
  Json experiment = experiment_of("pairs", pair_text(), "joint", "zero_one", "enumerate");
  experiment["plugin_path"] = {SCULPT_TEST_PLUGINS};
  experiment["dataset"].update({{"inputs", 3}, {"outputs", outputs}, {"squared", is_squared}});
  if (!kernel.is_null()) experiment["kernel"] = std::move(kernel);
  experiment["solver"]["relative_gap"] = 1e-10;
  return experiment;
}

Json pair_product(const std::vector<double>& of_outputs) {
  return {{"use", "pair_product"}, {"gamma", 0.5}, {"outputs", of_outputs}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a joint kernel that is K_x times equal outputs has the optimum of multiclass with K_x") {
  const Scratch scratch;
  const Json joint =
      trained(scratch, joint_experiment(pair_product({1, 0, 0, 0, 1, 0, 0, 0, 1})), "joint");
  Json known = with(multiclass_experiment(), "/kernel", rbf(0.5));
  known["solver"]["relative_gap"] = 1e-10;
  check_same_optimum(joint, trained(scratch, known, "multiclass"), 1e-8);
  CHECK(joint["certified"] == true);

  // Prediction without the training data gives the classes of multiclass, which count from 1.
  scratch.write("new.txt", pair_text(false));
  scratch.write("new.svmlight", class_text(class_rows()));
  const Outcome of_pairs = scratch.sculpt({"predict", "joint", "new.txt"},
                                          {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}});
  const Outcome of_classes = scratch.sculpt({"predict", "multiclass", "new.svmlight"});
  INFO(of_pairs.err);
  REQUIRE(of_pairs.exit == 0);
  REQUIRE(of_classes.exit == 0);
  const auto pairs = lines_of(of_pairs.out);
  const auto classes = lines_of(of_classes.out);
  REQUIRE(pairs.size() == class_rows().size());
  REQUIRE(classes.size() == pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    CHECK(std::to_string(std::stoi(pairs[i]) + 1) == classes[i]);
  }
}

TEST_CASE("a joint kernel with attributes of outputs has the optimum of taxonomy with K_x") {
  // The classes 1 and 2 lie below node 4, so their kernel of outputs counts one common node.
  const Scratch scratch;
  const Json joint =
      trained(scratch, joint_experiment(pair_product({2, 1, 0, 1, 2, 0, 0, 0, 1})), "joint");
  Json known = with(multiclass_experiment(), "/kernel", rbf(0.5));
  known["features"] = {{"use", "taxonomy"}, {"nodes", {"1 4", "2 4", "4 0", "3 0"}}};
  known["solver"]["relative_gap"] = 1e-10;
  check_same_optimum(joint, trained(scratch, known, "taxonomy"), 1e-8);
}

TEST_CASE("a polynomial joint kernel of degree 2 has the optimum of its explicit expansion") {
  const Scratch scratch;
  const Json kernel = {{"use", "polynomial"}, {"gamma", 1}, {"coef0", 1}, {"degree", 2}};
  const Json joint = trained(scratch, joint_experiment(kernel), "joint");
  check_same_optimum(joint, trained(scratch, joint_experiment(nullptr, true), "expanded"), 1e-8);
}

TEST_CASE("check takes pairs as rows: psi is linear in them, and the kernel keeps its promises") {
  const Scratch scratch;
  Json experiment = joint_experiment(pair_product({2, 1, 0, 1, 2, 0, 0, 0, 1}));
  scratch.write("joint.json", experiment.dump());
  const Outcome checked = scratch.sculpt({"check", "joint.json", "--level", "1", "--json"});
  const Json report = Json::parse(checked.out);
  INFO(report.dump(2));
  CHECK(checked.exit == 0);
  int passed = 0;
  for (const Json& test : report["tests"]) {
    const std::string name = test["name"];
    const bool is_of_kernel = name.starts_with("kernel.") || name == "features.row_blocks";
    passed += is_of_kernel && test["verdict"] == "pass" ? 1 : 0;
  }
  CHECK(passed == 10);
}
