// Assembly finds the leaves of a kernel, checks their keys, and restores their states.

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"
#include "launch/assembly.hpp"
#include "launch/component_search.hpp"
#include "launch/run_identity.hpp"

using namespace sculpt::core;

namespace {

using Json = nlohmann::ordered_json;

// The stubs of tests/abi.
Registry stub_registry() {
  return Registry({{std::filesystem::path(SCULPT_STUB_FOLDER)}, "/", {}});
}

const std::string kernel_tree = R"({"use": "sum", "weights": [1, 0.5], "members": [
  {"use": "normalized", "of": {"use": "point_kernel", "form": "product"}},
  {"use": "point_kernel", "width": 3}]})";

Experiment experiment_with(const std::string& kernel, Registry& registry) {
  const std::string text =
      R"({"dataset": {"use": "points", "train": {"text": "1 0.5\n0 1.5\n"}},
"features": "sequence", "loss": "count_errors", "oracle": "brute_force", "solver": "n_slack",
"kernel": )" +
      kernel + "}";
  return Experiment(JsonDocument::parse(text, {"x.json", "/data"}), {}, declared_in(registry));
}

std::string refused_kernel(const std::string& kernel) {
  Registry registry = stub_registry();
  const Experiment experiment = experiment_with(kernel, registry);
  const Refusal refusal = refusal_of([&] { Assembly(experiment, registry); });
  CHECK((refusal.exit == Exit::reached || refusal.exit == Exit::config));
  return refusal.text;
}

// A model of the experiment with these states.
ModelFile model_of(const test::ScratchFolder& folder, const Assembly& assembly,
                   const std::map<std::string, std::string>& states) {
  const ChosenSolver solver(assembly.experiment().solver);
  const Json header = RunIdentity(assembly, solver).model_header(Json::object());
  const std::filesystem::path path = folder.path() / "model.sculpt";
  write_model(path, {header, Vector(2, 0.0), states});
  return ModelFile(path);
}

std::vector<std::string> kinds_of(const Json& components) {
  std::vector<std::string> kinds;
  for (const Json& component : components) kinds.push_back(component["kind"]);
  return kinds;
}

const std::vector<std::string> kinds_of_tree{"dataset", "features", "loss",
                                             "oracle",  "kernel",   "kernel"};

}  // namespace

TEST_CASE("the leaves of a kernel are found, checked, and listed after the oracles") {
  Registry registry = stub_registry();
  const Assembly assembly(experiment_with(kernel_tree, registry), registry);
  CHECK(kinds_of(assembly.components()) == kinds_of_tree);
  CHECK(assembly.components()[5]["id"] == "org.sculpt.stub.point_kernel");
  CHECK(assembly.libraries().contains("org.sculpt.stub.point_kernel"));
  CHECK(assembly.parameters(4).resolved().dump() == R"({"form":"product","width":1.0})");
  CHECK(assembly.parameters(5).resolved().dump() == R"({"form":"gaussian","width":3.0})");

  const ProblemSpec spec = assembly.problem_spec({});
  CHECK(spec.oracles.size() == 1);
  REQUIRE(spec.kernel);
  CHECK(spec.kernel->rule == KernelRule::sum);
  CHECK(spec.kernel->weights == std::vector<double>{1, 0.5});
  CHECK(spec.kernel->position == "x.json:3:19");
  REQUIRE(spec.kernel->members.size() == 2);
  const KernelSpec& normalized = spec.kernel->members[0];
  CHECK(normalized.rule == KernelRule::normalized);
  CHECK_FALSE(normalized.component);
  REQUIRE(normalized.members.size() == 1);
  const KernelSpec& product = normalized.members[0];
  REQUIRE(product.component);
  CHECK(product.component->description->kind == SCULPT_KIND_KERNEL);
  CHECK(std::string(product.component->parameters[0].text) == "product");
  const KernelSpec& gaussian = spec.kernel->members[1];
  REQUIRE(gaussian.component);
  CHECK(gaussian.component->parameters[1].real == 3);
  CHECK(gaussian.component->position == gaussian.position);
  CHECK(gaussian.component->keys[0].position == "x.json:5:36");
}

TEST_CASE("an experiment without a kernel has none in its problem, its config and its components") {
  Registry registry = stub_registry();
  const Assembly assembly(experiment_with("null", registry), registry);
  CHECK_FALSE(assembly.problem_spec({}).kernel);
  CHECK(assembly.components().size() == 4);
  const ChosenSolver solver(assembly.experiment().solver);
  const RunIdentity identity(assembly, solver);
  CHECK_FALSE(identity.config().contains("kernel"));
  CHECK_FALSE(identity.model_header(Json::object())["config"].contains("kernel"));
}

TEST_CASE("the config of a run has the defaults of the leaves, and the solver its own keys") {
  Registry registry = stub_registry();
  const Assembly assembly(experiment_with(kernel_tree, registry), registry);
  const ChosenSolver solver(assembly.experiment().solver);
  const Json config = RunIdentity(assembly, solver).config();
  CHECK(config["kernel"]["members"][0]["of"]["width"] == 1.0);
  CHECK(config["kernel"]["members"][1]["form"] == "gaussian");
  CHECK(config["solver"].contains("relative_gap"));
}

TEST_CASE("leaves that do not exist, and keys that they do not have, are refused with a position") {
  CHECK(refused_kernel("\"point_kernell\"")
            .starts_with("x.json:3:11: no kernel is called \"point_kernell\"; did you mean "
                         "\"point_kernel\"?"));
  CHECK(refused_kernel("\"hamming\"").starts_with("x.json:3:11: no kernel is called \"hamming\""));
  CHECK(refused_kernel(R"({"use": "product", "members": ["point_kernel", "points"]})")
            .starts_with("x.json:3:58: \"points\" is of the kind dataset, not kernel"));
  CHECK(refused_kernel(R"({"use": "normalized", "of": {"use": "point_kernel", "widht": 1}})") ==
        "x.json:3:63: unknown key \"widht\" of point_kernel, did you mean \"width\"?");
  CHECK(refused_kernel(R"({"use": "point_kernel", "width": -1})")
            .starts_with("x.json:3:44: \"width\" must be "));
}

TEST_CASE("a model with a kernel needs support atoms") {
  Registry registry = stub_registry();
  const test::ScratchFolder folder;
  const Assembly trained(experiment_with(kernel_tree, registry), registry);
  const ModelFile model = model_of(folder, trained, {});
  const Refusal refusal = refusal_of([&] { Assembly(model, {}, registry, {}); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("has no support atoms; the model is damaged"));
}

TEST_CASE("a model gives each leaf of its kernel the state with its name") {
  Registry registry = stub_registry();
  const test::ScratchFolder folder;
  const Assembly trained(experiment_with(kernel_tree, registry), registry);
  const ModelFile model = model_of(
      folder, trained, {{"oracle", "O"}, {"kernel 1", "K"}, {support_atoms_name, "atoms"}});
  CHECK(kinds_of(model.header()["components"]) == kinds_of_tree);
  const auto check_states = [](const Assembly& assembly) {
    const ProblemSpec spec = assembly.problem_spec({});
    REQUIRE(spec.kernel);
    CHECK(spec.support_atoms == "atoms");
    CHECK_FALSE(spec.kernel->members[0].members[0].component->state);
    CHECK(spec.kernel->members[1].component->state == "K");
    CHECK(spec.kernel->members[1].component->state_file.ends_with("model.sculpt"));
    return spec;
  };
  const auto no_warning = [](const std::string& text) { FAIL(text); };
  CHECK(check_states(Assembly(model, {}, registry, no_warning)).oracles[0].state == "O");
  CHECK(check_states(Assembly(trained.experiment(), model, registry)).oracles[0].state == "O");

  // Two oracles in place of one move the kernel in the list of components.
  const auto two = parse_overrides({R"(oracle=["brute_force", "brute_force"])"});
  const ProblemSpec spec = check_states(Assembly(model, two, registry, no_warning));
  REQUIRE(spec.oracles.size() == 2);
  CHECK(spec.oracles[0].state == "O");
  CHECK_FALSE(spec.oracles[1].state);
}

TEST_CASE("a model whose list of components lacks a leaf of its kernel is damaged") {
  Registry registry = stub_registry();
  const test::ScratchFolder folder;
  const Assembly trained(experiment_with(kernel_tree, registry), registry);
  const ChosenSolver solver(trained.experiment().solver);
  Json header = RunIdentity(trained, solver).model_header(Json::object());
  header["components"].erase(5);
  const std::filesystem::path path = folder.path() / "model.sculpt";
  write_model(path, {header, Vector(2, 0.0), {}});
  const ModelFile model(path);
  const Refusal refusal = refusal_of([&] { Assembly(model, {}, registry, {}); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("names other components than its config; the model is damaged"));
}
