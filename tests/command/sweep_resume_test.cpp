// sculpt sweep --resume: it continues only the same sweep, and keeps finished cells.

#include <doctest/doctest.h>

#include <csignal>
#include <map>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

namespace {

using Words = std::vector<std::string>;

// The contents of each file of a folder, by name.
std::map<std::string, std::string> contents(const Scratch& scratch, const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(scratch / folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), scratch.folder()).string();
    files[name] = scratch.read(name);
  }
  return files;
}

Outcome sweep(const Scratch& scratch, const Words& options) {
  return scratch.sculpt(sweep_command("sweep", options));
}

const Words two_values{"--set", "solver.C=1,30", "--folds", "2"};

Words resumed(Words options) {
  options.emplace_back("--resume");
  return options;
}

}  // namespace

TEST_CASE("sweep --resume refuses another experiment and changes no file") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  REQUIRE(sweep(scratch, two_values).exit == 0);
  const auto before = contents(scratch, "sweep");
  const auto refused = [&](const Words& options, const Words& texts) {
    const Outcome outcome = sweep(scratch, resumed(options));
    INFO(outcome.err);
    CHECK(outcome.exit == 78);
    CHECK(outcome.out.empty());
    for (const std::string& text : texts) {
      CAPTURE(text);
      CHECK(outcome.err.find(text) != std::string::npos);
    }
    CHECK(contents(scratch, "sweep") == before);
  };
  refused({"--set", "solver.C=1", "--folds", "2"},
          {"the earlier sweep has --set solver.C=1,30, but this one has --set solver.C=1;"});
  refused({"--set", "solver.C=1,30", "--folds", "3", "--seed", "4"},
          {"has --folds 2, but this one has --folds 3 --seed 4"});
  refused({"--set", "solver.C=1,30", "--folds", "2", "--cold"},
          {"has no such option, but this one has --cold"});
  refused({"--set", "solver.C=1,30", "--set", "solver.batch=0", "--folds", "2"},
          {"this one has --set solver.batch=0"});

  const std::string file = scratch.read("noisy.json");
  const auto edit = [&](const std::string& old_text, const std::string& new_text) {
    std::string text = file;
    text.replace(text.find(old_text), old_text.size(), new_text);
    scratch.write("noisy.json", text);
  };
  edit(R"("chain")", R"({"use": "chain", "bias": false})");
  refused(two_values,
          {"features.bias is false, ", "plan.json was written with true; give --force"});
  edit(R"("relative_gap": 1e-5)", R"("relative_gap": 1e-4)");
  refused(two_values, {"solver.relative_gap is 0.0001, "});
  scratch.write("noisy.json", file);
  const std::string data = scratch.read("noisy.txt");
  scratch.write("noisy.txt", data.substr(data.find("\n2 ") + 1));  // without the first word
  refused(two_values, {"the data of train"});
  scratch.write("noisy.txt", data);
  const Outcome same = sweep(scratch, resumed(two_values));
  INFO(same.err);
  CHECK(same.exit == 0);
}

TEST_CASE("a finished cell is kept even if the cell of its warm start is gone") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Words two{"--set", "solver.C=1,30"};
  REQUIRE(sweep(scratch, two).exit == 0);
  const auto finished = contents(scratch, "sweep/cells/001");
  fs::remove_all(scratch / "sweep/cells/000");
  scratch.write("sweep/cells/000", "in the way");
  CHECK(sweep(scratch, resumed(two)).exit == 73);
  CHECK(contents(scratch, "sweep/cells/001") == finished);
  fs::remove(scratch / "sweep/cells/000");
  CHECK(sweep(scratch, resumed(two)).exit == 0);
  CHECK(contents(scratch, "sweep/cells/001") == finished);
}

TEST_CASE("sweep --resume adds cells for new values and keeps the finished cells") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  REQUIRE(sweep(scratch, {"--set", "solver.C=1,30", "--folds", "2"}).exit == 0);
  const auto first = contents(scratch, "sweep/cells/000.fold0");
  const auto second = contents(scratch, "sweep/cells/001.fold1");
  const Words more{"--set", "solver.C=0.5,1,5,30", "--folds", "2"};
  const Outcome outcome = sweep(scratch, resumed(more));
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(contents(scratch, "sweep/cells/000.fold0") == first);
  CHECK(contents(scratch, "sweep/cells/001.fold1") == second);
  const Json rows = Json::parse(scratch.read("sweep/sweep.json"));
  REQUIRE(rows.size() == 4);
  const Words names{"002.fold0", "000.fold0", "003.fold0", "001.fold0"};  // C ascending
  const Words settings{"solver.C=0.5", "solver.C=1", "solver.C=5", "solver.C=30"};
  for (std::size_t row = 0; row < 4; ++row) {
    CHECK(rows[row]["settings"] == Json{settings[row]});
    CHECK(rows[row]["cells"][0]["name"] == names[row]);
    CHECK(rows[row]["certified"] == 2);
  }
  // The cells keep these names.
  CHECK(sweep(scratch, resumed(more)).exit == 0);
  CHECK(Json::parse(scratch.read("sweep/sweep.json")) == rows);
}

TEST_CASE("sweep --resume continues cells under a higher limit of --set") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const auto limited = [](const std::string& passes) {
    return Words{"--set", "solver.C=1,30", "--set", "solver.max_passes=" + passes};
  };
  REQUIRE(sweep(scratch, limited("2")).exit == 3);
  const Outcome outcome = sweep(scratch, resumed(limited("400")));
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(scratch.read("sweep/cells/001/events.jsonl").find("\"resumed\"") != std::string::npos);
}

TEST_CASE("a cell with damaged events is reported as failed, and trained again after its removal") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Words two{"--set", "solver.C=1,30"};
  REQUIRE(sweep(scratch, two).exit == 0);
  const std::string events = "sweep/cells/001/events.jsonl";
  const std::string model = scratch.read("sweep/cells/001/model.sculpt");
  std::string text = scratch.read(events);
  const std::string key = "\"passes\":";
  text.replace(text.rfind(key), key.size(), key + "\"many\",\"then\":");
  scratch.write(events, text);
  const Outcome outcome = sweep(scratch, resumed(two));
  INFO(outcome.err);
  CHECK(outcome.exit == 65);
  CHECK(outcome.out.find("001/events.jsonl: the last line is not a valid event") !=
        std::string::npos);
  fs::remove_all(scratch / "sweep/cells/001");
  CHECK(sweep(scratch, resumed(two)).exit == 0);
  CHECK(scratch.read("sweep/cells/001/model.sculpt") == model);
}

TEST_CASE("the record of a cell holds its own peak, and sweep --resume keeps it") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Words two{"--set", "solver.C=1,30"};
  REQUIRE(sweep(scratch, two).exit == 0);
  constexpr std::int64_t large = std::int64_t{1} << 50;
  const auto peak = [&](const std::string& cell) {
    const Json record = Json::parse(scratch.read("sweep/cells/" + cell + ".json"));
    return record["peak_bytes"].get<std::int64_t>();
  };
  CHECK(peak("001") > 0);
  scratch.write("sweep/cells/000.json", R"({"peak_bytes":)" + std::to_string(large) + "}\n");
  REQUIRE(sweep(scratch, resumed(two)).exit == 0);
  CHECK(peak("000") == large);
  CHECK(peak("001") < large);

  fs::create_directory(scratch / "sweep/cells/000.json.partial");
  const Outcome outcome = sweep(scratch, resumed(two));
  INFO(outcome.err);
  CHECK(outcome.exit == 74);
  CHECK(outcome.err.find("000.json: cannot be written") != std::string::npos);
}

TEST_CASE("sweep --resume keeps the run in best/ if its settings are the chosen ones") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0.05");
  const Words best{"--set", "solver.C=1,30", "--hold-out", "0.3", "--best", "loss"};
  REQUIRE(sweep(scratch, best).exit == 0);
  const auto chosen = contents(scratch, "sweep/best");
  const auto config = Json::parse(scratch.read("sweep/best/config.json"));
  const std::string other = config["solver"]["C"] == 1 ? "solver.C=30" : "solver.C=1";
  const auto resume = [&] {
    const Outcome outcome = sweep(scratch, resumed(best));
    INFO(outcome.err);
    CHECK(outcome.exit == 0);
  };
  resume();
  CHECK(contents(scratch, "sweep/best") == chosen);

  // A sweep may be killed before train has replaced the run of another choice, or while it does.
  train(scratch, {}, "sweep/best", {"--set", other, "--force"});
  resume();
  CHECK(scratch.read("sweep/best/model.sculpt") == chosen.at("sweep/best/model.sculpt"));
  fs::remove(scratch / "sweep/best/config.json");
  resume();
  CHECK(scratch.read("sweep/best/model.sculpt") == chosen.at("sweep/best/model.sculpt"));
}

TEST_CASE("sweep --resume continues the run in best/ under a higher limit") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "0");
  const auto limited = [](const std::string& passes) {
    return Words{"--set",      "solver.C=30", "--set",  "solver.max_passes=" + passes,
                 "--hold-out", "0.3",         "--best", "loss"};
  };
  REQUIRE(sweep(scratch, limited("2")).exit == 3);
  const Outcome outcome = sweep(scratch, resumed(limited("400")));
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  CHECK(scratch.read("sweep/best/events.jsonl").find("\"resumed\"") != std::string::npos);
}

TEST_CASE("sweep --resume writes the damaged model of a cell again") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  REQUIRE(sweep(scratch, two_values).exit == 0);
  const std::string model = scratch.read("sweep/cells/001.fold0/model.sculpt");
  scratch.write("sweep/cells/001.fold0/model.sculpt", "xx");
  CHECK(sweep(scratch, resumed(two_values)).exit == 0);
  CHECK(scratch.read("sweep/cells/001.fold0/model.sculpt") == model);
}

TEST_CASE("a cell is reported as failed if its data changed since the sweep began") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const Words slow{"--set", "solver.C=1,30",         "--set",  "solver.use=subgradient",
                   "--set", "solver.max_passes=1e9", "--set",  "solver.max_seconds=0.7",
                   "--set", "solver.batch=64",       "--cold", "--threads",
                   "1"};
  Process process = scratch.start(sweep_command("sweep", slow));
  REQUIRE(scratch.wait_for_event(process, "sweep/cells/000", "started"));
  std::string data = scratch.read("noisy.txt");
  data[data.size() - 2] = data[data.size() - 2] == '0' ? '1' : '0';
  scratch.write("noisy.txt", data);
  const Outcome outcome = process.wait();
  INFO(outcome.out);
  INFO(outcome.err);
  CHECK(outcome.exit == 65);
  CHECK(outcome.out.find(
            "001: the data of train have changed since the sweep started: the hash was") !=
        std::string::npos);
  CHECK(outcome.out.find("have changed since the sweep started") != std::string::npos);
  CHECK(outcome.out.find("- 000 ") == std::string::npos);
}

TEST_CASE("sweep --force keeps the old sweep until the new one has ended") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  Words options = two_values;
  options.insert(options.end(), {"--best", "loss"});
  REQUIRE(sweep(scratch, options).exit == 0);
  const auto before = contents(scratch, "sweep");
  options.emplace_back("--force");
  const Words endless{"--set",  "solver.C=1,30",          "--folds", "2",
                      "--set",  "solver.use=subgradient", "--set",   "solver.max_passes=1e9",
                      "--force"};
  for (int time = 0; time < 2; ++time) {  // the first killed sweep does not count as old sweep
    Process process = scratch.start(sweep_command("sweep", endless));
    while (!fs::exists(scratch / "sweep/replaced/cells")) REQUIRE(process.running());
    REQUIRE(scratch.wait_for_event(process, "sweep/cells/000.fold0", "started"));
    process.signal(SIGKILL);
    process.wait();
    for (const auto& file : before) {
      CAPTURE(file.first);
      if (file.first == "sweep/plan.json") continue;
      CHECK(scratch.read("sweep/replaced/" + file.first.substr(6)) == file.second);
    }
    fs::remove(scratch / "sweep/cells/000.fold0/events.jsonl");
  }
  CHECK(sweep(scratch, options).exit == 0);
  CHECK_FALSE(fs::exists(scratch / "sweep/replaced"));
  CHECK(scratch.read("sweep/best/model.sculpt") == before.at("sweep/best/model.sculpt"));
}
