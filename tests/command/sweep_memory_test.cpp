// How many cells of a sweep run at the same time, for the free memory.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "command/interrupted_run.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/runs/cell_runner.hpp"

using namespace sculpt::test;
using namespace sculpt::core;

namespace {

constexpr std::int64_t much_memory = std::int64_t{1} << 50;

std::size_t started_cells(const fs::path& cells) {
  return static_cast<std::size_t>(std::count_if(
      fs::directory_iterator(cells), fs::directory_iterator(),
      [](const fs::directory_entry& one) { return one.path().extension() == ".log"; }));
}

// Writes a program in place of sculpt, whose runs need no processor. They report an estimate of one
// byte, use more, sleep, and leave no model.
fs::path write_sleeper(const Scratch& scratch) {
  scratch.write("sleeper",
                "#!/bin/sh\n"
                "mkdir -p \"$4\"\n"
                "echo '{\"event\":\"started\",\"memory_estimate_bytes\":1}' > \"$4/events.jsonl\"\n"
                "sleep 0.4\n"
                "exit 4\n");
  fs::permissions(scratch / "sleeper", fs::perms::owner_all);
  return scratch / "sleeper";
}

// The numbers of started cells when the first, the second and the third cell ended. Each cell runs
// for its full time, and each is a chain of its own.
std::vector<std::size_t> started_at_ends(int threads, const std::function<std::int64_t()>& free,
                                         const fs::path& binary = SCULPT_TEST_BINARY) {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  fs::create_directory(scratch / "cells");
  const Grid grid({"oracle=viterbi,enumerate,icm"});
  std::vector<PointTraits> traits(grid.size(), PointTraits{1, true});
  SweepPlan plan = plan_of(grid, {}, traits);
  for (Cell& cell : plan.cells) {
    cell.settings.insert(cell.settings.end(), {"solver=subgradient", "solver.max_passes=1000000000",
                                               "solver.max_seconds=0.3"});
  }
  std::vector<std::size_t> counts;
  CellRunner::Settings settings;
  settings.folder = scratch / "cells";
  settings.config = scratch / "noisy.json";
  settings.threads = threads;
  settings.binary = binary;
  settings.free_memory = free;
  CellRunner runner(plan, settings, [&](const Cell&, const CellRecord& record) {
    CHECK(record.has_model() == (binary == SCULPT_TEST_BINARY));
    counts.push_back(started_cells(settings.folder));
  });
  CHECK(runner.run());
  return counts;
}

using Counts = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a sweep without free memory runs one cell at a time for any number of threads") {
  CHECK(started_at_ends(3, [] { return 0; }) == Counts{1, 2, 3});
}

TEST_CASE("a cell that uses more memory than its estimate counts with what it uses") {
  const Scratch scratch;
  CHECK(started_at_ends(
            3, [] { return 0; }, write_sleeper(scratch)) == Counts{1, 2, 3});
}

TEST_CASE("a sweep with enough memory runs as many cells at a time as threads") {
  const Scratch scratch;
  const fs::path binary = write_sleeper(scratch);
  const auto enough = [] { return much_memory; };
  CHECK(started_at_ends(3, enough, binary) == Counts{3, 3, 3});
  const auto no_limit = [] { return std::numeric_limits<std::int64_t>::max(); };
  CHECK(started_at_ends(3, no_limit, binary) == Counts{3, 3, 3});
  CHECK(started_at_ends(2, enough, binary).front() == 2);
}

TEST_CASE("another cell waits until memory is free") {
  const Scratch scratch;
  // Until then the first cell has run alone for longer than it takes to report its estimate.
  int calls = 0;
  const auto later = [&calls] { return ++calls > 8 ? much_memory : 0; };
  CHECK(started_at_ends(3, later, write_sleeper(scratch)) == Counts{3, 3, 3});
  CHECK(calls > 9);
}
