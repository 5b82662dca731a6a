// sculpt describe: what works with what, and all that it prints as JSON.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Json described(const Scratch& scratch, std::vector<std::string> words) {
  words.insert(words.begin(), "describe");
  words.emplace_back("--json");
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  return Json::parse(outcome.out);
}

bool has(const Json& list, const Json& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// The entry of a list with this value of a key; null if there is none.
Json entry_of(const Json& list, const char* key, const std::string& value) {
  for (const Json& entry : list) {
    if (entry.at(key) == value) return entry;
  }
  return {};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = text.find('\n', from);
    lines.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("describe: features are shown with what works with them") {
  const Scratch scratch;
  const Json json = described(scratch, {});
  const Json chain = entry_of(json["tasks"], "features", "chain");
  CHECK(has(chain["datasets"], "letters"));
  CHECK(has(chain["losses"], "hamming"));
  CHECK(has(chain["oracles"], "viterbi"));
  CHECK(chain["any_map_solver"] == true);
  CHECK(chain["kernels"] == true);
  const Json grammar = entry_of(json["tasks"], "features", "grammar");
  CHECK(grammar["datasets"] == Json({"trees"}));
  CHECK(has(grammar["oracles"], "grammar"));
  CHECK(grammar["any_map_solver"] == false);
  // All features, and each name is that of a component.
  for (const Json& component : json["components"]) {
    if (component["kind"] != "features") continue;
    const Json task = entry_of(json["tasks"], "features", component["name"]);
    REQUIRE(task.is_object());
    CHECK(task["datasets"].size() >= 1);
    CHECK(task["oracles"].size() >= 1);
    for (const char* list : {"datasets", "losses", "oracles"}) {
      for (const Json& name : task[list]) {
        CHECK(entry_of(json["components"], "name", name).is_object());
      }
    }
  }
  CHECK(entry_of(json["parts"], "name", "n_slack")["kind"] == "solver");
  CHECK(json["search_path"].size() >= 1);
}

TEST_CASE("describe: what works together is grouped by the tasks of train --task") {
  const Scratch scratch;
  const Json json = described(scratch, {});
  const std::vector<std::string> lines = lines_of(scratch.sculpt({"describe"}).out);
  // The tasks that --task knows, in its own words: "  tagging   a label ..." of its message.
  const Outcome unknown = scratch.sculpt({"train", "--task", "no-such-task", "x"});
  std::size_t count = 0;
  for (const std::string& line : lines_of(unknown.err)) {
    if (!line.starts_with("  ")) continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    const std::string summary = line.substr(line.find_first_not_of(' ', 2 + name.size()));
    CHECK(has(Json(lines), "  " + name + ": " + summary));
    CHECK(entry_of(json["tasks"], "task", name).is_object());
    ++count;
  }
  CHECK(count == 12);
  // Features graph serve two tasks, each with its own dataset. Arrays of programs serve all.
  CHECK(entry_of(json["tasks"], "task", "grid")["features"] == "graph");
  CHECK(entry_of(json["tasks"], "task", "grid")["datasets"] == Json({"arrays", "grid"}));
  CHECK(entry_of(json["tasks"], "task", "graph")["datasets"] == Json({"arrays", "graph"}));
  // The letters have no task of their own, but its features.
  CHECK(entry_of(json["tasks"], "task", "tagging")["datasets"] ==
        Json({"arrays", "conll", "crfsuite", "letters"}));
  CHECK(entry_of(json["tasks"], "features", "taxonomy")["task"] == nullptr);
  const auto other =
      std::find(lines.begin(), lines.end(), "other features, and what is known to work with them");
  REQUIRE(other != lines.end());
  CHECK(std::any_of(other, lines.end(),
                    [](const std::string& line) { return line.starts_with("  taxonomy: "); }));
  const Outcome task = scratch.sculpt({"describe", "tagging"});
  CHECK(task.exit == exit_missing);
  CHECK(contains(task.err, "'tagging' is a task"));
}

TEST_CASE("describe: the summaries of all components begin in one column") {
  const Scratch scratch;
  const Json json = described(scratch, {});
  const std::vector<std::string> lines = lines_of(scratch.sculpt({"describe"}).out);
  std::size_t column = 0;
  for (const Json& component : json["components"]) {
    const auto begin = "  " + component["name"].get<std::string>() + " ";
    const auto summary = component["summary"].get<std::string>();
    const auto line = std::find_if(lines.begin(), lines.end(), [&](const std::string& text) {
      return text.starts_with(begin) && text.ends_with(summary);
    });
    REQUIRE(line != lines.end());
    const std::size_t here = line->size() - summary.size();
    if (column == 0) column = here;
    CHECK(here == column);
  }
}

TEST_CASE("describe: a component, a library and a solver as JSON") {
  const Scratch scratch;
  const Json chain = described(scratch, {"chain"})["components"][0];
  CHECK(chain["id"] == "org.sculpt.chain");
  CHECK(entry_of(chain["parameters"], "name", "order")["default"] == 1);
  CHECK(has(chain["works_with"]["datasets"], "letters"));
  const Json loss = described(scratch, {"hamming"})["components"][0];
  CHECK(has(loss["works_with"]["features"], "chain"));
  CHECK(!has(loss["works_with"]["features"], "grammar"));
  const Json solver = described(scratch, {"n_slack"})["parts"][0];
  CHECK(entry_of(solver["parameters"], "name", "C").is_object());
  const Json library = described(scratch, {"item_losses"})["libraries"][0];
  CHECK(library["components"].size() == 3);
  const Json file = described(scratch, {"item_losses.so#f1"});
  CHECK(file["components"][0]["id"] == "org.sculpt.f1");
  CHECK(contains(scratch.sculpt({"describe", "chain"}).out, "  works with:\n    datasets  "));
  CHECK(contains(scratch.sculpt({"describe", "grammar"}).out, "trees"));
  const Outcome unknown = scratch.sculpt({"describe", "nothing_of_this_name", "--json"});
  CHECK(unknown.exit == 66);
  CHECK(unknown.out.empty());
}

TEST_CASE("describe: a model as JSON has all weights by name, and --top the largest") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const Json json = described(scratch, {"run"});
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  REQUIRE(json["weights"].size() == w.size());
  for (std::size_t k = 0; k < w.size(); ++k) {
    CHECK(json["weights"][k]["weight"] == k);
    CHECK(json["weights"][k]["value"] == w[k]);
    // The header has the names, for readers without plugins.
    CHECK(json["weight_names"][k] == json["weights"][k]["name"]);
  }
  // Two labels and three inputs: input j and label k is weight 2 j + k, then the bias, then
  // transitions.
  CHECK(json["weight_names"][0] == "pixel 0, label a");
  CHECK(json["weight_names"][3] == "pixel 1, label b");
  CHECK(json["weight_names"][6] == "bias, label a");
  CHECK(json["weight_names"][9] == "transition a->b");
  const Json top = described(scratch, {"run", "--top", "2"});
  REQUIRE(top["weights"].size() == 2);
  double largest = 0;
  for (const double weight : w) largest = std::max(largest, std::abs(weight));
  CHECK(std::abs(top["weights"][0]["value"].get<double>()) == largest);
  CHECK(described(scratch, {"run", "--top", "0"})["weights"] == Json::array());
  CHECK(scratch.sculpt({"describe", "run", "--top", "-1"}).exit == 64);
}

TEST_CASE("describe: names of more than a megabyte are made from the state, not stored") {
  const Scratch scratch;
  // 60 words of 10000 letters, with two labels each.
  std::string rows;
  for (char word = 0; word < 60; ++word) {
    rows += std::string(10000, static_cast<char>('A' + word % 26)) + std::to_string(word) +
            (word % 2 == 0 ? " D\n" : " N\n");
  }
  scratch.write("train.txt", rows + "\n");
  scratch.write("x.json", R"({"dataset": {"use": "conll", "columns": ["w"],
    "templates": ["w[0]"], "train": "train.txt"}, "features": "chain", "loss": "hamming",
    "oracle": "viterbi", "solver": {"use": "n_slack", "C": 1}})");
  REQUIRE(scratch.sculpt({"train", "x.json", "--output", "run"}).exit == 0);
  // The state has each word once.
  CHECK(fs::file_size(scratch / "run/model.sculpt") < 700000);
  const Json json = described(scratch, {"run"});
  CHECK(!json.contains("weight_names"));
  REQUIRE(json["weights"].size() == 126);  // 60 words and the bias, and transitions
  CHECK(json["weights"][3]["name"] == "w[0]=" + std::string(10000, 'B') + "1, label N");
}

TEST_CASE("describe: what works with what is the same from libraries without sidecars") {
  const Scratch scratch;
  const fs::path plugins = SCULPT_BUILT_PLUGINS;
  fs::create_directory(scratch / "plugins");
  for (const char* name : {"chain.so", "letters.so", "viterbi.so", "alignment.so", "lp.so"}) {
    fs::copy_file(plugins / name, scratch.folder() / "plugins" / name);
  }
  const Json read = described(scratch, {"--plugin-path", "plugins"});
  CHECK(read["search_path"].size() == described(scratch, {})["search_path"].size() + 1);
  CHECK(read["tasks"] == described(scratch, {})["tasks"]);
}
