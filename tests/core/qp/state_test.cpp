// The state of the QP, saved and loaded.

#include <doctest/doctest.h>

#include "core/memory_state.hpp"
#include "core/qp/random_blocks.hpp"
#include "core/refusal.hpp"
#include "qp/sweeps.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t dimension = 9;

std::string state_of(const WorkingSet& working_set) {
  StateBuffer buffer;
  working_set.save_alpha(buffer);
  working_set.save_planes(buffer, working_set.block_sizes());
  return std::string(buffer.bytes());
}

// A QP that was solved by some sweeps, with planes dropped.
struct Qp {
  explicit Qp(const SlackTerm& term, std::size_t blocks, bool dense = false)
      : working_set(static_cast<std::int64_t>(blocks), dimension, term), sweeps(working_set) {
    fill(working_set, random_blocks(7, blocks, 8, dimension), dense);
  }
  void work() {
    QpRequest request;
    request.max_sweeps = 3;
    sweeps.solve(request);
    working_set.drop_idle(1);
    sweeps.solve(request);
  }
  WorkingSet working_set;
  Sweeps sweeps;
};

}  // namespace

TEST_CASE("a working set that was loaded goes on with the same bits") {
  for (const SlackTerm& term :
       {SlackTerm::linear(0.7), SlackTerm::squared(0.7), SlackTerm::forbidden()}) {
    for (const bool alone : {false, true}) {
      CAPTURE(alone);
      CAPTURE(term.is_linear());
      const std::size_t blocks = alone ? 1 : 12;
      Qp first(term, blocks, alone);
      first.work();
      WorkingSet empty(static_cast<std::int64_t>(blocks), dimension, term);
      MemoryReader in(state_of(first.working_set));
      empty.load(in);
      CHECK(in.left() == 0);
      CHECK(empty.w() == first.working_set.w());
      CHECK(empty.dual() == first.working_set.dual());
      CHECK(empty.squared_norm() == first.working_set.squared_norm());
      CHECK(empty.scale() == first.working_set.scale());
      CHECK(empty.entry_count() == first.working_set.entry_count());
      CHECK(empty.plane_count() == first.working_set.plane_count());
      CHECK(state_of(empty) == state_of(first.working_set));

      Sweeps sweeps(empty);
      MemoryReader figures(saved(first.sweeps));
      sweeps.load(figures);
      CHECK(saved(sweeps) == saved(first.sweeps));
      sweeps.solve({});
      first.sweeps.solve({});
      CHECK(empty.w() == first.working_set.w());
      CHECK(empty.dual() == first.working_set.dual());
      CHECK(state_of(empty) == state_of(first.working_set));
    }
  }
}

TEST_CASE("planes that came later are left out of a state of earlier sizes") {
  Qp qp(SlackTerm::linear(1), 5);
  const std::vector<std::size_t> sizes = qp.working_set.block_sizes();
  const std::string before = state_of(qp.working_set);
  StateBuffer alpha;
  qp.working_set.save_alpha(alpha);
  qp.working_set.add(2, PlaneVector(SparseVector{{1}, {2.5}}), 1, 999);
  qp.working_set.save_planes(alpha, sizes);
  CHECK(alpha.bytes() == before);
}

TEST_CASE("the state of another working set is refused") {
  const Qp qp(SlackTerm::linear(1), 5);
  const auto refused = [&](std::int64_t blocks, std::int64_t weights, const SlackTerm& term) {
    WorkingSet other(blocks, weights, term);
    MemoryReader in(state_of(qp.working_set));
    return refusal_of([&] { other.load(in); });
  };
  CHECK(refused(5, dimension, SlackTerm::linear(1)).exit == Exit::reached);
  CHECK(refused(4, dimension, SlackTerm::linear(1)).says("number of blocks"));
  CHECK(refused(5, dimension + 1, SlackTerm::linear(1)).says("number of weights"));
  CHECK(refused(5, dimension, SlackTerm::squared(1)).says("reservoir"));
}
