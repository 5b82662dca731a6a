// Text in files that would control a terminal: escape sequences, C1 controls, marks of writing
// directions, bytes that are no UTF-8. Reports and messages show it, and do not send it.

#include <doctest/doctest.h>

#include <cstdlib>

#include "base/text/message_text.hpp"
#include "command/forged_run.hpp"
#include "command/host_process.hpp"
#include "core/json_changes.hpp"
#include "run/checkpoint.hpp"

using namespace sculpt::test;
namespace core = sculpt::core;

namespace {

using Words = std::vector<std::string>;

// Clears the screen, rings, sets a colour by C1, turns the direction, forges a line.
const std::string hostile =
    "\x1b[2J\x07\xc2\x9b"
    "31m\xe2\x80\xae\xd8\x9c\x7f\xe2\x80\x8f\nforged: certified";
const std::string no_utf8 = "\xff\xfe\x9b";

// True if a terminal shows the text and does nothing else.
bool is_safe(const std::string& text) {
  return core::printable_lines(text) == text && !contains(text, "\nforged");
}

void check_safe(const Outcome& outcome) {
  CAPTURE(outcome.out);
  CAPTURE(outcome.err);
  CHECK(is_safe(outcome.out));
  CHECK(is_safe(outcome.err));
  CHECK(outcome.exit != 70);
}

// Calls `use` for each text of `json`, with the pointer to it and `json` with the hostile text
// there.
template <class Use>
void for_each_text(const Json& json, Use&& use) {
  std::vector<Json::json_pointer> pointers;
  core::test::add_pointers(json, Json::json_pointer(), pointers);
  for (const Json::json_pointer& pointer : pointers) {
    if (!json.at(pointer).is_string()) continue;
    Json changed = json;
    changed[pointer] = hostile;
    use(pointer.to_string(), changed);
  }
}

// Writes sentences with hostile words, and the experiment words.json on them.
void write_hostile_words(const Scratch& scratch) {
  scratch.write("words.txt", "\x1b[31mA N\nb\xc2\x9b V\n\nb\xe2\x80\xae V\nA N\n\n");
  scratch.write("words.json", R"({
    "dataset": {"use": "conll", "train": "words.txt", "columns": ["w"],
        "templates": ["w[0]"]},
    "features": "chain", "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 10}})");
}

}  // namespace

TEST_CASE("describe shows the texts of a model and does not send them to the terminal") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  Json header;
  forge_model(scratch / "run", [&](Json& of_run, std::vector<double>&) { header = of_run; });
  for_each_text(header, [&](const std::string& pointer, const Json& changed) {
    CAPTURE(pointer);
    forge_model(scratch / "run", [&](Json& of_run, std::vector<double>&) {
      of_run = changed;
      of_run.erase("arrays");  // written anew
    });
    check_safe(scratch.sculpt({"describe", "run"}));
  });
  // A program gets the text as it is.
  forge_model(scratch / "run", [&](Json& of_run, std::vector<double>&) {
    of_run = header;
    of_run.erase("arrays");
    of_run["name"] = hostile;
  });
  const Outcome json = scratch.sculpt({"describe", "run", "--json"});
  CHECK(Json::parse(json.out)["name"] == hostile);
}

TEST_CASE("names of weights are shown, and predict prints the lines of the data as they are") {
  const Scratch scratch;
  write_hostile_words(scratch);
  const Outcome trained = scratch.sculpt({"train", "words.json", "--output", "run"});
  check_safe(trained);
  REQUIRE(trained.exit == 0);
  const Outcome described = scratch.sculpt({"describe", "run"});
  check_safe(described);
  CHECK(contains(described.out, "\\x1b[31mA"));
  const Outcome predicted = scratch.sculpt({"predict", "run", "words.txt"});
  CHECK(contains(predicted.out, "\x1b[31mA N N\n"));
}

TEST_CASE("messages about data show its text") {
  const Scratch scratch;
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt"},
    "features": "multiclass", "loss": "zero_one", "oracle": "viterbi", "solver": "n_slack"})");
  for (const std::string& row : {"1 1:" + hostile, "1 " + no_utf8 + ":1", no_utf8 + "\x1b[31m"}) {
    scratch.write("rows.txt", row + "\n");
    const Outcome outcome = scratch.sculpt({"train", "rows.json", "--output", "run"});
    CHECK(outcome.exit == 65);
    check_safe(outcome);
  }
}

TEST_CASE("messages about an experiment show its text") {
  const Scratch scratch;
  write_small_experiment(scratch);
  for_each_text(Json::parse(scratch.read("small.json")),
                [&](const std::string& pointer, const Json& changed) {
                  CAPTURE(pointer);
                  scratch.write("changed.json", changed.dump());
                  check_safe(scratch.sculpt({"train", "changed.json", "--output", "run"}));
                  check_safe(scratch.sculpt({"check", "changed.json", "--only", "bind"}));
                });
  Json config = Json::parse(scratch.read("small.json"));
  config[hostile] = 1;
  scratch.write("changed.json", config.dump());
  check_safe(scratch.sculpt({"train", "changed.json"}));
  scratch.write("changed.json", "{\"x\": " + no_utf8 + "\x1b[31m}");
  check_safe(scratch.sculpt({"train", "changed.json"}));
}

TEST_CASE("the path of a run and the commands for it are shown, and a shell reads them") {
  const Scratch scratch;
  write_small_experiment(scratch);
  Json config = Json::parse(scratch.read("small.json"));
  config["output"] = "run\x1b[31m\xe2\x80\xae";
  config["solver"]["max_passes"] = 2;
  scratch.write("small.json", config.dump());
  const Outcome trained = scratch.sculpt({"train", "small.json"});
  check_safe(trained);
  CHECK(trained.exit == 3);
  const std::string shown = "$'" + (scratch / "run").string() + "\\x1b[31m\\xe2\\x80\\xae'";
  CHECK(contains(trained.out, shown));
  const Outcome listed = scratch.run({"bash", "-c", "ls " + shown + "/model.sculpt"});
  CHECK(listed.exit == 0);
  config["loss"] = "alarm";
  config["plugin_path"] = Json::array({SCULPT_TEST_PLUGINS});
  scratch.write("small.json", config.dump());
  check_safe(scratch.sculpt({"train", "small.json"}));
  check_safe(scratch.sculpt({"describe", config["output"].get<std::string>()}));
}

TEST_CASE("a crash report shows the path of its run") {
  const Scratch scratch;
  write_small_experiment(scratch);
  Json config = Json::parse(scratch.read("small.json"));
  config["output"] = "run\x1b[31m";
  config["loss"] = {{"use", "crash"}, {"at", "add"}};
  config["plugin_path"] = Json::array({SCULPT_TEST_PLUGINS});
  scratch.write("small.json", config.dump());
  const Outcome outcome = scratch.sculpt({"train", "small.json"});
  CHECK(outcome.exit == 69);
  CHECK(contains(outcome.err, "to repeat it"));
  check_safe(outcome);
}

TEST_CASE("the texts of a sidecar are shown") {
  const Scratch scratch;
  const std::string built = std::string(SCULPT_BUILT_PLUGINS) + "/hamming";
  fs::create_directory(scratch / "plugins");
  fs::copy_file(built + ".so", scratch / "plugins/mine.so");
  fs::copy_file(built + ".sculpt.json", scratch / "hamming.sculpt.json");
  for_each_text(Json::parse(scratch.read("hamming.sculpt.json")), [&](const std::string& pointer,
                                                                      const Json& changed) {
    CAPTURE(pointer);
    scratch.write("plugins/mine.sculpt.json", changed.dump());
    const Words folder{"--plugin-path", "plugins"};
    check_safe(scratch.sculpt({"describe", folder[0], folder[1]}));
    check_safe(scratch.sculpt({"describe", "hamming", folder[0], folder[1]}));
    const Outcome schema = scratch.sculpt({"describe", "--schema", folder[0], folder[1]});
    CHECK(Json::accept(schema.out));
  });
}

TEST_CASE("messages about an earlier run show its text") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {"--set", "solver.max_passes=3", "--set", "checkpoint_seconds=0"});
  const core::Checkpoint checkpoint(scratch / "run/checkpoints/last.sculpt");
  const Json header = checkpoint.header();
  fs::rename(scratch / "run", scratch / "original");
  const auto restore = [&] {
    fs::remove_all(scratch / "run");
    fs::copy(scratch / "original", scratch / "run", fs::copy_options::recursive);
  };
  const Words resume{"train", "small.json", "--output", "run", "--resume"};
  for_each_text(header, [&](const std::string& pointer, const Json& changed) {
    CAPTURE(pointer);
    restore();
    fs::remove_all(scratch / "run/checkpoints");
    core::write_checkpoint(scratch / "run/checkpoints", changed, [](core::StateWriter&) {});
    check_safe(scratch.sculpt(resume));
  });
  const std::string events = scratch.read("original/events.jsonl");
  const std::string last = events.substr(events.rfind('\n', events.size() - 2) + 1);
  for_each_text(Json::parse(last), [&](const std::string& pointer, const Json& changed) {
    CAPTURE(pointer);
    restore();
    scratch.write("run/events.jsonl", changed.dump() + "\n");
    check_safe(scratch.sculpt(resume));
    check_safe(scratch.sculpt({"train", "small.json", "--output", "run"}));
  });
}

TEST_CASE("the table of a sweep shows the texts of its cells") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Words sweep{"sweep", "small.json", "--output", "sweep", "--set", "solver.C=1"};
  REQUIRE(scratch.sculpt(sweep).exit == 0);
  const std::string name = "sweep/cells/000/events.jsonl";
  const std::string events = scratch.read(name);
  const std::size_t begin = events.rfind('\n', events.size() - 2) + 1;
  Json finished = Json::parse(events.substr(begin));
  finished["test"][hostile] = 0.5;
  finished["predict_with"] = {{hostile, {{"test", {{"loss", 0.5}}}}}};
  scratch.write(name, events.substr(0, begin) + finished.dump() + "\n");
  Words again = sweep;
  again.emplace_back("--resume");
  const Outcome outcome = scratch.sculpt(again);
  CHECK(outcome.exit == 0);
  check_safe(outcome);
  CHECK(contains(outcome.out, "test \\x1b[2J"));
  CHECK(is_safe(scratch.read("sweep/sweep.md")));
  // A cell that failed without a message in its events, with a log of any bytes.
  fs::remove_all(scratch / "sweep/cells/000");
  scratch.write("sweep/cells/000", no_utf8);
  const Outcome failed = scratch.sculpt(again);
  CHECK(failed.exit == 73);
  check_safe(failed);
}
