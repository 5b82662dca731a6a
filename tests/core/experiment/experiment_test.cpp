// Experiment: reads the sections, applies --set, and writes resolved experiments.

#include "experiment/experiment.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

bool declares_every_key(const std::string&, const std::string&, const std::string&) {
  return true;
}

const std::string small = R"({
  "dataset": {"use": "conll", "train": "a.txt", "columns": 3},
  "features": "chain", "loss": "hamming", "oracle": "viterbi",
  "solver": {"use": "one_slack", "C": 10}
})";

Experiment read(const std::string& text, const std::vector<std::string>& sets = {}) {
  return Experiment(JsonDocument::parse(text, {"configs/tiny.json", "/data"}),
                    parse_overrides(sets), declares_every_key);
}

std::string refused_experiment(const std::string& text, const std::vector<std::string>& sets = {}) {
  const Refusal refusal = refusal_of([&] { read(text, sets); });
  CHECK((refusal.exit == Exit::reached || refusal.exit == Exit::config));
  return refusal.text;
}

}  // namespace

TEST_CASE("a small experiment is read with its defaults") {
  const Experiment experiment = read(small);
  CHECK(experiment.name == "tiny");
  CHECK(experiment.plugin_path.empty());
  CHECK(experiment.dataset.kind == "dataset");
  CHECK(experiment.dataset.use == "conll");
  CHECK(experiment.dataset.keys.json().dump() == R"({"columns":3})");
  CHECK(experiment.dataset.keys.position("/columns").text() == "configs/tiny.json:2:60");
  REQUIRE(experiment.splits.size() == 1);
  CHECK(experiment.splits[0].name == "train");
  CHECK(experiment.splits[0].path == "/data/a.txt");
  CHECK_FALSE(experiment.splits[0].text);
  CHECK(experiment.features.use == "chain");
  CHECK(experiment.features.keys.json().dump() == "{}");
  CHECK(experiment.features.keys.position("/order").text() == "configs/tiny.json:3:15");
  REQUIRE(experiment.oracle.members.size() == 1);
  CHECK(experiment.oracle.members[0].use == "viterbi");
  CHECK(experiment.oracle.members[0].kind == "oracle");
  CHECK(experiment.solver.use_position.text() == "configs/tiny.json:4:21");
  CHECK(experiment.solver.keys.json()["C"] == 10);
  CHECK(experiment.threads == 0);
  CHECK(experiment.seed == 0);
  CHECK(experiment.output.empty());
  CHECK(experiment.checkpoint_seconds == 30);
}

TEST_CASE("all keys of the top level are read") {
  const Experiment experiment = read(R"({
    "$schema": "whatever", "name": "first run", "plugin_path": ["plugins", "/opt/p/"],
    "dataset": {"use": "conll", "train": "a", "validation": {"text": "x y\n"}, "test": "../t"},
    "features": "chain", "loss": "hamming", "oracle": ["icm", {"use": "lp", "cuts": 3}],
    "solver": "one_slack", "threads": 4, "seed": 7, "output": "runs/1",
    "checkpoint_seconds": 0.5})");
  CHECK(experiment.name == "first run");
  CHECK(experiment.plugin_path == std::vector<std::string>{"/data/plugins", "/opt/p"});
  REQUIRE(experiment.splits.size() == 3);
  CHECK(experiment.splits[1].name == "validation");
  CHECK(experiment.splits[1].path == "configs/tiny.json dataset.validation");
  CHECK(experiment.splits[1].text == "x y\n");
  CHECK(experiment.splits[2].path == "/t");
  REQUIRE(experiment.oracle.members.size() == 2);
  CHECK(experiment.oracle.members[0].use == "icm");
  CHECK(experiment.oracle.members[1].keys.json()["cuts"] == 3);
  CHECK(experiment.oracle.members[1].keys.position("/cuts").text() == "configs/tiny.json:4:85");
  CHECK(experiment.threads == 4);
  CHECK(experiment.seed == 7);
  CHECK(experiment.output == "/data/runs/1");
  CHECK(experiment.checkpoint_seconds == 0.5);
}

TEST_CASE("--set changes an experiment, and its paths are relative to the working directory") {
  const Experiment experiment =
      read(small, {"dataset.train=b.txt", "output=out", "threads=2", "checkpoint_seconds=inf"});
  const std::filesystem::path here = std::filesystem::current_path();
  CHECK(experiment.splits[0].path == (here / "b.txt").string());
  CHECK(experiment.output == (here / "out").string());
  CHECK(experiment.threads == 2);
  CHECK(std::isinf(experiment.checkpoint_seconds));
}

TEST_CASE("a bad value of --set is refused with the option in front of the message") {
  CHECK(refused_experiment(small, {"threads=many"}) ==
        "--set threads=many: \"threads\" must be a whole number from 0 to 4096, not the "
        "text \"many\"");
  CHECK(refused_experiment(small, {"sovler.C=1"}) ==
        "--set sovler.C=1: unknown key \"sovler\" of the experiment, did you mean \"solver\"?");
}

TEST_CASE("a variable in an overridden value need not be set") {
  const std::string text = R"({"dataset": {"use": "conll", "train": "${env:SCULPT_TEST_UNSET}/a"},
    "features": "chain", "loss": "hamming", "oracle": "viterbi", "solver": "one_slack"})";
  CHECK(refused_experiment(text) ==
        "configs/tiny.json:1:39: the environment variable SCULPT_TEST_UNSET is not set; set it, or "
        "write ${env:SCULPT_TEST_UNSET:default}");
  CHECK(read(text, {"dataset.train=/x"}).splits[0].path == "/x");
}

TEST_CASE("an unknown key of the top level is refused with the nearest") {
  CHECK(refused_experiment("{\n \"lose\": \"hamming\"}") ==
        "configs/tiny.json:2:2: unknown key \"lose\" of the experiment, did you mean \"loss\"?");
}

TEST_CASE("a missing section is refused") {
  CHECK(refused_experiment(
            R"({"dataset": "conll", "features": "chain", "oracle": "viterbi", "solver": "x"})") ==
        "configs/tiny.json:1:1: the key \"loss\" of the experiment is missing: what a "
        "wrong output costs");
}

TEST_CASE("an experiment that is not an object is refused") {
  CHECK(refused_experiment("[1]") ==
        "configs/tiny.json:1:1: an experiment is an object { ... }, not a list");
  CHECK(refused_experiment("5", {"a.b=1"}) ==
        "configs/tiny.json:1:1: an experiment is an object { ... }, not the number 5");
}

TEST_CASE("a section without a usable component is refused") {
  const auto with_loss = [](const std::string& loss) {
    return refused_experiment(
        "{\"dataset\": {\"use\": \"d\", \"train\": \"t\"}, \"features\": \"f\",\n\"loss\": " +
        loss + ", \"oracle\": \"o\", \"solver\": \"s\"}");
  };
  const std::string at = "configs/tiny.json:2:";
  CHECK(with_loss("\"hamming\"") == "(accepted)");
  CHECK(with_loss("3") == at + "9: \"loss\" must be \"name\" or {\"use\": \"name\", ...}, not the "
                               "number 3");
  CHECK(with_loss("[\"a\"]") ==
        at + "9: \"loss\" must be \"name\" or {\"use\": \"name\", ...}, not a list");
  CHECK(with_loss("{\"beta\": 1}") ==
        at + "9: \"loss\" has no \"use\"; add \"use\": \"name\" of the component");
  CHECK(with_loss("{\"use\": 1}") ==
        at + "17: \"use\" must be the name of a component in double quotes, not the number 1");
  const std::string forms =
      "; it must name a component: \"viterbi\", \"org.sculpt.viterbi\" or \"file.so#viterbi\"";
  CHECK(with_loss("\"\"") == at + "9: \"use\" is \"\"" + forms);
  CHECK(with_loss("\"x.so#\"") == at + "9: \"use\" is \"x.so#\"" + forms);
  CHECK(with_loss("\"#x\"") == at + "9: \"use\" is \"#x\"" + forms);
  CHECK(with_loss("\"./x.so\"") == at + "9: \"./x.so\" names no component; write \"./x.so#name\"");
}

TEST_CASE("an empty list of oracles is refused") {
  CHECK(refused_experiment(small, {"oracle=[]"}) ==
        "--set oracle=[]: \"oracle\" is an empty list; name at least one oracle");
}

TEST_CASE("libraries with a path are relative to the experiment, names without a path are kept") {
  CHECK(read(small, {"loss=hamming"}).loss.use == "hamming");
  const std::string text = R"({"dataset": {"use": "../lib/d.so#conll", "train": "t"},
    "features": "f.so#chain", "loss": "org.sculpt.hamming", "oracle": "viterbi", "solver": "s"})";
  const Experiment experiment = read(text, {"oracle=./o.so#viterbi"});
  CHECK(experiment.dataset.use == "/lib/d.so#conll");
  CHECK(experiment.features.use == "f.so#chain");
  CHECK(experiment.loss.use == "org.sculpt.hamming");
  CHECK(experiment.oracle.members[0].use ==
        (std::filesystem::current_path() / "o.so#viterbi").string());
}

TEST_CASE("bad splits of a dataset are refused") {
  const auto with_dataset = [](const std::string& keys) {
    return refused_experiment(
        "{\"dataset\": {\"use\": \"d\"" + keys +
        "}, \"features\": \"f\", \"loss\": \"l\", \"oracle\": \"o\", \"solver\": \"s\"}");
  };
  const std::string at = "configs/tiny.json:1:";
  CHECK(with_dataset("") == at + "13: \"train\" of the dataset is missing; write \"train\": \"path "
                                 "of the training data\"");
  CHECK(
      with_dataset(R"(, "test": "t")").starts_with(at + "13: \"train\" of the dataset is missing"));
  CHECK(with_dataset(R"(, "train": "")") ==
        at + "35: \"train\" of the dataset is an empty path; write the path of a file");
  CHECK(with_dataset(R"(, "train": null)") ==
        at +
            "35: \"train\" of the dataset must be a path or {\"text\": \"inline data\"}, not null");
  CHECK(with_dataset(R"(, "train": {})") ==
        at + "35: \"train\" of the dataset is empty; write a path or {\"text\": \"data\"}");
  CHECK(with_dataset(R"(, "train": {"txt": "x"})") ==
        at + "36: unknown key \"txt\" of \"train\" of the dataset, did you mean \"text\"?");
  CHECK(with_dataset(R"(, "train": {"text": 5})") ==
        at + "44: inline data must be text, not the number 5");
  CHECK(with_dataset(R"(, "train": "t", "test": null)") == "(accepted)");
}

TEST_CASE("a name that cannot be a folder is refused") {
  for (const std::string name : {"", ".", "..", ".x", "-x", "a/b", "a\\u0001"}) {
    const std::string text = refused_experiment(small, {"name=\"" + name + "\""});
    CAPTURE(text);
    CHECK(text.ends_with("; it names the folder of the run"));
  }
  CHECK(refused_experiment(small, {"name=a/b"}) ==
        "--set name=a/b: \"name\" contains a \"/\"; it names the folder of the run");
}

TEST_CASE("an experiment from a file without a usable name is called experiment") {
  const JsonDocument document = JsonDocument::parse(small, {"configs/.json", "/"});
  CHECK(Experiment(document, {}, declares_every_key).name == "experiment");
}

TEST_CASE("the plugin path is read before the rest is checked") {
  const JsonDocument document = JsonDocument::parse(
      R"({"plugin_path": ["p"], "nonsense": "${env:SCULPT_TEST_UNSET}"})", {"x.json", "/data"});
  CHECK(plugin_path_of(document, {}) == std::vector<std::string>{"/data/p"});
  const auto overrides = parse_overrides({"nonsense.x=1", "plugin_path=[\"/q\", \"r\"]"});
  const std::string here = std::filesystem::current_path().string();
  CHECK(plugin_path_of(document, overrides) == std::vector<std::string>{"/q", here + "/r"});
  CHECK(plugin_path_of(JsonDocument(), {}).empty());
  CHECK(refusal_of([&] { plugin_path_of(document, parse_overrides({"plugin_path=x"})); }).text ==
        "--set plugin_path=x: \"plugin_path\" must be a list [...], each item a path in double "
        "quotes, not the text \"x\"");
}

TEST_CASE("a resolved experiment is read back as the same experiment") {
  const Experiment first = read(
      R"({"plugin_path": ["p"], "dataset": {"use": "./d.so#conll", "train": "a",
          "test": {"text": "${no variable} \n"}}, "features": "chain", "loss": {"use": "hamming"},
          "oracle": ["icm", {"use": "lp", "cuts": 3}], "solver": {"use": "one_slack", "C": 10}})",
      {"output=out", "seed=9", "checkpoint_seconds=inf"});
  const auto resolve = [](const Section& section, std::size_t) {
    nlohmann::ordered_json keys = section.keys.json();
    if (section.kind == "solver") keys["epsilon"] = 0.5;
    return keys;
  };
  const std::string text = first.resolved(resolve).dump(2);
  // The folder and the file differ. The resolved experiment does not depend on them.
  const JsonDocument document = JsonDocument::parse(text, {"elsewhere/config.json", "/elsewhere"});
  const Experiment second(document, {}, declares_every_key);
  CHECK(second.resolved({}).dump(2) == text);
  CHECK(second.name == "tiny");
  CHECK(second.splits[1].text == "${no variable} \n");
  CHECK(second.dataset.use == "/data/d.so#conll");
  CHECK(second.oracle.members.size() == 2);
  CHECK(second.solver.keys.json()["epsilon"] == 0.5);
  CHECK(std::isinf(second.checkpoint_seconds));
}

TEST_CASE("the config of a model holds no paths and is read back unchanged") {
  const Experiment first = read(small, {"output=out", "threads=3", "oracle=./o.so#viterbi"});
  const nlohmann::ordered_json config = first.resolved_for_model({});
  CHECK(config.dump() ==
        R"({"name":"tiny","dataset":{"use":"conll","columns":3},"features":{"use":"chain"},)"
        R"("loss":{"use":"hamming"},"oracle":{"use":"viterbi"},)"
        R"("solver":{"use":"one_slack","C":10},"seed":0})");
  const Experiment second = Experiment::from_json(config, "m.sculpt");
  CHECK(second.splits.empty());
  CHECK(second.resolved_for_model({}) == config);
}

TEST_CASE("the config of a model that names files is refused") {
  const nlohmann::ordered_json good = read(small).resolved_for_model({});
  const auto refused_model = [&](const std::string& pointer, const std::string& value) {
    nlohmann::ordered_json config = good;
    config[nlohmann::ordered_json::json_pointer(pointer)] = nlohmann::ordered_json::parse(value);
    return refusal_of([&] { Experiment::from_json(config, "m.sculpt"); }).text;
  };
  const std::string paths = "m.sculpt: the config of a model must not contain paths";
  CHECK(refused_model("/plugin_path", R"(["/tmp"])") == paths);
  CHECK(refused_model("/output", R"("/tmp")") == paths);
  CHECK(refused_model("/dataset/train", R"("/etc/passwd")") == paths);
  CHECK(refused_model("/oracle/use", R"("/tmp/evil.so#viterbi")") ==
        "m.sculpt: the config of a model must not name the library \"/tmp/evil.so#viterbi\"");
}
