#include "sweep/runs/single_cell.hpp"

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/failure.hpp"
#include "base/surroundings.hpp"
#include "run/folder_lock.hpp"
#include "sweep/runs/cell_end.hpp"
#include "sweep/runs/cell_lock.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {
namespace {

CellRecord stored_record(const CellFolder& cells, std::size_t cell) {
  const CellEnd end = read_cell_end(cells.end(cell));
  if (end.exit_code) return cells.record(cell, *end.exit_code);
  CellRecord record;
  record.has_ended = false;
  const bool runs = is_trained_now(cells.log(cell)) || is_in_use(cells.run(cell));
  record.reason = runs                                       ? "is running"
                  : cells.has_progress(cell)                 ? "was stopped or killed"
                  : std::filesystem::exists(cells.run(cell)) ? "was killed before a checkpoint"
                                                             : "has not begun";
  return record;
}

// The cell whose planes this one takes. Nothing: it starts without.
std::optional<std::size_t> start_of(const SweepPlan& plan, const CellFolder& cells,
                                    std::size_t cell) {
  const auto previous = plan.previous(cell);
  if (!previous) return std::nullopt;
  const CellRecord record = stored_record(cells, *previous);
  if (!record.has_ended) {
    const std::string& name = plan.cells[*previous].name;
    throw Failure(Exit::missing, plan.cells[cell].name + " starts with the planes of " + name +
                                     ", which " + record.reason + "; train it first: --cell " +
                                     name);
  }
  return cells.has_planes(*previous, record) ? previous : std::nullopt;
}

// After the kill of a task its `sculpt train` may take a moment to die. Then the next task would
// find the run in use, and the cell would have failed.
void wait_until_free(const std::filesystem::path& run) {
  constexpr auto patience = std::chrono::seconds(10);
  const auto end = std::chrono::steady_clock::now() + patience;
  while (is_in_use(run) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(CellProcess::poll_every);
  }
}

}  // namespace

std::optional<CellRecord> train_single_cell(const SweepPlan& plan, const CellFolder& cells,
                                            std::size_t cell, int threads) {
  const CellLock lock(cells.log(cell));
  wait_until_free(cells.run(cell));
  const auto words = cells.train_words(cell, start_of(plan, cells, cell), threads, true);
  forget_cell_end(cells.end(cell));
  CellProcess process(words, cells.log(cell));
  const auto result = process.wait(stop_request());
  if (!result) return std::nullopt;
  CellRecord record = cells.record(cell, result->exit_code);
  store_end(cells.end(cell), record, *result);
  return record;
}

std::vector<CellRecord> stored_records(const SweepPlan& plan, const CellFolder& cells) {
  std::vector<CellRecord> records;
  for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
    records.push_back(stored_record(cells, cell));
  }
  return records;
}

}  // namespace sculpt::core
