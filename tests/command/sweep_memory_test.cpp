// Cells of a sweep run side by side as far as memory allows.

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "command/interrupted_run.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/runs/cell_runner.hpp"

using namespace sculpt::test;
using namespace sculpt::core;

namespace {

constexpr std::int64_t plenty = std::int64_t{1} << 50;

std::size_t begun(const fs::path& cells) {
  return static_cast<std::size_t>(std::count_if(
      fs::directory_iterator(cells), fs::directory_iterator(),
      [](const fs::directory_entry& one) { return one.path().extension() == ".log"; }));
}

// A binary whose runs say that they need one byte, take more, sleep and leave no model: they need
// no processor.
fs::path sleeper(const Scratch& scratch) {
  scratch.write("sleeper",
                "#!/bin/sh\n"
                "mkdir -p \"$4\"\n"
                "echo '{\"event\":\"started\",\"memory_estimate_bytes\":1}' > \"$4/events.jsonl\"\n"
                "sleep 0.4\n"
                "exit 4\n");
  fs::permissions(scratch / "sleeper", fs::perms::owner_all);
  return scratch / "sleeper";
}

// How many cells had begun when the first, the second and the third of them ended. None of them
// ends before its time is up, and each is a chain of its own.
std::vector<std::size_t> begun_at_ends(int threads, const std::function<std::int64_t()>& free,
                                       const fs::path& binary = SCULPT_TEST_BINARY) {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  fs::create_directory(scratch / "cells");
  const Grid grid({"oracle=viterbi,enumerate,icm"});
  std::vector<PointTraits> traits(grid.size(), PointTraits{1, true});
  Plan plan = plan_of(grid, {}, traits);
  for (Cell& cell : plan.cells) {
    cell.sets.insert(cell.sets.end(), {"solver=subgradient", "solver.max_passes=1000000000",
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
    counts.push_back(begun(settings.folder));
  });
  CHECK(runner.run());
  return counts;
}

using Counts = std::vector<std::size_t>;

}  // namespace

TEST_CASE("where memory is short one cell runs at a time, whatever the number of threads") {
  CHECK(begun_at_ends(3, [] { return 0; }) == Counts{1, 2, 3});
}

TEST_CASE("a cell that takes more than it said it would is taken at what it takes") {
  const Scratch scratch;
  CHECK(begun_at_ends(
            3, [] { return 0; }, sleeper(scratch)) == Counts{1, 2, 3});
}

TEST_CASE("where memory abounds so many cells run at a time as there are threads") {
  const Scratch scratch;
  const fs::path binary = sleeper(scratch);
  const auto abounds = [] { return plenty; };
  CHECK(begun_at_ends(3, abounds, binary) == Counts{3, 3, 3});
  const auto no_limit = [] { return std::numeric_limits<std::int64_t>::max(); };
  CHECK(begun_at_ends(3, no_limit, binary) == Counts{3, 3, 3});
  CHECK(begun_at_ends(2, abounds, binary).front() == 2);
}

TEST_CASE("a further cell waits until memory is free") {
  const Scratch scratch;
  // Until then the first has run alone for longer than it takes to say what it needs.
  int asked = 0;
  const auto later = [&asked] { return ++asked > 8 ? plenty : 0; };
  CHECK(begun_at_ends(3, later, sleeper(scratch)) == Counts{3, 3, 3});
  CHECK(asked > 9);
}
