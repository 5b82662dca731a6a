// rank_cells.hpp - the cells of a sweep on all ranks: under mpirun, each rank is a place.
//
// The first rank plans the sweep, chooses the places, reads the results and prints. All others
// start the cells that it names, and tell how they ended. Cells are processes of their own that
// know nothing of the ranks: CellProcess takes away what mpirun has set.
//
// They talk in rounds: a step of Ranks, some fifty times a second. So a rank that fails ends the
// sweep with its message, and a signal to any rank stops all cells.
//
// Called by command/sweeping.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "parallel/ranks/ranks.hpp"
#include "sweep/runs/cell_places.hpp"

namespace sculpt::core {

// The threads of a rank, of the number that the experiment asks for.
using ThreadsOf = std::function<int(std::int64_t wanted)>;

// On the first rank.
class RankCells : public CellPlaces {
 public:
  RankCells(Ranks& ranks, ThreadsOf threads_of);

  // The first round. `wanted`: the threads that the experiment asks for.
  void begin(std::int64_t wanted);
  // That of any rank, at the last round; 0: none.
  int stop_signal() const { return ranks_.stop_signal(); }
  // The last round: the others return, or throw the same failure.
  void end(const Failure* failure);

  std::size_t count() const override { return states_.size(); }
  PlaceState state(std::size_t place) override;
  void start(std::size_t place, const CellStart& start) override;
  void request_stop() override;
  std::vector<EndedCell> poll() override;

 private:
  void run_round();
  std::string_view message(bool is_last, const Failure* failure);
  int machine_of(std::size_t place) const;

  Ranks& ranks_;
  ThreadsOf threads_of_;
  OwnCells own_;
  std::int64_t wanted_threads_ = 1;
  bool is_stopping_ = false;
  std::vector<std::vector<CellStart>> starts_;  // [places] to be told in the next round
  std::vector<PlaceState> states_;              // [places] in the last round
  std::vector<EndedCell> ended_;                // on other ranks, and not reported yet
  std::string message_;
};

// On all other ranks, until the first one ends the sweep. Throws the failure by which it ended, and
// RankFailure.
void serve_cells(Ranks& ranks, const ThreadsOf& threads_of);

}  // namespace sculpt::core
