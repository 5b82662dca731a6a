// If columns differ so much that rounding makes D fall, the working set restores an earlier alpha.

#include "qp/working_set/alpha_snapshot.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/memory_state.hpp"
#include "core/qp/random_blocks.hpp"
#include "core/qp/restricted_values.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t raw_columns = 4;

Plane raw_plane(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> a(raw_columns);
  for (double& value : a) value = normal(random);
  a[0] *= 1e25;
  a[1] *= 1e8;
  return plane(a, 1);
}

// Adds a plane, evaluates D (0.075), and adds another plane.
void evaluate_and_add(WorkingSet& working_set) {
  working_set.add(0, PlaneVector(plane(std::vector<double>{1, 2}, 1).a), 1, 1);
  working_set.block(0).alpha = {0.9, 0.1};
  working_set.refresh();
  CHECK_FALSE(working_set.dual_has_fallen());
  working_set.accept_alpha();
  working_set.add(0, PlaneVector(plane(std::vector<double>{-1, 3}, 1).a), 1, 2);
}

}  // namespace

TEST_CASE("D never falls if planes are added whose columns differ by 25 powers of ten") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const SlackTerm& term : {SlackTerm::linear(100), SlackTerm::squared(100)}) {
      CAPTURE(seed);
      CAPTURE(term.is_linear());
      std::mt19937_64 random(seed);
      const std::int64_t blocks = seed % 2 == 0 ? 1 : 5;
      WorkingSet working_set(blocks, raw_columns, term);
      QpSolver qp_solver(working_set);
      for (std::uint64_t round = 0; round < 8; ++round) {
        for (std::int64_t i = 0; i < blocks; ++i) {
          const Plane added = raw_plane(random);
          REQUIRE(working_set.add(i, PlaneVector(added.a), added.b, round));
        }
        const double before = working_set.dual();
        QpRequest request;
        request.max_sweeps = 200;
        qp_solver.solve(request);
        CHECK(working_set.dual() >= before - 1e-11 * working_set.dual_magnitude());
      }
    }
  }
}

TEST_CASE("an alpha that made D fall is replaced by the accepted one, also after a load") {
  WorkingSet working_set(1, 2, SlackTerm::linear(1));
  evaluate_and_add(working_set);
  working_set.block(0).alpha = {0, 0, 1};
  StateBuffer state;
  working_set.save_alpha(state);
  working_set.save_planes(state, working_set.block_sizes());
  WorkingSet loaded(1, 2, SlackTerm::linear(1));
  MemoryReader in{std::string(state.bytes())};
  loaded.load(in);
  for (WorkingSet* each : {&working_set, &loaded}) {
    each->refresh();
    CHECK(each->dual() == doctest::Approx(-4));
    CHECK(each->dual_has_fallen());
    each->restore_accepted_alpha();
    CHECK(each->block(0).alpha == std::vector<double>{0.9, 0.1, 0});
    CHECK(each->dual() == doctest::Approx(0.075));
    CHECK(each->w().dense()[1] == doctest::Approx(0.2));
  }
}

TEST_CASE("an alpha that made D rise is kept, and can be restored after planes are dropped") {
  WorkingSet working_set(1, 2, SlackTerm::linear(1));
  evaluate_and_add(working_set);
  working_set.block(0).alpha = {0.8, 0.2, 0};
  working_set.refresh();
  CHECK_FALSE(working_set.dual_has_fallen());
  working_set.accept_alpha();
  working_set.block(0).age = {0, 0, 1};
  working_set.drop_from_age(1);
  working_set.block(0).alpha = {1, 0};
  working_set.refresh();
  CHECK(working_set.dual_has_fallen());
  working_set.restore_accepted_alpha();
  CHECK(working_set.block(0).alpha == std::vector<double>{0.8, 0.2});
}

TEST_CASE("a plane is not added if the square of its norm overflows") {
  WorkingSet working_set(1, 2, SlackTerm::linear(1));
  CHECK_FALSE(working_set.add(0, PlaneVector(plane(std::vector<double>{1e160, 1}, 1).a), 1, 1));
  CHECK(working_set.plane_count() == 0);
  CHECK(working_set.add(0, PlaneVector(plane(std::vector<double>{1e150, 1}, 1).a), 1, 1));
}
