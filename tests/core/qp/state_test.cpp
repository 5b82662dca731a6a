// The state of the working set and the QP is saved and loaded. Damaged states are refused.

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "core/memory_state.hpp"
#include "core/qp/random_blocks.hpp"
#include "core/refusal.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t dimension_of_qp = 9;

std::string state_of(const WorkingSet& working_set) {
  StateBuffer buffer;
  working_set.save_alpha(buffer);
  working_set.save_planes(buffer, working_set.block_sizes());
  return std::string(buffer.bytes());
}

struct Qp {
  explicit Qp(const SlackTerm& term, std::size_t blocks, bool dense = false)
      : working_set(static_cast<std::int64_t>(blocks), dimension_of_qp, term),
        qp_solver(working_set) {
    fill(working_set, random_blocks(7, blocks, 8, dimension_of_qp), dense);
  }
  // Makes some sweeps, and drops planes in between.
  void solve_partly() {
    QpRequest request;
    request.max_sweeps = 3;
    qp_solver.solve(request);
    working_set.age();
    working_set.drop_from_age(1);
    qp_solver.solve(request);
  }
  WorkingSet working_set;
  QpSolver qp_solver;
};

}  // namespace

TEST_CASE("a loaded working set and QP continue with the same bits") {
  for (const SlackTerm& term :
       {SlackTerm::linear(0.7), SlackTerm::squared(0.7), SlackTerm::forbidden()}) {
    for (const bool single_block : {false, true}) {
      CAPTURE(single_block);
      CAPTURE(term.is_linear());
      const std::size_t blocks = single_block ? 1 : 12;
      Qp first(term, blocks, single_block);
      first.solve_partly();
      WorkingSet empty(static_cast<std::int64_t>(blocks), dimension_of_qp, term);
      MemoryReader in(state_of(first.working_set));
      empty.load(in);
      CHECK(in.bytes_left() == 0);
      CHECK(empty.w().dense() == first.working_set.w().dense());
      CHECK(empty.dual() == first.working_set.dual());
      CHECK(empty.squared_norm() == first.working_set.squared_norm());
      CHECK(empty.dual_magnitude() == first.working_set.dual_magnitude());
      CHECK(empty.entry_count() == first.working_set.entry_count());
      CHECK(empty.plane_count() == first.working_set.plane_count());
      CHECK(state_of(empty) == state_of(first.working_set));

      QpSolver qp_solver(empty);
      MemoryReader qp_state(saved(first.qp_solver));
      qp_solver.load(qp_state);
      CHECK(saved(qp_solver) == saved(first.qp_solver));
      qp_solver.solve({});
      first.qp_solver.solve({});
      CHECK(empty.w().dense() == first.working_set.w().dense());
      CHECK(empty.dual() == first.working_set.dual());
      CHECK(state_of(empty) == state_of(first.working_set));
    }
  }
}

TEST_CASE("planes that share an input vector still share it after a drop and a load") {
  // Class differences of two inputs: planes 1, 3, 5 of one, planes 2, 4 of twice that input.
  WorkingSet working_set(1, 60, SlackTerm::linear(1));
  for (std::uint64_t other = 1; other < 6; ++other) {
    SparseVector a;
    for (const std::int32_t label : {0, static_cast<std::int32_t>(other)}) {
      for (std::int32_t k = 0; k < 10; ++k) {
        const double value = other % 2 == 0 ? 2.0 / (k + 3) : 1.0 / (k + 3);
        a.index.push_back(10 * label + k);
        a.value.push_back(label == 0 ? value : -value);
      }
    }
    working_set.add(0, PlaneVector(a), 1, other);
  }
  Block& block = working_set.block(0);
  CHECK(block.a[1].shares_input(block.a[3]));
  CHECK(block.a[2].shares_input(block.a[4]));
  CHECK_FALSE(block.a[1].shares_input(block.a[2]));
  block.alpha = {0.1, 0.3, 0, 0.2, 0, 0.4};
  block.age = {0, 0, 1, 0, 1, 0};
  working_set.drop_from_age(1);
  REQUIRE(working_set.plane_count() == 3);
  working_set.refresh();
  WorkingSet loaded(1, 60, SlackTerm::linear(1));
  MemoryReader in(state_of(working_set));
  loaded.load(in);
  CHECK(loaded.block(0).a[1].shares_input(loaded.block(0).a[3]));
  CHECK(loaded.bytes() == working_set.bytes());
  CHECK(loaded.w().dense() == working_set.w().dense());
}

TEST_CASE("a state saved with earlier block sizes leaves out planes added since") {
  Qp qp(SlackTerm::linear(1), 5);
  const std::vector<std::size_t> sizes = qp.working_set.block_sizes();
  const std::string before = state_of(qp.working_set);
  StateBuffer alpha;
  qp.working_set.save_alpha(alpha);
  qp.working_set.add(2, PlaneVector(SparseVector{{1}, {2.5}}), 1, 999);
  qp.working_set.save_planes(alpha, sizes);
  CHECK(alpha.bytes() == before);
}

// Each state has one changed number.
TEST_CASE("a state is refused if sums would overflow or an age is out of range") {
  const SlackTerm term = SlackTerm::forbidden();
  WorkingSet one_plane(2, dimension_of_qp, term);
  one_plane.add(0, PlaneVector(SparseVector{{1}, {2.5}}), 1, 999);
  const std::string state = state_of(one_plane);
  const auto changed = [&](std::size_t at, auto number) {
    std::string bytes = state;
    std::memcpy(bytes.data() + at, &number, sizeof number);
    WorkingSet loaded(2, dimension_of_qp, term);
    MemoryReader in(bytes);
    return refusal_of([&] { loaded.load(in); });
  };
  // The counts of blocks and weights, then alpha[2] and age[2], each after its length.
  constexpr std::size_t alpha = 16 + 8 + 8;
  constexpr std::size_t age = alpha + 8 + 8 + 4;
  CHECK(changed(alpha, 3.0).exit == Exit::reached);
  CHECK(changed(alpha, 1e308).says("sum is not finite"));
  CHECK(changed(age, std::int32_t{7}).exit == Exit::reached);
  CHECK(changed(age, std::numeric_limits<std::int32_t>::max()).says("an age"));
  CHECK(changed(age, std::int32_t{-1}).says("an age"));
}

// Found by a fuzzer: a run that resumed from such a state never ended.
TEST_CASE("a state is refused if a stored product does not fit its planes") {
  for (const SlackTerm& term : {SlackTerm::linear(1), SlackTerm::squared(1)}) {
    WorkingSet planes(2, dimension_of_qp, term);
    planes.add(1, PlaneVector(SparseVector{{1, 4}, {2.5, 1 / 3.0}}), 1, 7);
    planes.add(1, PlaneVector(SparseVector{{1, 5}, {-0.1, 1}}), 1, 8);
    const std::string state = state_of(planes);
    const auto load = [&](const std::string& bytes) {
      WorkingSet loaded(2, dimension_of_qp, term);
      MemoryReader in(bytes);
      return refusal_of([&] { loaded.load(in); });
    };
    CHECK(load(state).exit == Exit::reached);
    // The product of the last plane with itself, and with the other plane.
    for (const std::size_t from_end : {1U, 2U}) {
      for (const double factor : {0.0, -1.0, 1 + 1e-4, 1e100, 1e200}) {
        std::string changed = state;
        const std::size_t at = state.size() - from_end * sizeof(double);
        double product = 0;
        std::memcpy(&product, state.data() + at, sizeof product);
        product *= factor;
        std::memcpy(changed.data() + at, &product, sizeof product);
        CAPTURE(factor);
        CHECK(load(changed).says("products that do not fit their planes"));
      }
    }
  }
}

// Found by a fuzzer: steps gained by the products, and the recomputed D lost this gain each time.
TEST_CASE("a QP ends even if stored products are off by a little more than rounding") {
  const SlackTerm term = SlackTerm::forbidden();
  WorkingSet planes(1, 3, term);
  planes.add(0, PlaneVector(Vector{1, 0.5, -0.25}), 1.25, 1);
  planes.add(0, PlaneVector(Vector{-0.5, 1, 0.75}), 0.9375, 2);
  planes.add(0, PlaneVector(Vector{0.25, -0.5, 1}), 0.6875, 3);
  std::string state = state_of(planes);
  const std::size_t last = state.size() - sizeof(double);
  double product = 0;
  std::memcpy(&product, state.data() + last, sizeof product);
  product *= 1 - 4e-9;
  std::memcpy(state.data() + last, &product, sizeof product);
  WorkingSet loaded(1, 3, term);
  MemoryReader in(state);
  loaded.load(in);
  std::int64_t polls = 0;
  QpRequest request;
  request.stop = [&polls] { return ++polls > 100'000; };
  QpSolver qp_solver(loaded);
  CHECK(qp_solver.solve(request) != QpEnd::interrupted);
  CHECK(loaded.active_count() == 3);
  CHECK(qp_solver.restricted_gap() <= 1e-7 * loaded.dual());
}

TEST_CASE("the state of another working set is refused") {
  const Qp qp(SlackTerm::linear(1), 5);
  const auto refused = [&](std::int64_t blocks, std::int64_t weights, const SlackTerm& term) {
    WorkingSet other(blocks, weights, term);
    MemoryReader in(state_of(qp.working_set));
    return refusal_of([&] { other.load(in); });
  };
  CHECK(refused(5, dimension_of_qp, SlackTerm::linear(1)).exit == Exit::reached);
  CHECK(refused(4, dimension_of_qp, SlackTerm::linear(1)).says("number of blocks"));
  CHECK(refused(5, dimension_of_qp + 1, SlackTerm::linear(1)).says("number of weights"));
  CHECK(refused(5, dimension_of_qp, SlackTerm::squared(1)).says("plane 0"));
}
