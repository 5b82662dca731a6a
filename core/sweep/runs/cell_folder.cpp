#include "sweep/runs/cell_folder.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/failure.hpp"
#include "model/model_file.hpp"
#include "run/checkpoint.hpp"

namespace sculpt::core {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

CellFolder::CellFolder(const SweepPlan& plan, fs::path folder, std::string config,
                       CheckModel check_model)
    : plan_(plan),
      folder_(std::move(folder)),
      config_(std::move(config)),
      check_model_(std::move(check_model)) {}

fs::path CellFolder::file(std::size_t cell, const char* ending) const {
  return folder_ / (plan_.cells[cell].name + ending);
}

CellRecord CellFolder::record(std::size_t cell, int exit_code) const {
  CellRecord record = read_cell(run(cell), log(cell), exit_code);
  if (!record.has_model()) return record;
  try {
    const ModelFile model(run(cell));
    if (check_model_) check_model_(plan_.cells[cell], model.header());
  } catch (const Failure& failure) {
    record = {};
    record.exit_code = static_cast<int>(failure.exit_code());
    record.reason = failure.what();
  }
  return record;
}

bool CellFolder::has_planes(std::size_t cell, const CellRecord& record) const {
  return record.has_model() && fs::exists(run(cell) / "checkpoints" / "last.sculpt");
}

bool CellFolder::has_progress(std::size_t cell) const {
  return fs::exists(run(cell) / "model.sculpt") || has_checkpoint(run(cell) / "checkpoints");
}

// The cell that gave its planes to the run of this cell. Compares names only, because the folder of
// the sweep may have been moved.
std::optional<std::size_t> CellFolder::used_start(std::size_t cell) const {
  const Json source = config_value(run(cell), "/solver/warm_start");
  if (!source.is_string()) return std::nullopt;
  const auto start = plan_.find(fs::path(source.get<std::string>()).filename().string());
  return start == cell ? std::nullopt : start;
}

std::vector<std::string> CellFolder::train_words(std::size_t cell, std::optional<std::size_t> start,
                                                 int threads, bool is_resumed) const {
  std::vector<std::string> words{
      "train", config_, "--output", run(cell).string(), "--threads", std::to_string(threads)};
  for (const std::string& setting : plan_.cells[cell].settings) {
    words.insert(words.end(), {"--set", setting});
  }
  if (is_resumed) {
    // An existing run continues as it started, even if the cells before it have changed since.
    const auto used = used_start(cell);
    const bool is_continued = has_progress(cell);
    if (is_continued) start = used;
    const bool has_config = fs::exists(run(cell) / "config.json");
    const bool starts_again = has_config && !is_continued && start != used;
    words.emplace_back(starts_again ? "--force" : "--resume");
  }
  if (start) words.insert(words.end(), {"--set", "solver.warm_start=" + run(*start).string()});
  return words;
}

}  // namespace sculpt::core
