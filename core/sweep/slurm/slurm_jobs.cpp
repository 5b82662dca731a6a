#include "sweep/slurm/slurm_jobs.hpp"

#include <algorithm>
#include <utility>

namespace sculpt::core {

std::vector<SlurmJob> slurm_jobs(std::vector<std::vector<std::string>> chains,
                                 std::size_t max_tasks) {
  std::erase_if(chains, [](const auto& chain) { return chain.empty(); });
  // With the longest first, the tasks of each array are 0, 1, ... without a hole, and task k of an
  // array has a task k in the array before it.
  std::stable_sort(chains.begin(), chains.end(),
                   [](const auto& left, const auto& right) { return left.size() > right.size(); });
  std::vector<SlurmJob> jobs;
  for (std::size_t first = 0; first < chains.size(); first += max_tasks) {
    const std::size_t end = std::min(first + max_tasks, chains.size());
    const std::string part = chains.size() > max_tasks
                                 ? "-part-" + std::to_string(first / max_tasks + 1)
                                 : std::string();
    for (std::size_t place = 0; place < chains[first].size(); ++place) {
      SlurmJob job{"cells-" + std::to_string(place + 1) + part, {}, {}};
      if (place > 0) job.previous = jobs.size() - 1;
      for (std::size_t k = first; k < end && place < chains[k].size(); ++k) {
        job.cells.push_back(std::move(chains[k][place]));
      }
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

}  // namespace sculpt::core
