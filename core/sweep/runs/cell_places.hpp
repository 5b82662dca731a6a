// cell_places.hpp - where the cells of a sweep run: on this machine, or under mpirun on those of
// all ranks (rank_cells.hpp).
//
// Used by CellRunner, which chooses the place of each cell. No result depends on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/memory/free_memory.hpp"
#include "sweep/runs/sculpt_process.hpp"

namespace sculpt::core {

// What a cell is started with.
struct CellStart {
  std::size_t cell = 0;
  std::vector<std::string> words;  // of train
  std::filesystem::path log;
};

struct EndedCell {
  std::size_t cell;
  ProcessExit result;
};

// What is known of a place: of its cells, and of the memory of its machine.
struct PlaceState {
  int machine = 0;               // places with the same number share memory
  int threads = 0;               // of all its cells together
  std::int64_t free_memory = 0;  // bytes for new processes
  std::int64_t resident = 0;     // bytes of its cells
  std::int64_t largest = 0;      // bytes of the largest of its cells so far
};

class CellPlaces {
 public:
  virtual ~CellPlaces() = default;
  virtual std::size_t count() const = 0;
  virtual PlaceState state(std::size_t place) = 0;
  // Throws Failure(Exit::memory) if no process can be started.
  virtual void start(std::size_t place, const CellStart& start) = 0;
  // All running cells leave a checkpoint.
  virtual void request_stop() = 0;
  // The cells that have ended since the last call. Throws as CellProcess::poll().
  virtual std::vector<EndedCell> poll() = 0;
};

// Cells that are children of this process: one place.
class OwnCells : public CellPlaces {
 public:
  explicit OwnCells(int threads, std::filesystem::path binary = sculpt_program(),
                    std::function<std::int64_t()> free_memory = core::free_memory_for_new_processes)
      : threads_(threads), binary_(std::move(binary)), free_memory_(std::move(free_memory)) {}

  std::size_t count() const override { return 1; }
  PlaceState state(std::size_t place) override;
  void start(std::size_t place, const CellStart& start) override;
  void request_stop() override;
  std::vector<EndedCell> poll() override;

  void set_threads(int threads) { threads_ = threads; }

 private:
  struct Running {
    std::size_t cell;
    std::unique_ptr<CellProcess> process;
  };

  int threads_;
  std::filesystem::path binary_;
  std::function<std::int64_t()> free_memory_;
  std::vector<Running> running_;
};

}  // namespace sculpt::core
