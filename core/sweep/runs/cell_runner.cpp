#include "sweep/runs/cell_runner.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <thread>
#include <utility>

#include "base/failure.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/stored_json.hpp"
#include "base/surroundings.hpp"
#include "model/model_file.hpp"
#include "run/checkpoint.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Cells of one sweep differ in memory: reserves 1/6 more than the largest so far.
constexpr double reserve_fraction = 1.0 / 6;

// True if --resume has something left to do.
bool was_stopped(const CellRecord& record) {
  return !record.has_model() || record.finished.value("stopped_by", "") == "signal" ||
         !record.finished.value("all_measured", true);
}

// The stored peak in bytes. 0 if there is none or it cannot be read; then the first cells report
// it.
std::int64_t stored_peak(const fs::path& path) {
  const Json json = read_stored_object(path, Exit::missing);
  const Json bytes = json.is_object() ? json.value("peak_bytes", Json()) : Json();
  return bytes.is_number_integer() ? bytes.get<std::int64_t>() : 0;
}

}  // namespace

CellRunner::CellRunner(const SweepPlan& plan, Settings settings, CellEnded on_cell_ended)
    : plan_(plan),
      settings_(std::move(settings)),
      on_cell_ended_(std::move(on_cell_ended)),
      next_(plan.chains.size(), 0),
      waiting_(plan.chains.size()),
      records_(plan.cells.size()) {
  std::iota(waiting_.rbegin(), waiting_.rend(), std::size_t{0});
}

bool CellRunner::run() {
  if (settings_.is_resumed) load_peaks();
  while (!running_.empty() || (!waiting_.empty() && !is_stopping_)) {
    if (stop_requested() && !is_stopping_) {
      is_stopping_ = true;
      for (const Running& running : running_) running.process->request_stop();
    }
    if (!is_stopping_) start_cells();
    end_finished_cells();
    if (!running_.empty()) std::this_thread::sleep_for(CellProcess::poll_every);
  }
  return !is_stopping_;
}

std::vector<CellRecord> CellRunner::take_records() {
  std::vector<CellRecord> records;
  for (auto& record : records_) records.push_back(std::move(record.value()));
  return records;
}

void CellRunner::start_cells() {
  while (!waiting_.empty() && can_start_cell()) {
    const std::size_t chain = waiting_.back();
    waiting_.pop_back();
    start_cell(chain);
  }
}

// True if a thread is free, and memory is enough for one more cell.
bool CellRunner::can_start_cell() {
  if (running_.empty()) return true;
  if (running_.size() >= static_cast<std::size_t>(settings_.threads)) return false;
  double resident = 0;
  std::int64_t largest = 0;  // bytes of the largest running cell; its estimate may be too low
  for (const Running& running : running_) {
    peak_ = std::max(peak_, estimated_bytes(run_folder(running.cell)));
    const ProcessMemory memory = running.process->memory();
    resident += static_cast<double>(memory.resident);
    largest = std::max(largest, memory.peak);
  }
  if (peak_ == 0) return false;
  // In double: without any limit, free_memory() is the largest integer, and the sum would overflow.
  const double needed = static_cast<double>(running_.size() + 1) *
                        static_cast<double>(std::max(peak_, largest)) * (1 + reserve_fraction);
  return needed <= static_cast<double>(settings_.free_memory()) + resident;
}

fs::path CellRunner::run_folder(std::size_t cell) const {
  return settings_.folder / plan_.cells[cell].name;
}

fs::path CellRunner::file_of(std::size_t cell, const char* ending) const {
  return settings_.folder / (plan_.cells[cell].name + ending);
}

// The cell that gives its planes to the next cell of the chain: the previous one, if it has planes.
std::optional<std::size_t> CellRunner::warm_start_cell(std::size_t chain) const {
  const std::size_t position = next_[chain];
  if (position == 0 || plan_.cells[plan_.chains[chain][position]].is_cold_start) {
    return std::nullopt;
  }
  const std::size_t previous = plan_.chains[chain][position - 1];
  const bool has_planes = records_[previous] && records_[previous]->has_model() &&
                          fs::exists(run_folder(previous) / "checkpoints" / "last.sculpt");
  return has_planes ? std::optional(previous) : std::nullopt;
}

// The cell of the chain that gave its planes to the run of this cell. Compares names only, because
// the folder of the sweep may have been moved.
std::optional<std::size_t> CellRunner::used_warm_start_cell(std::size_t chain,
                                                            std::size_t cell) const {
  const Json source = config_value(run_folder(cell), "/solver/warm_start");
  if (!source.is_string()) return std::nullopt;
  const std::string name = fs::path(source.get<std::string>()).filename();
  for (const std::size_t other : plan_.chains[chain]) {
    if (other != cell && plan_.cells[other].name == name) return other;
  }
  return std::nullopt;
}

// True if a restart would lose a model or a checkpoint.
bool CellRunner::has_progress(std::size_t cell) const {
  return fs::exists(run_folder(cell) / "model.sculpt") ||
         has_checkpoint(run_folder(cell) / "checkpoints");
}

void CellRunner::start_cell(std::size_t chain) {
  const std::size_t cell = plan_.chains[chain][next_[chain]];
  const auto chains = static_cast<int>(plan_.chains.size());
  const int threads = std::max(1, settings_.threads / chains);
  std::vector<std::string> arguments{"train",     settings_.config,
                                     "--output",  run_folder(cell).string(),
                                     "--threads", std::to_string(threads)};
  for (const std::string& setting : plan_.cells[cell].settings) {
    arguments.insert(arguments.end(), {"--set", setting});
  }
  auto warm_start = warm_start_cell(chain);
  if (settings_.is_resumed) {
    // An existing run continues as it started, even if the cells before it have changed since.
    const auto used_warm_start = used_warm_start_cell(chain, cell);
    const bool is_continued = has_progress(cell);
    if (is_continued) warm_start = used_warm_start;
    const bool has_config = fs::exists(run_folder(cell) / "config.json");
    const bool starts_again = has_config && !is_continued && warm_start != used_warm_start;
    arguments.emplace_back(starts_again ? "--force" : "--resume");
  }
  if (warm_start) {
    arguments.insert(arguments.end(),
                     {"--set", "solver.warm_start=" + run_folder(*warm_start).string()});
  }
  running_.push_back(
      {chain, cell,
       std::make_unique<CellProcess>(arguments, file_of(cell, ".log"), settings_.binary)});
}

void CellRunner::end_finished_cells() {
  for (std::size_t k = 0; k < running_.size();) {
    const auto result = running_[k].process->poll();
    if (!result) {
      ++k;
      continue;
    }
    const Running ended = std::move(running_[k]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
    end_cell(ended, *result);
  }
}

void CellRunner::end_cell(const Running& ended, const ProcessExit& result) {
  CellRecord record =
      read_cell(run_folder(ended.cell), file_of(ended.cell, ".log"), result.exit_code);
  if (record.has_model()) check_model(ended.cell, record);
  if (record.has_model()) store_peak(ended.cell, result.peak_bytes);
  if (is_stopping_ && was_stopped(record)) return;
  records_[ended.cell] = std::move(record);
  on_cell_ended_(plan_.cells[ended.cell], *records_[ended.cell]);
  if (++next_[ended.chain] < plan_.chains[ended.chain].size()) waiting_.push_back(ended.chain);
}

// A model that is damaged, or does not belong to this sweep, counts as missing.
void CellRunner::check_model(std::size_t cell, CellRecord& record) const {
  try {
    const ModelFile model(run_folder(cell));
    if (settings_.check_model) settings_.check_model(plan_.cells[cell], model.header());
  } catch (const Failure& failure) {
    record = {};
    record.exit_code = static_cast<int>(failure.exit_code());
    record.reason = failure.what();
  }
}

// A cell that had already ended uses little memory now, so its stored peak is kept.
void CellRunner::store_peak(std::size_t cell, std::int64_t bytes) {
  const std::int64_t peak = std::max(bytes, stored_peak(file_of(cell, ".json")));
  const std::string text = Json{{"peak_bytes", peak}}.dump() + "\n";
  write_durably(file_of(cell, ".json"), std::array{std::string_view(text)});
  peak_ = std::max(peak_, peak);
}

// Reads the stored peaks of the cells that had ended earlier.
void CellRunner::load_peaks() {
  for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
    peak_ = std::max(peak_, stored_peak(file_of(cell, ".json")));
  }
}

}  // namespace sculpt::core
