// Rows of a kernel are the same, whatever the memory for them.

#include "problem/kernel/kernel_rows.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "check/system/memory_limit.hpp"
#include "core/problem/kernel/point_kernel.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr Range atoms{5, 805};

std::vector<std::int32_t> random_atoms(Random& random, std::size_t count) {
  std::set<std::int32_t> chosen;
  while (chosen.size() < count) {
    chosen.insert(
        static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(atoms.size()))));
  }
  return {chosen.begin(), chosen.end()};
}

void check_row(const KernelRows& rows, std::int32_t atom) {
  const float* const row = rows.row(atom);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto other = static_cast<std::int64_t>(t);
    REQUIRE(static_cast<double>(row[t]) ==
            rounded_value_of(atoms.begin + atom, atoms.begin + other));
  }
}

}  // namespace

TEST_CASE("rows that gave up their memory are computed again, with the same values") {
  for (const int threads : {1, 3}) {
    PointKernel kernel;
    Workers workers(threads);
    KernelRows rows(kernel, workers, atoms, 0);
    REQUIRE(rows.size() == 800);
    REQUIRE(rows.max_loaded() == 256);
    Random random(7, "rows");
    std::int64_t asked = 0;
    for (const std::size_t count : {1U, 256U, 40U, 256U, 256U, 3U, 160U, 256U, 1U, 120U}) {
      const std::vector<std::int32_t> chosen = random_atoms(random, count);
      rows.load(chosen);
      asked += std::ssize(chosen);
      for (const std::int32_t atom : chosen) check_row(rows, atom);
    }
    CHECK(rows.asked_count() == asked);
    CHECK(rows.computed_count() == kernel.computed_count());
    CHECK(rows.computed_count() > 800);
    CHECK(rows.computed_count() < asked);
  }
}

TEST_CASE("with memory for all rows each is computed once") {
  PointKernel kernel;
  Workers workers(2);
  KernelRows rows(kernel, workers, atoms, 1 << 22);
  CHECK(rows.max_loaded() == 800);
  Random random(8, "rows");
  std::set<std::int32_t> seen;
  for (int k = 0; k < 6; ++k) {
    const std::vector<std::int32_t> chosen = random_atoms(random, 50);
    seen.insert(chosen.begin(), chosen.end());
    rows.load(chosen);
  }
  for (const std::int32_t atom : seen) check_row(rows, atom);
  CHECK(rows.computed_count() == std::ssize(seen));
  CHECK(rows.asked_count() == 300);
}

TEST_CASE("a row for which there is no memory ends the run, and says how large it is") {
  constexpr Range many{0, 4000000};
  constexpr int no_limit = 2;  // with a sanitizer
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    PointKernel kernel;
    Workers workers(1);
    KernelRows rows(kernel, workers, many, 1 << 20);
    limit_memory(std::uint64_t{4} << 20);
    rlimit limit = {};
    ::getrlimit(RLIMIT_DATA, &limit);
    if (limit.rlim_cur == RLIM_INFINITY) ::_exit(no_limit);
    const std::vector<std::int32_t> one{17};
    const Refusal refused = refusal_of([&] { rows.load(one); });
    ::_exit(refused.exit == Exit::memory && refused.says("one row has 16000000 bytes") ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == no_limit));
}
