// Files of runs with any values: every value of their JSON is changed in turn. No command may take
// that for a bug of the host, or crash.

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>

#include "base/file/content_hash.hpp"
#include "command/command_call.hpp"
#include "command/forged_run.hpp"
#include "command/host_process.hpp"
#include "core/json_changes.hpp"
#include "run/checkpoint.hpp"

using namespace sculpt::test;
namespace core = sculpt::core;

namespace {

using Words = std::vector<std::string>;
using sculpt::core::test::for_each_change;
using sculpt::core::test::WrongValues;

// A run of the small experiment that a limit has stopped, with a model and a checkpoint.
class HostileRun {
 public:
  // `more`: words of the command that trains.
  explicit HostileRun(std::initializer_list<std::string> more = {}) {
    fs::create_directory(scratch / "plugins");  // few, because every call lists them
    for (const char* name : {"letters", "chain", "hamming", "viterbi"}) {
      for (const char* ending : {".so", ".sculpt.json"}) {
        const std::string file = std::string(name) + ending;
        fs::create_symlink(fs::path(SCULPT_BUILT_PLUGINS) / file, scratch / "plugins" / file);
      }
    }
    ::setenv("SCULPT_PLUGIN_PATH", path("plugins").c_str(), 1);
    write_small_experiment(scratch);
    config = Words{path("small.json"), "--set", "checkpoint_seconds=0", "--threads", "1"};
    config.insert(config.end(), more.begin(), more.end());
    const Words train =
        command("train", {"--output", path("original"), "--set", "solver.max_passes=3"});
    const CommandEnd trained = call_command(train);
    REQUIRE_MESSAGE(trained.exit == 3, trained.text);
  }
  Words command(const std::string& name, const Words& more) const {
    Words words{name};
    words.insert(words.end(), config.begin(), config.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string path(const std::string& name) const { return (scratch / name).string(); }
  Words resume() const { return command("train", {"--output", path("run"), "--resume"}); }

  // Makes "run" equal to the original run.
  void restore() const {
    fs::remove_all(scratch / "run");
    fs::copy(scratch / "original", scratch / "run", fs::copy_options::recursive);
  }
  // Restores the run, applies `change`, and runs the command.
  CommandEnd call(const std::function<void()>& change, const Words& words) const {
    restore();
    change();
    return call_command(words);
  }

  Scratch scratch;
  Words config;
};

// The header of a model file.
struct ModelHeader {
  explicit ModelHeader(const std::string& model) : bytes(model) {
    std::memcpy(&size, model.data() + 8, sizeof size);
    json = Json::parse(model.substr(16, size));
  }
  // The model with another header.
  std::string with(const Json& header) const {
    std::string text = header.dump();
    REQUIRE(text.size() <= size);
    text.resize(size, ' ');
    const std::string start = bytes.substr(0, 16) + text + bytes.substr(16 + size);
    core::ContentHash hash;
    hash.add(std::string_view(start).substr(0, start.size() - sizeof(std::uint64_t)));
    const std::uint64_t checksum = hash.value();
    std::string model = start;
    std::memcpy(model.data() + model.size() - sizeof checksum, &checksum, sizeof checksum);
    return model;
  }
  std::string bytes;
  std::uint64_t size = 0;
  Json json;
};

// The header and the state of a checkpoint.
struct StoredCheckpoint {
  explicit StoredCheckpoint(const fs::path& path) {
    core::Checkpoint checkpoint(path);
    header = checkpoint.header();
    state.resize(static_cast<std::size_t>(checkpoint.bytes_left()));
    checkpoint.read(state.data(), state.size());
  }
  // Writes it as the last checkpoint of a run, without a previous one.
  void write(const fs::path& run) const {
    fs::remove_all(run / "checkpoints");
    core::write_checkpoint(run / "checkpoints", header,
                           [&](core::StateWriter& out) { out.write(state); });
  }
  Json header;
  std::string state;
};

// Exit codes for files that are wrong, and for those that are read all the same.
void check_end(const CommandEnd& end, const std::string& what, const std::string& file) {
  const bool is_expected = end.exit == 0 || end.exit == 1 || end.exit == 3 || end.exit == 65 ||
                           end.exit == 66 || end.exit == 69 || end.exit == 73 || end.exit == 78;
  CAPTURE(what);
  CAPTURE(end.text);
  if (!is_expected) CHECK(end.exit == 65);
  const bool is_refused = end.exit >= 64;
  if (is_refused && !contains(end.text, file)) CHECK(end.text == file);
}

}  // namespace

TEST_CASE("describe, predict and evaluate take a model with any value in its header") {
  const HostileRun run;
  const ModelHeader header(run.scratch.read("original/model.sculpt"));
  const std::string model = run.path("bad.sculpt");
  const std::string data = run.path("words.txt");
  const std::vector<Words> commands = {{"describe", model},
                                       {"describe", model, "--json"},
                                       {"predict", model, data, "--threads", "1"},
                                       {"evaluate", model, data, "--threads", "1"}};
  for_each_change(header.json, [&](const Json& changed, const std::string& what) {
    run.scratch.write("bad.sculpt", header.with(changed));
    for (const Words& words : commands) check_end(call_command(words), what, "bad.sculpt");
  });
}

TEST_CASE("verify and --resume take a model with any value in its header") {
  const HostileRun run;
  const ModelHeader header(run.scratch.read("original/model.sculpt"));
  const std::vector<Words> commands = {{"verify", run.path("run"), "--threads", "1"}, run.resume()};
  for_each_change(header.json, [&](const Json& changed, const std::string& what) {
    const auto change = [&] { run.scratch.write("run/model.sculpt", header.with(changed)); };
    for (const Words& words : commands) check_end(run.call(change, words), what, "run/");
  });
}

TEST_CASE("verify, --resume and warm_start take a checkpoint with any value in its header") {
  const HostileRun run;
  const StoredCheckpoint original(run.scratch / "original/checkpoints/last.sculpt");
  const std::string run_folder = run.path("run");
  const Words warm = run.command("train", {"--output", run.path("warm"), "--force", "--set",
                                           "solver.warm_start=" + run_folder});
  const std::vector<Words> commands = {
      {"verify", run_folder, "--probes", "0", "--threads", "1"}, run.resume(), warm};
  const auto try_all = [&](const Json& changed, const std::string& what) {
    StoredCheckpoint checkpoint = original;
    checkpoint.header = changed;
    const auto change = [&] { checkpoint.write(run_folder); };
    for (const Words& words : commands) check_end(run.call(change, words), what, "run/");
  };
  for_each_change(original.header, try_all, WrongValues::all);
}

TEST_CASE("a checkpoint whose formulation is no object is refused by its name") {
  const HostileRun run;
  StoredCheckpoint checkpoint(run.scratch / "original/checkpoints/last.sculpt");
  checkpoint.header["formulation"] = 10;
  checkpoint.write(run.path("original"));
  const CommandEnd end =
      call_command(run.command("train", {"--output", run.path("warm"), "--set",
                                         "solver.warm_start=" + run.path("original")}));
  CHECK(end.exit == 65);
  CHECK(contains(end.text, run.path("original/checkpoints/last.sculpt") +
                               ": has a header in which \"formulation\" is the number 10, not an "
                               "object"));
}

TEST_CASE("verify, --resume and warm_start take a checkpoint with a changed byte in its state") {
  const HostileRun run;
  const StoredCheckpoint original(run.scratch / "original/checkpoints/last.sculpt");
  const std::string run_folder = run.path("run");
  const std::vector<Words> commands = {
      {"verify", run_folder, "--probes", "0", "--threads", "1"},
      run.resume(),
      run.command("train", {"--output", run.path("warm"), "--force", "--set",
                            "solver.warm_start=" + run_folder})};
  for (std::size_t at = 0; at < original.state.size(); at += 11) {
    StoredCheckpoint checkpoint = original;
    checkpoint.state[at] = static_cast<char>(checkpoint.state[at] ^ (at % 2 == 0 ? 0x80 : 0x11));
    const auto change = [&] { checkpoint.write(run_folder); };
    for (const Words& words : commands) {
      check_end(run.call(change, words), "byte " + std::to_string(at), "");
    }
  }
}

TEST_CASE("a checkpoint whose state is cut or goes on is refused by its name") {
  const HostileRun run;
  const StoredCheckpoint original(run.scratch / "original/checkpoints/last.sculpt");
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, original.state.size() / 2,
                                 original.state.size() - 1, original.state.size() + 9}) {
    CAPTURE(size);
    StoredCheckpoint checkpoint = original;
    checkpoint.state.resize(size, '\x7f');
    const CommandEnd end = run.call([&] { checkpoint.write(run.path("run")); }, run.resume());
    CHECK(end.exit == 65);
    CHECK(contains(end.text, "last.sculpt"));
  }
}

TEST_CASE("commands take a model with weights of any size") {
  const HostileRun run;
  const std::string folder = run.path("run");
  const std::string data = run.path("words.txt");
  for (const double size : {1e308, -1e308, 1e160, 5e-324}) {
    const auto change = [&] {
      forge_model(folder, [&](Json&, std::vector<double>& weights) {
        for (double& weight : weights) weight = weight > 0 ? size : -size;
      });
    };
    for (const Words& words : std::vector<Words>{{"describe", folder},
                                                 {"predict", folder, data, "--threads", "1"},
                                                 {"evaluate", folder, data, "--threads", "1"},
                                                 {"verify", folder, "--threads", "1"},
                                                 run.resume()}) {
      check_end(run.call(change, words), words[0] + " " + std::to_string(size), "");
    }
  }
}

TEST_CASE("verify and --resume take a config with any value") {
  const HostileRun run;
  const Json config = Json::parse(run.scratch.read("original/config.json"));
  const std::string run_folder = run.path("run");
  // Without a checkpoint, --resume compares the config.
  const auto write = [&](const Json& changed) {
    run.scratch.write("run/config.json", changed.dump());
  };
  for_each_change(config, [&](const Json& changed, const std::string& what) {
    check_end(run.call([&] { write(changed); },
                       {"verify", run_folder, "--probes", "0", "--threads", "1"}),
              what, "run");
    const auto change = [&] {
      write(changed);
      fs::remove_all(run.scratch / "run/checkpoints");
      fs::remove(run.scratch / "run/model.sculpt");
    };
    check_end(run.call(change, run.resume()), what, "run");
  });
}

TEST_CASE("verify, train and --resume take events with any value") {
  const HostileRun run({"--set", "predict_with=[\"viterbi\"]", "--set", "audit_with=viterbi"});
  const std::string text = run.scratch.read("original/events.jsonl");
  const std::string started = text.substr(0, text.find('\n'));
  const std::string finished = text.substr(text.rfind('\n', text.size() - 2) + 1);
  const std::string between =
      text.substr(started.size(), text.size() - started.size() - finished.size());
  const std::string pass = between.substr(1, between.find('\n', 1) - 1);
  const std::string run_folder = run.path("run");
  const auto try_all = [&](const std::string& event, const std::vector<Words>& commands) {
    for_each_change(Json::parse(event), [&](const Json& changed, const std::string& what) {
      std::string events = text;
      events.replace(events.find(event), event.size(),
                     changed.dump() + (event.ends_with('\n') ? "\n" : ""));
      const auto change = [&] { run.scratch.write("run/events.jsonl", events); };
      for (const Words& words : commands) check_end(run.call(change, words), what, "run");
    });
  };
  try_all(started, {run.resume()});
  try_all(pass, {run.resume()});
  const Words again = run.command("train", {"--output", run_folder});
  const Words ended =
      run.command("train", {"--output", run_folder, "--resume", "--set", "solver.max_passes=3"});
  try_all(finished, {{"verify", run_folder, "--probes", "0", "--threads", "1"}, again, ended});
}

TEST_CASE("JSON that is nested too deeply overflows no stack") {
  const HostileRun run;
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::string object = R"({"event": "finished", "solver": )" + deep + "}";
  for (const char* file : {"config.json", "events.jsonl"}) {
    const auto change = [&] { run.scratch.write(std::string("run/") + file, object); };
    for (const Words& words : {Words{"verify", run.path("run")}, run.resume(),
                               run.command("train", {"--output", run.path("run")})}) {
      check_end(run.call(change, words), file, "run");
    }
  }
  const std::string sidecar = run.path("plugins/hamming.sculpt.json");
  fs::remove(sidecar);
  run.scratch.write("plugins/hamming.sculpt.json", R"({"sculpt_sidecar": )" + deep + "}");
  CHECK(call_command({"describe", "hamming"}).exit == 0);  // lists the library itself
}

TEST_CASE("describe and train take a sidecar with any value") {
  const HostileRun run;
  Json sidecar = Json::parse(run.scratch.read("plugins/chain.sculpt.json"));
  Json& parameters = sidecar["components"][0]["parameters"];
  while (parameters.size() > 2) parameters.erase(parameters.size() - 1);
  const Words train = run.command(
      "train", {"--output", run.path("other"), "--force", "--set", "solver.max_passes=1"});
  fs::remove(run.scratch / "plugins/chain.sculpt.json");
  for_each_change(sidecar, [&](const Json& changed, const std::string& what) {
    run.scratch.write("plugins/chain.sculpt.json", changed.dump());
    for (const Words& words :
         {Words{"describe"}, Words{"describe", "chain"}, Words{"describe", "--schema"}, train}) {
      check_end(call_command(words), what, "chain");
    }
  });
}
