#include "command/interrupted_run.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace sculpt::test {
namespace {

// The JSON without times and peak memory.
Json without_times(const Json& json) {
  if (!json.is_structured()) return json;
  Json kept = json.is_object() ? Json::object() : Json::array();
  for (const auto& [key, value] : json.items()) {
    if (json.is_array()) kept.push_back(without_times(value));
    if (json.is_object() && !key.ends_with("seconds") && key != "seconds_to_gap" &&
        key != "peak_memory_bytes") {
      kept[key] = without_times(value);
    }
  }
  return kept;
}

}  // namespace

void write_noisy_experiment(const Scratch& scratch, const std::string& checkpoint_seconds) {
  std::mt19937_64 random(4);
  std::string words;
  for (int word = 1; word <= 60; ++word) {
    for (int position = 0; position < 5; ++position) {
      const int letter = static_cast<int>(random() % 4);
      words += std::to_string(word) + " " + (word % 5 == 0 ? "1 " : "0 ") +
               std::to_string(position) + " " + static_cast<char>('a' + letter) +
               (position < 4 ? " 1" : " 0");
      for (int input = 0; input < 12; ++input) {
        const bool set = (input % 4 == letter) != (random() % 4 == 0);
        words += set ? " 1" : " 0";
      }
      // So many random inputs that some weights separate all words.
      for (int input = 0; input < 60; ++input) words += random() % 2 == 0 ? " 1" : " 0";
      words += "\n";
    }
  }
  scratch.write("noisy.txt", words);
  scratch.write("noisy.json",
                R"({"dataset": {"use": "letters", "train": "noisy.txt", "train_folds": [0],
                                "test_folds": [1]},
                    "features": "chain", "loss": "hamming", "oracle": "viterbi",
                    "solver": {"use": "n_slack", "C": 100, "relative_gap": 1e-5, "batch": 16},
                    "checkpoint_seconds": )" +
                    checkpoint_seconds + "}");
}

std::vector<Variant> variants() {
  const std::string one_slack = R"(solver={"use": "one_slack", "C": 10, "relative_gap": 0.02})";
  return {
      {"n_slack", {}},
      {"n_slack, frozen passes", {"solver.batch=0"}},
      {"n_slack, slack rescaling", {"solver.rescaling=slack", "solver.relative_gap=1e-3"}},
      {"n_slack, norm 2", {"solver.slack_norm=2", "solver.C=10"}},
      {"n_slack, slack rescaling, norm 2",
       {"solver.rescaling=slack", "solver.slack_norm=2", "solver.relative_gap=1e-3"}},
      {"n_slack, hard margin", {"solver.C=inf", "solver.relative_gap=1e-3"}},
      {"n_slack, weights of at least 0",
       {R"(features={"use": "chain", "nonnegative": ["transitions"]})"}},
      {"n_slack, icm", {"oracle=icm"}},
      {"one_slack", {one_slack}},
      {"one_slack, slack rescaling", {one_slack, "solver.rescaling=slack"}},
      {"one_slack, norm 2", {one_slack, "solver.slack_norm=2"}},
      {"one_slack, hard margin", {one_slack, "solver.C=inf", "solver.max_passes=60"}},
      {"frank_wolfe", {"solver.use=frank_wolfe", "solver.relative_gap=5e-2"}},
      {"frank_wolfe, few planes",
       {"solver.use=frank_wolfe", "solver.max_planes_megabytes=0.08", "solver.relative_gap=5e-2"}},
      {"frank_wolfe, averaging",
       {"solver.use=frank_wolfe", "solver.averaging=true", "solver.relative_gap=5e-2"}},
      {"perceptron", {R"(solver={"use": "perceptron", "evaluate_every": 10})"}},
      {"subgradient", {R"(solver={"use": "subgradient", "C": 100, "batch": 7})"}}};
}

std::vector<std::string> train_command(const Variant& variant, const std::string& output,
                                       const std::vector<std::string>& more) {
  std::vector<std::string> words{"train", "noisy.json", "--output", output};
  for (const std::string& set : variant.sets) words.insert(words.end(), {"--set", set});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> endless_command(const std::string& output,
                                         const std::vector<std::string>& more) {
  std::vector<std::string> words{
      "train",    std::string(SCULPT_TEST_SOURCE) + "/configs/quickstart.json",
      "--output", output,
      "--set",    "solver.C=1e7",
      "--set",    "solver.relative_gap=0"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

int train(const Scratch& scratch, const Variant& variant, const std::string& output,
          const std::vector<std::string>& more) {
  const Outcome outcome = scratch.sculpt(train_command(variant, output, more));
  INFO(outcome.err);
  CHECK((outcome.exit == 0 || outcome.exit == 3));
  return outcome.exit;
}

Outcome train_noisy(const Scratch& scratch, const std::string& output,
                    const std::vector<std::string>& sets, const std::vector<std::string>& more) {
  return scratch.sculpt(train_command({"", sets}, output, more));
}

void train_three_passes(const Scratch& scratch) {
  write_noisy_experiment(scratch);
  CHECK(train(scratch, {}, "run", {"--set", "solver.max_passes=3"}) == 3);
  CHECK(fs::exists(scratch / "run/checkpoints/last.sculpt"));
}

std::vector<std::string> sweep_command(const std::string& output,
                                       const std::vector<std::string>& more) {
  std::vector<std::string> words{"sweep", "noisy.json", "--output", output};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json sweep_table(const Scratch& scratch, const std::string& sweep) {
  return without_times(Json::parse(scratch.read(sweep + "/sweep.json")));
}

int train_killed(const Scratch& scratch, const Variant& variant, const std::string& output,
                 int kills, double seconds, std::mt19937_64& random) {
  std::uniform_real_distribution<double> moment(0, seconds);
  int hits = 0;
  for (int k = 0; k < kills; ++k) {
    const std::string threads = std::to_string(1 + random() % 3);
    Process process =
        scratch.start(train_command(variant, output, {"--resume", "--threads", threads}));
    std::this_thread::sleep_for(std::chrono::duration<double>(moment(random)));
    hits += process.running() ? 1 : 0;
    process.signal(SIGKILL);
    process.wait();
  }
  const Outcome last = scratch.sculpt(train_command(variant, output, {"--resume"}));
  INFO(last.err);
  CHECK((last.exit == 0 || last.exit == 3));
  return hits;
}

bool same_model(const Scratch& scratch, const std::string& one, const std::string& other) {
  return scratch.read(one + "/model.sculpt") == scratch.read(other + "/model.sculpt");
}

void flip_last_byte(const Scratch& scratch, const std::string& name) {
  std::string bytes = scratch.read(name);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  scratch.write(name, bytes);
}

}  // namespace sculpt::test
