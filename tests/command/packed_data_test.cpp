// Data files packed by gzip or zstd: every shipped dataset reads them as if they were plain.

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sculpt/plugin.h>

#include <string>

#include "command/host_process.hpp"
#include "packed_text.hpp"

using namespace sculpt::test;

namespace {

// The first tiny experiment of each dataset that the shipped libraries bring along.
std::map<std::string, Json> experiments_by_dataset() {
  std::map<std::string, Json> experiments;
  for (const fs::directory_entry& file : fs::directory_iterator(SCULPT_BUILT_PLUGINS)) {
    if (file.path().extension() != ".so") continue;
    void* const library = ::dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library != nullptr);
    const auto entry = reinterpret_cast<sculpt_entry_function>(::dlsym(library, "sculpt_entry"));
    REQUIRE((entry != nullptr));
    const sculpt_plugin& catalogue = *entry({SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR});
    for (std::int64_t k = 0; k < catalogue.experiment_count; ++k) {
      const Json experiment = Json::parse(catalogue.experiments[k]);
      const Json& dataset = experiment.at("dataset");
      const bool is_inline = dataset.contains("train") && dataset.at("train").contains("text");
      if (is_inline) experiments.try_emplace(dataset.at("use"), experiment);
    }
  }
  return experiments;
}

// Trains on a file with these bytes. Returns the outcome; the model is in the folder "run".
Outcome train_on(const Scratch& scratch, Json experiment, const std::string& bytes) {
  scratch.write("data", bytes);
  experiment["dataset"]["train"] = "data";
  scratch.write("packed.json", experiment.dump());
  return scratch.sculpt(
      {"train", "packed.json", "--set", "solver.max_passes=10", "--output", "run", "--force"});
}

}  // namespace

TEST_CASE("every dataset reads files packed by gzip and zstd as if they were plain") {
  const Scratch scratch;
  const std::map<std::string, Json> experiments = experiments_by_dataset();
  REQUIRE(experiments.size() >= 12);
  for (const auto& dataset_and_experiment : experiments) {
    INFO(dataset_and_experiment.first);
    const Json& experiment = dataset_and_experiment.second;
    const std::string text = experiment.at("/dataset/train/text"_json_pointer);
    const Outcome plain = train_on(scratch, experiment, text);
    INFO(plain.err);
    REQUIRE((plain.exit == 0 || plain.exit == 3));
    const std::vector<double> weights = weights_of(scratch.read("run/model.sculpt"));
    REQUIRE_FALSE(weights.empty());
    for (const std::string& packed : {gzip(text), zstd(text)}) {
      const Outcome outcome = train_on(scratch, experiment, packed);
      INFO(outcome.err);
      CHECK(outcome.exit == plain.exit);
      CHECK(weights_of(scratch.read("run/model.sculpt")) == weights);
    }
  }
}

TEST_CASE("predict reads packed data and gives the same lines") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  const std::string words = scratch.read("words.txt");
  scratch.write("words.txt.gz", gzip(words));
  const Outcome plain = scratch.sculpt({"predict", "run", "words.txt"});
  const Outcome packed = scratch.sculpt({"predict", "run", "words.txt.gz"});
  CHECK(plain.exit == 0);
  CHECK(packed.exit == 0);
  CHECK_FALSE(plain.out.empty());
  CHECK(packed.out == plain.out);
}

TEST_CASE("packed data that are cut off or damaged are refused with their path") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::string words = scratch.read("words.txt");
  for (const bool is_gzip : {true, false}) {
    const std::string packed = is_gzip ? gzip(words) : zstd(words);
    scratch.write("words.txt", packed.substr(0, packed.size() - 3));
    const std::string format = is_gzip ? "gzip" : "zstd";
    check_refused(scratch, scratch.sculpt({"train", "small.json"}), exit_data,
                  {"letters: ", (scratch / "words.txt").string() + ": ends in the middle of its " +
                                    format + " data; get a complete copy, or pack it again"});
    scratch.write("words.txt", packed + "x");
    check_refused(scratch, scratch.sculpt({"train", "small.json"}), exit_data,
                  {(scratch / "words.txt").string() + ": "});
  }
}
