// The section "kernel" of an experiment: read, overridden, resolved, and refused with its position.

#include "experiment/kernel_use.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/refusal.hpp"
#include "experiment/experiment.hpp"
#include "experiment/kernel_keys.hpp"

using namespace sculpt::core;

namespace {

using Json = nlohmann::ordered_json;

// Kernels of the host have their own keys; rbf has gamma and linear has none.
bool declares_kernel_key(const std::string& section, const std::string& use,
                         const std::string& key) {
  if (section != "kernel") return true;
  const HostKernel* const host = find_host_kernel(use);
  if (host == nullptr) return use == "rbf" && key == "gamma";
  return std::any_of(host->keys.begin(), host->keys.end(),
                     [&](const sculpt_parameter& entry) { return key == entry.name; });
}

// The kernel has a line of its own.
std::string text_with(const std::string& kernel) {
  return "{\"dataset\": {\"use\": \"d\", \"train\": \"t\"}, \"features\": \"f\", \"loss\": \"l\", "
         "\"oracle\": \"o\",\n\"kernel\": " +
         kernel + ",\n\"solver\": \"s\"}";
}

Experiment read_kernel_experiment(const std::string& kernel,
                                  const std::vector<std::string>& sets = {}) {
  return Experiment(JsonDocument::parse(text_with(kernel), {"x.json", "/data"}),
                    parse_overrides(sets), declares_kernel_key);
}

std::string refused_kernel(const std::string& kernel, const std::vector<std::string>& sets = {}) {
  const Refusal refusal = refusal_of([&] { read_kernel_experiment(kernel, sets); });
  CHECK((refusal.exit == Exit::reached || refusal.exit == Exit::config));
  return refusal.text;
}

// The kernel as config.json has it.
std::string resolved_kernel(const std::string& kernel, const std::vector<std::string>& sets = {}) {
  return read_kernel_experiment(kernel, sets).resolved({}).value("kernel", Json()).dump();
}

const std::string tree = R"({"use": "sum", "weights": [1, 0.5], "members": [
  {"use": "normalized", "of": {"use": "product", "members": ["linear", "./k.so#rbf"]}},
  {"use": "rbf", "gamma": 2}]})";

// A kernel of `levels` levels.
std::string nested(int levels) {
  std::string text = "\"rbf\"";
  for (int k = 1; k < levels; ++k) text = "{\"use\": \"normalized\", \"of\": " + text + "}";
  return text;
}

}  // namespace

TEST_CASE("an experiment has no kernel, or one component as its kernel") {
  CHECK_FALSE(read_kernel_experiment("null").kernel);
  CHECK_FALSE(Experiment(JsonDocument::parse(
                             R"({"dataset": {"use": "d", "train": "t"}, "features": "f",
                                 "loss": "l", "oracle": "o", "solver": "s"})",
                             {"x.json", "/data"}),
                         {}, declares_kernel_key)
                  .kernel);
  const Experiment bare = read_kernel_experiment("\"rbf\"");
  REQUIRE(bare.kernel);
  CHECK(bare.kernel->rule == KernelRule::component);
  CHECK(bare.kernel->text == "rbf");
  REQUIRE(bare.kernel->component);
  CHECK(bare.kernel->component->kind == "kernel");
  CHECK(bare.kernel->component->use == "rbf");
  const Experiment with_keys = read_kernel_experiment(R"({"use": "rbf", "gamma": 0.05})");
  CHECK(with_keys.kernel->component->keys.json().dump() == R"({"gamma":0.05})");
  CHECK(with_keys.kernel->component->keys.position("/gamma").text() == "x.json:2:35");
  CHECK(with_keys.kernel->use_position.text() == "x.json:2:19");
  CHECK(with_keys.kernel->text == R"({"use":"rbf","gamma":0.05})");
}

TEST_CASE("kernels of the host are trees, whose leaves keep the order of the experiment") {
  const Experiment experiment = read_kernel_experiment(tree);
  const KernelUse& sum = *experiment.kernel;
  CHECK(sum.rule == KernelRule::sum);
  CHECK_FALSE(sum.component);
  CHECK(sum.weights == std::vector<double>{1, 0.5});
  REQUIRE(sum.members.size() == 2);
  CHECK(sum.members[0].rule == KernelRule::normalized);
  REQUIRE(sum.members[0].members.size() == 1);
  CHECK(sum.members[0].members[0].rule == KernelRule::product);
  CHECK(sum.members[0].members[0].members.size() == 2);
  std::vector<std::string> leaves;
  for (const Section* leaf : leaves_of(sum)) leaves.push_back(leaf->use);
  CHECK(leaves == std::vector<std::string>{"linear", "/data/k.so#rbf", "rbf"});
}

TEST_CASE("an experiment with a kernel is resolved and read back as the same experiment") {
  const std::string text = read_kernel_experiment(tree).resolved({}).dump(2);
  const JsonDocument document = JsonDocument::parse(text, {"elsewhere/config.json", "/elsewhere"});
  const Experiment second(document, {}, declares_kernel_key);
  CHECK(second.resolved({}).dump(2) == text);
  CHECK(second.kernel->weights == std::vector<double>{1, 0.5});
  CHECK(resolved_kernel(tree) ==
        R"({"use":"sum","members":[{"use":"normalized","of":{"use":"product","members":)"
        R"([{"use":"linear"},{"use":"/data/k.so#rbf"}]}},{"use":"rbf","gamma":2}],)"
        R"("weights":[1.0,0.5]})");
  CHECK(resolved_kernel(R"({"use": "sum", "weights": null, "members": ["rbf"]})") ==
        R"({"use":"sum","members":[{"use":"rbf"}]})");
  CHECK(resolved_kernel("null") == "null");
}

TEST_CASE("the leaves of a kernel are resolved between the oracles and the solver") {
  std::vector<std::string> uses;
  read_kernel_experiment(tree).resolved([&](const Section& section, std::size_t position) {
    CHECK(position == uses.size());
    uses.push_back(section.use);
    return section.keys.json();
  });
  CHECK(uses ==
        std::vector<std::string>{"d", "f", "l", "o", "linear", "/data/k.so#rbf", "rbf", "s"});
}

TEST_CASE("a model keeps the kernel without paths, and refuses to change it") {
  const Json config = read_kernel_experiment(tree).resolved_for_model({});
  CHECK(config["kernel"]["members"][0]["of"]["members"][1]["use"] == "rbf");
  const Experiment from_model = Experiment::from_json(config, "m.sculpt");
  CHECK(from_model.resolved_for_model({}) == config);
  CHECK_FALSE(read_kernel_experiment("null").resolved_for_model({}).contains("kernel"));
  for (const std::string set : {"kernel=rbf", "kernel=null", "kernel.members.1.gamma=3"}) {
    const Refusal refusal = refusal_of([&] {
      Experiment::from_json(config, "m.sculpt", parse_overrides({set}), declares_kernel_key);
    });
    CHECK(refusal.exit == Exit::config);
    CHECK(refusal.text == "--set " + set + ": \"" + set.substr(0, set.find('=')) +
                              "\" cannot be changed once a model is trained; only the keys of "
                              "\"dataset\" and \"oracle\" can, and the file of a kernel");
  }
  const Experiment other_oracle = Experiment::from_json(
      config, "m.sculpt", parse_overrides({"oracle=icm"}), declares_kernel_key);
  CHECK(leaves_of(*other_oracle.kernel).size() == 3);
  Json forged = config;
  forged["kernel"]["members"][1]["use"] = "/tmp/evil.so#rbf";
  CHECK(refusal_of([&] { Experiment::from_json(forged, "m.sculpt"); }).text ==
        "m.sculpt: the config of a model must not name the library \"/tmp/evil.so#rbf\"");
}

TEST_CASE("--set reaches every level of a kernel") {
  CHECK(resolved_kernel("null", {"kernel=rbf"}) == R"({"use":"rbf"})");
  CHECK(resolved_kernel("\"rbf\"", {"kernel=null"}) == "null");
  CHECK(resolved_kernel("\"rbf\"", {"kernel.gamma=0.1"}) == R"({"use":"rbf","gamma":0.1})");
  CHECK(resolved_kernel(R"({"use": "rbf", "gamma": 3})", {"kernel.gamma=null"}) ==
        R"({"use":"rbf"})");
  CHECK(resolved_kernel(R"({"use": "rbf", "gamma": 3})", {"kernel.use=linear"}) ==
        R"({"use":"linear"})");
  CHECK(resolved_kernel(R"({"use": "normalized", "of": "rbf"})", {"kernel.of.gamma=2"}) ==
        R"({"use":"normalized","of":{"use":"rbf","gamma":2}})");
  CHECK(resolved_kernel(R"({"use": "normalized", "of": "rbf"})", {"kernel.of=linear"}) ==
        R"({"use":"normalized","of":{"use":"linear"}})");
  CHECK(resolved_kernel(
            R"({"use": "product", "members": ["rbf", {"use": "normalized", "of": "rbf"}]})",
            {"kernel.members.1.of.gamma=2", "kernel.members.0.use=linear"}) ==
        R"({"use":"product","members":[{"use":"linear"},)"
        R"({"use":"normalized","of":{"use":"rbf","gamma":2}}]})");
  CHECK(resolved_kernel(R"({"use": "sum", "members": ["rbf"], "weights": [2]})",
                        {"kernel.use=product"}) ==
        R"({"use":"product","members":[{"use":"rbf"}]})");
  CHECK(refused_kernel(R"({"use": "sum", "members": ["rbf"]})", {"kernel.members.1.gamma=2"}) ==
        "--set kernel.members.1.gamma=2: \"kernel.members\" is a list of 1; set kernel.members.0 "
        "and so on, or all of it");
  CHECK(refused_kernel("\"rbf\"", {"kernel.of.gamma=2"}) ==
        "--set kernel.of.gamma=2: \"kernel\" has no keys; set all of it");
}

TEST_CASE("a kernel without a usable component is refused with its position") {
  const std::string forms = R"("kernel" must be "name" or {"use": "name", ...}, not )";
  CHECK(refused_kernel("3") == "x.json:2:11: " + forms + "the number 3");
  CHECK(refused_kernel("[\"rbf\"]") == "x.json:2:11: " + forms + "a list");
  CHECK(refused_kernel("{\"gamma\": 1}") ==
        "x.json:2:11: \"kernel\" has no \"use\"; add \"use\": \"name\" of the component");
  CHECK(refused_kernel("\"./k.so\"") ==
        "x.json:2:11: \"./k.so\" names no component; write "
        "\"./k.so#name\"");
  CHECK(refused_kernel(R"({"use": "product", "members": ["rbf", {"gamma": 1}]})") ==
        "x.json:2:49: \"kernel\" has no \"use\"; add \"use\": \"name\" of the component");
  CHECK(refused_kernel(R"({"use": "normalized", "of": null})") == "x.json:2:39: " + forms + "null");
}

TEST_CASE("keys that a kernel of the host does not have, or lacks, are refused") {
  CHECK(refused_kernel(R"({"use": "normalized", "off": "rbf"})") ==
        "x.json:2:33: unknown key \"off\" of normalized, did you mean \"of\"?");
  CHECK(refused_kernel(R"({"use": "sum", "member": ["rbf"]})") ==
        "x.json:2:26: unknown key \"member\" of sum, did you mean \"members\"?");
  CHECK(refused_kernel(R"({"use": "product", "members": ["rbf"], "weights": [1]})")
            .starts_with("x.json:2:50: unknown key \"weights\" of product"));
  CHECK(refused_kernel("\"normalized\"") ==
        "x.json:2:11: the key \"of\" of normalized is missing: the kernel k, as under \"kernel\"");
  CHECK(refused_kernel("\"sum\"").starts_with(
      "x.json:2:11: the key \"members\" of sum is missing: "));
  CHECK(refused_kernel(R"({"use": "product"})")
            .starts_with("x.json:2:11: the key \"members\" of product is missing: "));
}

TEST_CASE("members of a sum or a product that are no kernels are refused") {
  const std::string rule = "must be a list of at least one kernel, not ";
  CHECK(refused_kernel(R"({"use": "sum", "members": []})") ==
        "x.json:2:37: \"members\" of sum " + rule + "an empty list");
  CHECK(refused_kernel(R"({"use": "product", "members": "rbf"})") ==
        "x.json:2:41: \"members\" of product " + rule + "the text \"rbf\"");
}

TEST_CASE("weights of a sum must be positive, one for each member") {
  const auto with_weights = [](const std::string& weights) {
    return refused_kernel(R"({"use": "sum", "members": ["rbf", "linear"], "weights": )" + weights +
                          "}");
  };
  CHECK(with_weights("[0.5, 2]") == "(accepted)");
  CHECK(with_weights("[1]") ==
        "x.json:2:67: \"weights\" of sum has 1 number for 2 members; give "
        "one for each member");
  CHECK(with_weights("[]").starts_with("x.json:2:67: \"weights\" of sum has 0 numbers for 2 "));
  const std::string range = " of \"weights\" must be a number from 1e-100 to 1e+100, not the ";
  CHECK(with_weights("[1, 0]") == "x.json:2:71: item 2" + range + "number 0");
  CHECK(with_weights("[1, -2]") == "x.json:2:71: item 2" + range + "number -2");
  CHECK(with_weights("[\"inf\", 1]").starts_with("x.json:2:68: item 1" + range));
  CHECK(with_weights("2").starts_with("x.json:2:67: \"weights\" must be a list"));
}

TEST_CASE("kernels may have 16 levels") {
  CHECK(refused_kernel(nested(16)) == "(accepted)");
  CHECK(refused_kernel(nested(17)) ==
        "x.json:2:" + std::to_string(11 + 16 * 28) + ": kernels are nested deeper than 16 levels");
}
