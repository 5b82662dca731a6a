// If planes touch few of very many weights, the QP is the same as over these weights alone.

#include "qp/plane/columns_in_use.hpp"

#include <doctest/doctest.h>

#include <random>

#include "core/memory_state.hpp"
#include "core/qp/restricted_values.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t wide = std::size_t{1} << 21;
constexpr std::size_t narrow = 7;
constexpr std::size_t blocks = 40;

// The column of the wide problem that corresponds to column j of the narrow one.
std::size_t wide_column(std::size_t j) {
  return j * (wide / narrow) + 11 * j;
}

WorkingSet rows_of(std::size_t dimension, double size) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  WorkingSet working_set(blocks, static_cast<std::int64_t>(dimension), SlackTerm::linear(0.3));
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::uint64_t output = 1; output <= 3; ++output) {
      SparseVector a;
      for (std::size_t j = 0; j < narrow; ++j) {
        a.index.push_back(static_cast<std::int32_t>(dimension == wide ? wide_column(j) : j));
        a.value.push_back(normal(random) * (j == 0 ? size : 1));
      }
      working_set.add(static_cast<std::int64_t>(i), PlaneVector(a), 1, output);
    }
  }
  return working_set;
}

void check_same_optimum(double size) {
  WorkingSet narrow_set = rows_of(narrow, size);
  WorkingSet wide_set = rows_of(wide, size);
  CHECK_FALSE(narrow_set.columns().has_few());
  REQUIRE(wide_set.columns().has_few());
  CHECK(wide_set.columns().list().size() == narrow);
  QpSolver narrow_solver(narrow_set);
  QpSolver wide_solver(wide_set);
  QpRequest request;
  request.tolerance = 1e-9;
  CHECK(narrow_solver.solve(request) == wide_solver.solve(request));
  CHECK(wide_set.dual() == doctest::Approx(narrow_set.dual()).epsilon(1e-8));
  CHECK(wide_solver.restricted_gap() <= 1e-8);
  const Vector point = wide_solver.evaluation_point();
  CHECK(primal_at(wide_set, point) - wide_set.dual() <= 1e-8);
  CHECK(squared_norm(wide_set.scratch()) == 0);
}

}  // namespace

TEST_CASE("a QP over few of very many weights has the same optimum as over these weights alone") {
  check_same_optimum(1);
}

TEST_CASE("a QP over few of very many weights with Newton steps saves a short state") {
  check_same_optimum(1e6);
  WorkingSet working_set = rows_of(wide, 1e6);
  QpSolver qp_solver(working_set);
  QpRequest request;
  request.tolerance = 1e-9;
  qp_solver.solve(request);
  REQUIRE(qp_solver.newton_point() != nullptr);
  StateBuffer state;
  qp_solver.save(state);
  CHECK(state.bytes().size() < 10000);  // much shorter than w
  WorkingSet again = rows_of(wide, 1e6);
  QpSolver loaded(again);
  MemoryReader reader{std::string(state.bytes())};
  loaded.load(reader);
  REQUIRE(loaded.newton_point() != nullptr);
  CHECK(*loaded.newton_point() == *qp_solver.newton_point());
}

TEST_CASE("sums have the same bits after a load with few columns as before with many columns") {
  constexpr std::size_t dimension = std::size_t{1} << 20;
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  WorkingSet working_set(1, dimension, SlackTerm::linear(1));
  for (const std::size_t step : {std::size_t{9973}, std::size_t{11}}) {
    SparseVector a;
    for (std::size_t j = 0; j < dimension; j += step) {
      a.index.push_back(static_cast<std::int32_t>(j));
      a.value.push_back(normal(random));
    }
    CHECK(working_set.columns().has_few());
    working_set.add(0, PlaneVector(a), 1, step);
  }
  CHECK_FALSE(working_set.columns().has_few());
  Block& block = working_set.block(0);
  block.alpha = {0.5, 0.5, 0};
  block.age = {0, 0, 1};
  working_set.drop_from_age(1);
  working_set.refresh();
  WorkingSet loaded(1, dimension, SlackTerm::linear(1));
  StateBuffer state;
  working_set.save_alpha(state);
  working_set.save_planes(state, working_set.block_sizes());
  MemoryReader in{std::string(state.bytes())};
  loaded.load(in);
  CHECK(loaded.columns().has_few());
  loaded.refresh();
  CHECK(loaded.w().dense() == working_set.w().dense());
  CHECK(loaded.squared_norm() == working_set.squared_norm());
}

TEST_CASE("a loaded working set has its columns, and recomputes w with the same bits") {
  WorkingSet before = rows_of(wide, 1);
  QpSolver qp_solver(before);
  QpRequest request;
  request.tolerance = 1e-6;
  qp_solver.solve(request);
  StateBuffer state;
  before.save_alpha(state);
  before.save_planes(state, before.block_sizes());
  WorkingSet after(blocks, wide, SlackTerm::linear(0.3));
  MemoryReader reader{std::string(state.bytes())};
  after.load(reader);
  CHECK(after.columns().list().size() == narrow);
  after.refresh();
  before.refresh();
  CHECK(after.w().dense() == before.w().dense());
  CHECK(after.squared_norm() == before.squared_norm());
}

TEST_CASE("columns are few until planes touch more than one of sixteen weights") {
  ColumnsInUse columns(wide);
  CHECK(columns.has_few());
  SparseVector a{{5, 3000}, {1, 2}};
  columns.add_columns_of(PlaneVector(a));
  columns.add_columns_of(PlaneVector(SparseVector{{4, 5}, {1, 2}}));
  CHECK(std::vector<std::int32_t>(columns.list().begin(), columns.list().end()) ==
        std::vector<std::int32_t>{4, 5, 3000});
  SparseVector many;
  for (std::size_t j = 0; j < wide / 16; ++j) {
    many.index.push_back(static_cast<std::int32_t>(j));
    many.value.push_back(1 + static_cast<double>(j));
  }
  columns.add_columns_of(PlaneVector(many));
  CHECK_FALSE(columns.has_few());
}
