#include "sweep/runs/cell_runner.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

#include "base/surroundings.hpp"
#include "sweep/runs/cell_end.hpp"

namespace sculpt::core {
namespace {

// Cells of one sweep differ in memory: reserves 1/6 more than the largest so far.
constexpr double reserve_fraction = 1.0 / 6;

}  // namespace

CellRunner::CellRunner(const SweepPlan& plan, Settings settings, CellEnded on_cell_ended)
    : plan_(plan),
      settings_(std::move(settings)),
      cells_(plan, settings_.folder, settings_.config, settings_.check_model),
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
    peak_ = std::max(peak_, estimated_bytes(cells_.run(running.cell)));
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

// The cell that gives its planes to the next cell of the chain: the previous one, if it has planes.
std::optional<std::size_t> CellRunner::start_of(std::size_t cell) const {
  const auto previous = plan_.previous(cell);
  const bool has_planes =
      previous && records_[*previous] && cells_.has_planes(*previous, *records_[*previous]);
  return has_planes ? previous : std::nullopt;
}

void CellRunner::start_cell(std::size_t chain) {
  const std::size_t cell = plan_.chains[chain][next_[chain]];
  const auto chains = static_cast<int>(plan_.chains.size());
  const int threads = std::max(1, settings_.threads / chains);
  const std::vector<std::string> words =
      cells_.train_words(cell, start_of(cell), threads, settings_.is_resumed);
  forget_cell_end(cells_.end(cell));
  running_.push_back(
      {chain, cell, std::make_unique<CellProcess>(words, cells_.log(cell), settings_.binary)});
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
  CellRecord record = cells_.record(ended.cell, result.exit_code);
  if (record.has_model()) peak_ = std::max(peak_, result.peak_bytes);
  const bool is_stopped = is_stopping_ && was_stopped(record);
  store_end(cells_.end(ended.cell), record, result, is_stopped);
  if (is_stopped) return;
  records_[ended.cell] = std::move(record);
  on_cell_ended_(plan_.cells[ended.cell], *records_[ended.cell]);
  if (++next_[ended.chain] < plan_.chains[ended.chain].size()) waiting_.push_back(ended.chain);
}

// Reads the stored peaks of the cells that had ended earlier.
void CellRunner::load_peaks() {
  for (std::size_t cell = 0; cell < plan_.cells.size(); ++cell) {
    peak_ = std::max(peak_, read_cell_end(cells_.end(cell)).peak_bytes);
  }
}

}  // namespace sculpt::core
