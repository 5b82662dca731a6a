#include "command/sweeping/first_rank.hpp"

#include "base/surroundings.hpp"
#include "launch/rank_start.hpp"

namespace sculpt::core {

void run_on_first_rank(const ThreadsOf& threads_of, const FirstRankWork& work) {
  Surroundings& outer = surroundings();
  Ranks* const ranks = outer.ranks();
  if (ranks == nullptr) return work(nullptr, threads_of);
  if (!ranks->is_first()) {
    restore_child_signal();
    return serve_cells(*ranks, threads_of);
  }
  const ThreadsOf of_a_rank = [threads_of, &outer](std::int64_t wanted) {
    const ScopedSurroundings scope(outer);
    return threads_of(wanted);
  };
  RankCells cells(*ranks, of_a_rank);
  LoneRankSurroundings here(outer, *ranks);
  const ScopedSurroundings scope(here);
  try {
    work(&cells, of_a_rank);
  } catch (const RankFailure&) {
    throw;
  } catch (const Failure& failure) {
    cells.end(&failure);
    throw;
  }
  cells.end(nullptr);
}

}  // namespace sculpt::core
