#include "sweep/final_run.hpp"

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "command/stop_signal.hpp"
#include "sweep/cell_process.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto poll_every = std::chrono::milliseconds(20);
constexpr const char* settings_name = "best.json";

// Whether the run that is there has other settings.
bool is_another(const SweepFolder& folder, const Json& settings) {
  std::ifstream file(folder.path() / settings_name, std::ios::binary);
  return Json::parse(file, nullptr, false) != settings;
}

}  // namespace

std::optional<int> train_on_all(const FinalRun& run, const SweepFolder& folder) {
  std::vector<std::string> words{"train",     run.config,
                                 "--output",  folder.best().string(),
                                 "--threads", std::to_string(run.threads)};
  for (const std::string& set : run.sets) words.insert(words.end(), {"--set", set});
  words.insert(words.end(), {"--set", "hold_out=null"});
  const Json settings = run.sets;
  if (fs::exists(folder.best())) {
    words.emplace_back(is_another(folder, settings) ? "--force" : "--resume");
  }
  folder.write(settings_name, settings.dump() + "\n");
  CellProcess process(words, "");
  bool stopping = false;
  for (;;) {
    if (stop_requested() && !stopping) {
      stopping = true;
      process.ask_to_stop();
    }
    if (const auto end = process.poll()) return stopping ? std::nullopt : std::optional(end->exit);
    std::this_thread::sleep_for(poll_every);
  }
}

}  // namespace sculpt::core
