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
      own_place_(settings_.places == nullptr
                     ? std::make_unique<OwnCells>(settings_.threads, settings_.binary,
                                                  settings_.free_memory)
                     : nullptr),
      places_(own_place_ ? *own_place_ : *settings_.places),
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
      places_.request_stop();
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
  while (!waiting_.empty()) {
    const auto place = free_place();
    if (!place) return;
    const std::size_t chain = waiting_.back();
    waiting_.pop_back();
    start_cell(chain, *place);
  }
}

// The place with the fewest cells of those where one more may start.
std::optional<std::size_t> CellRunner::free_place() {
  std::optional<std::size_t> best;
  for (std::size_t place = 0; place < places_.count(); ++place) {
    if (best && cells_at(place) >= cells_at(*best)) continue;
    if (can_start_at(place)) best = place;
  }
  return best;
}

std::int64_t CellRunner::cells_at(std::size_t place) const {
  return std::count_if(running_.begin(), running_.end(),
                       [&](const Running& running) { return running.place == place; });
}

// True if a thread is free there, and memory is enough for one more cell.
bool CellRunner::can_start_at(std::size_t place) {
  const PlaceState state = places_.state(place);
  return cells_at(place) < state.threads && has_memory(state.machine);
}

bool CellRunner::has_memory(int machine) {
  double resident = 0;
  std::int64_t largest = 0;  // bytes of the largest running cell; its estimate may be too low
  std::int64_t free_memory = 0;
  std::int64_t cells = 0;
  for (std::size_t place = 0; place < places_.count(); ++place) {
    const PlaceState state = places_.state(place);
    if (state.machine != machine) continue;
    resident += static_cast<double>(state.resident);
    largest = std::max(largest, state.largest);
    free_memory = std::max(free_memory, state.free_memory);
    cells += cells_at(place);
  }
  if (cells == 0) return true;
  for (const Running& running : running_) {
    peak_ = std::max(peak_, estimated_bytes(cells_.run(running.cell)));
  }
  if (peak_ == 0) return false;
  // In double: without any limit, free_memory() is the largest integer, and the sum would overflow.
  const double needed = static_cast<double>(cells + 1) *
                        static_cast<double>(std::max(peak_, largest)) * (1 + reserve_fraction);
  return needed <= static_cast<double>(free_memory) + resident;
}

// The cell that gives its planes to the next cell of the chain: the previous one, if it has planes.
std::optional<std::size_t> CellRunner::start_of(std::size_t cell) const {
  const auto previous = plan_.previous(cell);
  const bool has_planes =
      previous && records_[*previous] && cells_.has_planes(*previous, *records_[*previous]);
  return has_planes ? previous : std::nullopt;
}

// Chains are divided among the places, and those of a place share its threads.
void CellRunner::start_cell(std::size_t chain, std::size_t place) {
  const std::size_t cell = plan_.chains[chain][next_[chain]];
  const auto places = static_cast<int>(places_.count());
  const int chains = (static_cast<int>(plan_.chains.size()) + places - 1) / places;
  const int threads = std::max(1, places_.state(place).threads / chains);
  const std::vector<std::string> words =
      cells_.train_words(cell, start_of(cell), threads, settings_.is_resumed);
  forget_cell_end(cells_.end(cell));
  places_.start(place, {cell, words, cells_.log(cell)});
  running_.push_back({chain, cell, place});
}

void CellRunner::end_finished_cells() {
  for (const EndedCell& one : places_.poll()) {
    const auto found = std::find_if(running_.begin(), running_.end(), [&](const Running& running) {
      return running.cell == one.cell;
    });
    const Running ended = *found;
    running_.erase(found);
    end_cell(ended, one.result);
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
