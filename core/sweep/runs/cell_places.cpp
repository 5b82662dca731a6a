#include "sweep/runs/cell_places.hpp"

#include <algorithm>

namespace sculpt::core {

PlaceState OwnCells::state(std::size_t) {
  PlaceState state;
  state.threads = threads_;
  state.free_memory = free_memory_();
  for (const Running& running : running_) {
    const ProcessMemory memory = running.process->memory();
    state.resident += memory.resident;
    state.largest = std::max(state.largest, memory.peak);
  }
  return state;
}

void OwnCells::start(std::size_t, const CellStart& start) {
  running_.push_back({start.cell, std::make_unique<CellProcess>(start.words, start.log, binary_)});
}

void OwnCells::request_stop() {
  for (const Running& running : running_) running.process->request_stop();
}

std::vector<EndedCell> OwnCells::poll() {
  std::vector<EndedCell> ended;
  std::erase_if(running_, [&](const Running& running) {
    const auto result = running.process->poll();
    if (result) ended.push_back({running.cell, *result});
    return result.has_value();
  });
  return ended;
}

}  // namespace sculpt::core
