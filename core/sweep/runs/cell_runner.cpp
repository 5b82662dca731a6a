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
#include "base/file/open_file.hpp"
#include "launch/stop_signal.hpp"
#include "model/model_file.hpp"
#include "run/checkpoint.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Cells of one sweep differ in memory: reserves 1/6 more than the largest so far.
constexpr double reserve_part = 1.0 / 6;

// True if --resume has something left to do.
bool was_stopped(const CellRecord& record) {
  return !record.has_model() || record.finished.value("stopped_by", "") == "signal" ||
         !record.finished.value("all_measured", true);
}

// The stored peak in bytes. 0 if there is none or it cannot be read; then the first cells report
// it.
std::int64_t noted_peak(const fs::path& note) {
  std::ifstream file = open_if_there(note, Exit::missing);
  const Json json = Json::parse(file, nullptr, false);
  const Json bytes = json.is_object() ? json.value("peak_bytes", Json()) : Json();
  return bytes.is_number_integer() ? bytes.get<std::int64_t>() : 0;
}

}  // namespace

CellRunner::CellRunner(const Plan& plan, Settings settings, CellEnded heard)
    : plan_(plan),
      settings_(std::move(settings)),
      on_cell_ended_(std::move(heard)),
      next_(plan.chains.size(), 0),
      waiting_(plan.chains.size()),
      records_(plan.cells.size()) {
  std::iota(waiting_.rbegin(), waiting_.rend(), std::size_t{0});
}

bool CellRunner::run() {
  if (settings_.resume) recall_peaks();
  while (!running_.empty() || (!waiting_.empty() && !stopping_)) {
    if (stop_requested() && !stopping_) {
      stopping_ = true;
      for (const Running& one : running_) one.process->ask_to_stop();
    }
    if (!stopping_) start_more();
    poll();
    if (!running_.empty()) std::this_thread::sleep_for(CellProcess::poll_every);
  }
  return !stopping_;
}

std::vector<CellRecord> CellRunner::take_records() {
  std::vector<CellRecord> records;
  for (auto& record : records_) records.push_back(std::move(record.value()));
  return records;
}

void CellRunner::start_more() {
  while (!waiting_.empty() && has_room()) {
    const std::size_t chain = waiting_.back();
    waiting_.pop_back();
    start(chain);
  }
}

bool CellRunner::has_room() {
  if (running_.empty()) return true;
  if (running_.size() >= static_cast<std::size_t>(settings_.threads)) return false;
  double resident = 0;
  std::int64_t taken = 0;  // by the largest of them; more than its estimate if that is too low
  for (const Running& one : running_) {
    peak_ = std::max(peak_, estimated_bytes(run_of(one.cell)));
    const ProcessMemory memory = one.process->memory();
    resident += static_cast<double>(memory.resident);
    taken = std::max(taken, memory.peak);
  }
  if (peak_ == 0) return false;
  // In double: without any limit, free_memory() is the largest integer, and the sum would overflow.
  const double needed = static_cast<double>(running_.size() + 1) *
                        static_cast<double>(std::max(peak_, taken)) * (1 + reserve_part);
  return needed <= static_cast<double>(settings_.free_memory()) + resident;
}

fs::path CellRunner::run_of(std::size_t cell) const {
  return settings_.folder / plan_.cells[cell].name;
}

fs::path CellRunner::beside(std::size_t cell, const char* ending) const {
  return settings_.folder / (plan_.cells[cell].name + ending);
}

// The cell that gives its planes to the next cell of the chain: the previous one, if it has planes.
std::optional<std::size_t> CellRunner::source_of(std::size_t chain) const {
  const std::size_t position = next_[chain];
  if (position == 0 || plan_.cells[plan_.chains[chain][position]].begins_cold) return std::nullopt;
  const std::size_t before = plan_.chains[chain][position - 1];
  const bool has_planes = records_[before] && records_[before]->has_model() &&
                          fs::exists(run_of(before) / "checkpoints" / "last.sculpt");
  return has_planes ? std::optional(before) : std::nullopt;
}

// The cell of the chain that gave its planes to the run of this cell. Compares names only, because
// the folder of the sweep may have been moved.
std::optional<std::size_t> CellRunner::began_with(std::size_t chain, std::size_t cell) const {
  const Json began = configured(run_of(cell), "/solver/warm_start");
  if (!began.is_string()) return std::nullopt;
  const std::string name = fs::path(began.get<std::string>()).filename();
  for (const std::size_t other : plan_.chains[chain]) {
    if (other != cell && plan_.cells[other].name == name) return other;
  }
  return std::nullopt;
}

// True if a restart would lose a model or a checkpoint.
bool CellRunner::has_progress(std::size_t cell) const {
  return fs::exists(run_of(cell) / "model.sculpt") || has_checkpoint(run_of(cell) / "checkpoints");
}

void CellRunner::start(std::size_t chain) {
  const std::size_t cell = plan_.chains[chain][next_[chain]];
  const auto chains = static_cast<int>(plan_.chains.size());
  const int threads = std::max(1, settings_.threads / chains);
  std::vector<std::string> words{"train",     settings_.config,
                                 "--output",  run_of(cell).string(),
                                 "--threads", std::to_string(threads)};
  for (const std::string& set : plan_.cells[cell].sets) words.insert(words.end(), {"--set", set});
  auto source = source_of(chain);
  if (settings_.resume) {
    // An existing run continues as it started, even if the cells before it have changed since.
    const auto began = began_with(chain, cell);
    const bool goes_on = has_progress(cell);
    if (goes_on) source = began;
    const bool is_there = fs::exists(run_of(cell) / "config.json");
    words.emplace_back(is_there && !goes_on && source != began ? "--force" : "--resume");
  }
  if (source) {
    words.insert(words.end(), {"--set", "solver.warm_start=" + run_of(*source).string()});
  }
  running_.push_back(
      {chain, cell, std::make_unique<CellProcess>(words, beside(cell, ".log"), settings_.binary)});
}

void CellRunner::poll() {
  for (std::size_t k = 0; k < running_.size();) {
    const auto ended = running_[k].process->poll();
    if (!ended) {
      ++k;
      continue;
    }
    const Running one = std::move(running_[k]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
    end(one, *ended);
  }
}

void CellRunner::end(const Running& one, const ProcessExit& process) {
  CellRecord record = read_cell(run_of(one.cell), beside(one.cell, ".log"), process.exit);
  if (record.has_model()) examine(one.cell, record);
  if (record.has_model()) note_peak(one.cell, process.peak_bytes);
  if (stopping_ && was_stopped(record)) return;
  records_[one.cell] = std::move(record);
  on_cell_ended_(plan_.cells[one.cell], *records_[one.cell]);
  if (++next_[one.chain] < plan_.chains[one.chain].size()) waiting_.push_back(one.chain);
}

// A model that is damaged, or does not belong to this sweep, counts as missing.
void CellRunner::examine(std::size_t cell, CellRecord& record) const {
  try {
    const ModelFile model(run_of(cell));
    if (settings_.examine) settings_.examine(plan_.cells[cell], model.header());
  } catch (const Failure& failure) {
    record = {};
    record.exit = static_cast<int>(failure.exit());
    record.reason = failure.what();
  }
}

// A cell that had already ended uses little memory now, so its stored peak is kept.
void CellRunner::note_peak(std::size_t cell, std::int64_t bytes) {
  const std::int64_t own = std::max(bytes, noted_peak(beside(cell, ".json")));
  const std::string text = Json{{"peak_bytes", own}}.dump() + "\n";
  write_durably(beside(cell, ".json"), std::array{std::string_view(text)});
  peak_ = std::max(peak_, own);
}

// Reads the peaks of the cells that ended before.
void CellRunner::recall_peaks() {
  for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
    peak_ = std::max(peak_, noted_peak(beside(cell, ".json")));
  }
}

}  // namespace sculpt::core
