// The JSON schema that `describe --schema` prints. valijson, an independent validator, applies it.
// The host must accept and refuse the same experiments.

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sculpt/plugin.h>

#include <fstream>
#include <iterator>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "command/host_process.hpp"
#include "command/schema_cases.hpp"

using namespace sculpt::test;

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

class Schema {
 public:
  // The schema that `sculpt describe WORDS... --schema` prints.
  explicit Schema(std::vector<std::string> words = {}) {
    words.insert(words.begin(), "describe");
    words.emplace_back("--schema");
    const Scratch scratch;
    const Outcome outcome = scratch.sculpt(words);
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    CHECK(outcome.err.empty());
    json_ = nlohmann::json::parse(outcome.out);
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(json_), schema_);
  }

  const nlohmann::json& json() const { return json_; }

  // "" if the experiment is valid, else the reason.
  std::string refusal(const nlohmann::json& experiment) const {
    valijson::ValidationResults results;
    valijson::Validator validator;
    if (validator.validate(schema_, Adapter(experiment), &results)) return "";
    std::string text = "refused";
    for (const auto& error : results) text += "; " + error.description;
    return text;
  }
  bool accepts(const nlohmann::json& experiment) const { return refusal(experiment).empty(); }

 private:
  nlohmann::json json_;
  valijson::Schema schema_;
};

const Schema& whole_schema() {
  static const Schema schema({"--plugin-path", SCULPT_TEST_PLUGINS});
  return schema;
}

// Parses JSON and ignores comments, as the host does.
nlohmann::json parse(const std::string& text) {
  return nlohmann::json::parse(text, nullptr, true, true);
}

nlohmann::json small_experiment(const std::string& base) {
  const Scratch scratch;
  if (base == "words") {
    write_small_experiment(scratch);
    return parse(scratch.read("small.json"));
  }
  return parse(R"({"dataset": {"use": "keys", "train": {"text": "0\n1\n1\n"}, "must": "be"},
                   "features": "keys", "loss": "keys", "oracle": "keys", "solver": "n_slack"})");
}

nlohmann::json experiment_of(const Case& one) {
  nlohmann::json experiment = small_experiment(one.base);
  const nlohmann::json::json_pointer pointer(one.pointer);
  if (!one.value.empty()) {
    experiment[pointer] = parse(one.value);
  } else {
    experiment.at(pointer.parent_pointer()).erase(pointer.back());
  }
  return experiment;
}

// True if the host accepts the experiment. Another failure than a refused experiment fails the
// test. 71: the machine lacks what the experiment asks for, such as thousands of threads.
bool host_accepts(const Scratch& scratch, const nlohmann::json& experiment) {
  scratch.write("case.json", experiment.dump());
  const Outcome outcome =
      scratch.sculpt({"train", "case.json", "--output", "run", "--force"},
                     {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}, {"SCULPT_TEST_LOSS", "keys"}});
  INFO(outcome.err);
  CHECK((outcome.exit == 0 || outcome.exit == 3 || outcome.exit == 71 || outcome.exit == 78));
  return outcome.exit != 78;
}

void check_cases(const std::vector<Case>& cases, bool accepted) {
  const Scratch scratch;
  write_small_experiment(scratch);
  for (const Case& one : cases) {
    CAPTURE(one.base);
    CAPTURE(one.pointer);
    CAPTURE(one.value);
    const nlohmann::json experiment = experiment_of(one);
    CHECK(host_accepts(scratch, experiment) == accepted);
    INFO(whole_schema().refusal(experiment));
    CHECK(whole_schema().accepts(experiment) == accepted);
  }
}

// The small experiments that the plugins of a folder hold.
std::vector<std::string> experiments_in(const fs::path& folder) {
  std::vector<std::string> experiments;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".so") continue;
    void* const library = dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != nullptr);
    const auto enter = reinterpret_cast<sculpt_entry_function>(dlsym(library, "sculpt_entry"));
    const sculpt_plugin* const catalogue = enter({SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR});
    experiments.insert(experiments.end(), catalogue->experiments,
                       catalogue->experiments + catalogue->experiment_count);
  }
  return experiments;
}

// Writes a library that cannot be loaded, with a sidecar that lists one loss.
void write_listed(const Scratch& scratch, const std::string& name, const std::string& id) {
  scratch.write(name + ".so", "no library: listing it must not load it");
  scratch.write(name + ".sculpt.json",
                R"({"sculpt_sidecar": 1, "name": "x", "version": "1", "components": [{"id": ")" +
                    id + R"(", "kind": "loss", "version": "1", "summary": "listed"}]})");
}

}  // namespace

TEST_CASE("every experiment of configs/ validates against the schema") {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(SCULPT_TEST_SOURCE "/configs")) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    CHECK(whole_schema().refusal(parse(text)) == "");
    ++count;
  }
  CHECK(count >= 6);
}

TEST_CASE("the small experiments of plugins validate against the schema and train") {
  const Scratch scratch;
  const std::vector<std::string> experiments = experiments_in(SCULPT_BUILT_PLUGINS);
  CHECK(experiments.size() >= 9);
  for (const std::string& text : experiments) {
    CAPTURE(text);
    CHECK(whole_schema().refusal(parse(text)) == "");
    CHECK(host_accepts(scratch, parse(text)));
  }
}

TEST_CASE("schema and host refuse the same sections, splits and keys of the top level") {
  check_cases(refused_sections, false);
}

TEST_CASE("schema and host refuse the same values of parameters") {
  check_cases(refused_values, false);
}

TEST_CASE("schema and host accept the same unusual experiments") {
  check_cases(accepted_cases, true);
}

TEST_CASE("a component of a library that the schema does not know may have any keys") {
  nlohmann::json experiment = small_experiment("words");
  experiment["features"] = {{"use", "mine.so#mine"}, {"window", 3}};
  CHECK(whole_schema().accepts(experiment));
  experiment["dataset"] = {{"use", "./mine.so#mine"}, {"train", "x.txt"}, {"columns", 3}};
  CHECK(whole_schema().accepts(experiment));
  experiment["dataset"].erase("train");
  CHECK_FALSE(whole_schema().accepts(experiment));
}

TEST_CASE("the schema holds the description, the default and the limits of a key") {
  const nlohmann::json& schema = whole_schema().json();
  CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
  const nlohmann::json& keys = schema["definitions"]["dataset.org.test.keys"];
  CHECK(keys["title"] == "keys (dataset)");
  CHECK(keys["description"] == "a parameter of every type\nfor tests");
  CHECK(keys["required"] == nlohmann::json({"use", "must", "train"}));
  CHECK(keys["properties"]["use"]["enum"] == nlohmann::json({"keys", "org.test.keys"}));
  CHECK(keys["properties"]["whole"] == nlohmann::json({{"title", "whole (things)"},
                                                       {"description", "a whole number"},
                                                       {"type", "number"},
                                                       {"multipleOf", 1},
                                                       {"minimum", -2},
                                                       {"maximum", 9},
                                                       {"default", 3}}));
  CHECK(keys["properties"]["rate"]["exclusiveMinimum"] == 0);
  CHECK_FALSE(keys["properties"]["least"].contains("maximum"));
  CHECK_FALSE(keys["properties"]["maybe"].contains("default"));
  const nlohmann::json& seconds =
      schema["definitions"]["solver.n_slack"]["properties"]["max_seconds"];
  CHECK(seconds["title"] == "max_seconds (seconds)");
}

TEST_CASE(
    "the schema accepts components of the same name by id, and refuses those of the same id") {
  const Scratch scratch;
  write_listed(scratch, "one", "org.one.cost");
  write_listed(scratch, "two", "org.two.cost");
  write_listed(scratch, "three", "org.same.price");
  write_listed(scratch, "four", "org.same.price");
  const Schema schema({"--plugin-path", scratch.folder().string()});
  nlohmann::json experiment = small_experiment("words");
  const auto accepts = [&](const char* use) {
    experiment["loss"] = use;
    const bool accepted = schema.accepts(experiment);
    experiment["loss"] = {{"use", use}};
    CHECK(schema.accepts(experiment) == accepted);
    return accepted;
  };
  CHECK(accepts("org.one.cost"));
  CHECK(accepts("org.two.cost"));
  CHECK_FALSE(accepts("cost"));
  CHECK_FALSE(accepts("org.same.price"));
  CHECK_FALSE(accepts("price"));
  CHECK(accepts("three.so#price"));
}

TEST_CASE("describe COMPONENT --schema is the schema of its section") {
  const Schema chain({"chain"});
  CHECK(chain.accepts({{"use", "chain"}, {"bias", false}}));
  CHECK(chain.accepts({{"use", "org.sculpt.chain"}}));
  CHECK_FALSE(chain.accepts({{"use", "multiclass"}}));
  CHECK_FALSE(chain.accepts({{"use", "chain"}, {"biass", false}}));
  const Schema solver({"one_slack"});
  CHECK(solver.accepts({{"use", "one_slack"}, {"C", 5}}));
  CHECK_FALSE(solver.accepts({{"use", "one_slack"}, {"batch", 5}}));
  const Schema task({"org.test.keys", "--plugin-path", SCULPT_TEST_PLUGINS});
  CHECK(task.accepts({{"use", "keys"}}));  // three of its four kinds need no other key
  CHECK(task.accepts({{"use", "keys"}, {"must", "be"}, {"train", "x"}}));
  CHECK_FALSE(task.accepts({{"use", "keys"}, {"must", "be"}}));

  const Scratch scratch;
  const Outcome unknown = scratch.sculpt({"describe", "chian", "--schema"});
  CHECK(unknown.exit == 66);
  CHECK(unknown.err.find("did you mean \"chain\"?") != std::string::npos);
  CHECK(unknown.out.empty());
}

TEST_CASE("the schema knows kernels of libraries, and trees of those that the host makes") {
  const Schema schema({"--plugin-path", SCULPT_STUB_FOLDER});
  nlohmann::json experiment = small_experiment("words");
  const auto accepts = [&](const std::string& kernel) {
    experiment["kernel"] = parse(kernel);
    return schema.accepts(experiment);
  };
  CHECK(accepts("null"));
  CHECK(accepts(R"("point_kernel")"));
  CHECK(accepts(R"({"use": "org.sculpt.stub.point_kernel", "width": 3})"));
  CHECK(accepts(R"("mine.so#mine")"));
  CHECK(accepts(R"({"use": "normalized", "of": {"use": "normalized", "of": "point_kernel"}})"));
  const std::string members =
      R"("members": ["point_kernel", {"use": "product", "members": ["point_kernel"]}])";
  CHECK(accepts(R"({"use": "sum", )" + members + "}"));
  CHECK(accepts(R"({"use": "sum", "weights": [1, 0.5], )" + members + "}"));
  CHECK(accepts(R"({"use": "sum", "weights": null, )" + members + "}"));

  CHECK_FALSE(accepts("3"));
  CHECK_FALSE(accepts(R"(["point_kernel"])"));
  CHECK_FALSE(accepts(R"("hamming")"));
  CHECK_FALSE(accepts(R"({"use": "point_kernel", "widht": 3})"));
  CHECK_FALSE(accepts(R"("normalized")"));
  CHECK_FALSE(accepts(R"({"use": "normalized", "of": null})"));
  CHECK_FALSE(accepts(R"({"use": "normalized", "off": "point_kernel"})"));
  CHECK_FALSE(accepts(R"({"use": "sum", "members": []})"));
  CHECK_FALSE(accepts(R"({"use": "sum", "members": ["point_kernel", 3]})"));
  CHECK_FALSE(accepts(R"({"use": "sum", "weights": [0, 1], )" + members + "}"));
  CHECK_FALSE(accepts(R"({"use": "product", "weights": [1, 1], )" + members + "}"));

  const Schema sum({"sum", "--plugin-path", SCULPT_STUB_FOLDER});
  CHECK(sum.accepts(parse(R"({"use": "sum", )" + members + "}")));
  CHECK_FALSE(sum.accepts(parse(R"({"use": "product", )" + members + "}")));
}
