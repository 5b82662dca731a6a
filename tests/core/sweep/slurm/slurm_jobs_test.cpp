// The array jobs of a sweep: each cell has one task, behind the task of the cell before it.

#include "sweep/slurm/slurm_jobs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>

using namespace sculpt::core;

namespace {

using Chains = std::vector<std::vector<std::string>>;

// Chains of 0 to 4 cells, in a mixed order.
Chains mixed_chains(std::size_t count) {
  Chains chains;
  for (std::size_t k = 0; k < count; ++k) {
    chains.emplace_back();
    for (std::size_t place = 0; place < k * 7 % 5; ++place) {
      chains.back().push_back(std::to_string(k) + "." + std::to_string(place));
    }
  }
  return chains;
}

}  // namespace

TEST_CASE("each cell has one task, and its number is that of the cell before it") {
  for (const std::size_t max_tasks : {1U, 3U, 4U, 1000U}) {
    CAPTURE(max_tasks);
    const Chains chains = mixed_chains(23);
    const std::vector<SlurmJob> jobs = slurm_jobs(chains, max_tasks);
    std::map<std::string, std::pair<std::size_t, std::size_t>> place_of;  // cell: job, task
    std::map<std::string, int> count_of;                                  // names of jobs
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      CHECK(++count_of[jobs[job].name] == 1);
      CHECK_FALSE(jobs[job].cells.empty());
      CHECK(jobs[job].cells.size() <= max_tasks);
      for (std::size_t task = 0; task < jobs[job].cells.size(); ++task) {
        CHECK(place_of.emplace(jobs[job].cells[task], std::pair(job, task)).second);
      }
    }
    std::size_t cell_count = 0;
    for (const auto& chain : chains) {
      for (std::size_t k = 0; k < chain.size(); ++k, ++cell_count) {
        REQUIRE(place_of.contains(chain[k]));
        const auto [job, task] = place_of[chain[k]];
        CHECK(jobs[job].previous.has_value() == (k > 0));
        if (k == 0) continue;
        REQUIRE(jobs[job].previous < job);  // submitted before
        CHECK(place_of[chain[k - 1]] == std::pair(*jobs[job].previous, task));
      }
    }
    CHECK(place_of.size() == cell_count);
  }
}

TEST_CASE("the array jobs of a sweep are few: one for each place in the longest chain") {
  const std::vector<SlurmJob> jobs = slurm_jobs({{"a"}, {"b", "c", "d"}, {}, {"e", "f"}});
  REQUIRE(jobs.size() == 3);
  CHECK(jobs[0].cells == std::vector<std::string>{"b", "e", "a"});
  CHECK(jobs[1].cells == std::vector<std::string>{"c", "f"});
  CHECK(jobs[2].cells == std::vector<std::string>{"d"});
  CHECK(jobs[2].name == "cells-3");
  CHECK(slurm_jobs({{}, {}}).empty());
  CHECK(slurm_jobs(Chains(2001, {"a"})).size() == 3);
  CHECK(slurm_jobs(Chains(2001, {"a"}))[2].name == "cells-1-part-3");
}
