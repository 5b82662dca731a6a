// Distributions over the cells of factor graphs: ProblemCells with MapExpectations, against
// expectations at the same weights, and their checks.

#include "problem/sources/problem_cells.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/cancelled.hpp"
#include "core/problem/separation.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t cells_of_first = 18;  // three labels at three positions, and nine pairs
constexpr std::size_t unary_cells = 9;

// A problem of three positions and of two, whose map_solver gives expectations.
class CellProblem {
 public:
  explicit CellProblem(bool guard = false)
      : problem_(spec(guard), Purpose::training, 1, {}), ports_(problem_, 5) {
    REQUIRE(ports_.ports().obstacle_to(Port::cells).empty());
  }
  static void plan() {
    toy_plan() = {};
    toy_plan().training = {{{0, 1, 2}, {0, 1, 2}}, {{3, 1}, {2, 1}}};
    toy_plan().offers_expectations = true;
  }

  CellSource& cells() { return *ports_.ports().cells; }
  ExpectationSource& expectations() { return *ports_.ports().expectations; }
  Services& services() { return problem_.services(); }

  Vector potentials(const Vector& w, const Pass& pass, double* constant = nullptr) {
    const ScopedCellPass scope(cells(), w, pass);
    Vector theta(cells_of_first, -7.0);
    const double returned = cells().compute_potentials(0, 0, theta);
    if (constant != nullptr) *constant = returned;
    return theta;
  }
  LogZ mean(const Vector& theta, Vector& mu, const Pass& pass = Pass(1)) {
    const Vector w = zero_weights();
    const ScopedCellPass scope(cells(), w, pass);
    mu.assign(theta.size(), -7.0);
    return cells().compute_mean(0, 0, theta, mu);
  }
  Refusal refusal_of_mean() {
    Vector mu;
    return refusal_of([&] { mean(Vector(cells_of_first, 0.0), mu); });
  }

 private:
  static ProblemSpec spec(bool guard) {
    ProblemSpec result = toy_spec(toy_map_solver());
    result.is_guarded = guard;
    return result;
  }
  Problem problem_;
  ProblemPorts ports_;
};

}  // namespace

TEST_CASE("E[z] at the scores of w, pulled back, is E[psi] at w, with the same log Z") {
  CellProblem::plan();
  CellProblem problem;
  CHECK(problem.cells().cell_count(0) == cells_of_first);
  CHECK(problem.cells().cell_count(1) == 15);
  const Vector w = random_weights(3);
  for (const double loss_weight : {0.0, 2.0}) {
    Pass pass(1);
    if (loss_weight > 0) pass.loss_weight = loss_weight;
    double constant = 0;
    Vector mu;
    const Vector theta = problem.potentials(w, pass, &constant);
    const LogZ log_z = problem.mean(theta, mu);
    CHECK(log_z.is_exact);
    std::vector<Expectation> expected;
    problem.expectations().compute_expectations(w, std::vector<std::int64_t>{0}, pass, expected);
    CHECK(log_z.value + constant == doctest::Approx(expected[0].log_z.value));
    Vector sum = zero_weights();
    const ScopedCellPass scope(problem.cells(), w, pass);
    problem.cells().add_pullback(0, 0, mu, -2, sum);
    const SparseVector& mean = expected[0].mean;
    for (std::size_t k = 0; k < mean.index.size(); ++k) {
      double& found = sum[static_cast<std::size_t>(mean.index[k])];
      CHECK(found == doctest::Approx(-2 * mean.value[k]));
      found = 0;
    }
    CHECK(sum == zero_weights());
  }
}

TEST_CASE("the scores of cells are those of the pass's scale times w") {
  CellProblem::plan();
  CellProblem problem;
  const Vector w = random_weights(4);
  Pass half(1);
  half.scale = 0.5;
  const Vector whole = problem.potentials(w, Pass(1));
  const Vector scaled = problem.potentials(w, half);
  for (std::size_t k = 0; k < whole.size(); ++k) {
    CHECK(scaled[k] == doctest::Approx(0.5 * whole[k]));
  }
}

TEST_CASE("scores are added to the labels of the truth alone") {
  CellProblem::plan();
  CellProblem problem;
  const Vector w = zero_weights();
  const ScopedCellPass scope(problem.cells(), w, Pass(1));
  Vector theta(cells_of_first, 0.0);
  problem.cells().add_truth(0, 0, 4, theta);
  Vector expected(cells_of_first, 0.0);
  expected[0] = expected[4] = expected[8] = 4;  // labels 0, 1, 2
  CHECK(theta == expected);
}

TEST_CASE("values of E[z] and log Z that are not finite are refused, and no output is allowed") {
  CellProblem::plan();
  CellProblem problem;
  toy_plan().change_mean = [](double&, std::vector<double>& mu) { mu.resize(17); };
  CHECK(problem.refusal_of_mean().says("search: example 0: returns NaN for E[z] in cell 17"));
  toy_plan().change_mean = [](double& log_z, std::vector<double>&) { log_z = infinity; };
  CHECK(problem.refusal_of_mean().says("search: example 0: returns inf for log Z"));
  toy_plan().change_mean = [](double& log_z, std::vector<double>& mu) {
    log_z = -infinity;
    mu.clear();
  };
  Vector mu;
  CHECK(problem.mean(Vector(cells_of_first, 0.0), mu).value == -infinity);
  toy_plan() = {};
}

TEST_CASE("a factor graph that changes its size is refused: scores were stored for its cells") {
  CellProblem::plan();
  CellProblem problem;
  const Refusal refusal = refusal_of([&] {
    Vector mu;
    problem.mean(Vector(cells_of_first - 1, 0.0), mu);
  });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.says("its factor graph had 17 cells of theta, and in another call has 18"));
}

TEST_CASE("under guard E[z] of cells that differs in a second call is refused") {
  using Change = std::function<void(double&, std::vector<double>&)>;
  for (const Change& change : {Change([](double&log_z, auto&) { log_z += 1e-12; }),
                               Change([](double&, auto&mu) { mu[unary_cells] += 1e-12; })}) {
    for (const bool guard : {false, true}) {
      CellProblem::plan();
      CellProblem problem(guard);
      int calls = 0;
      toy_plan().change_mean = [&](double& log_z, std::vector<double>& mu) {
        if (++calls == 2) change(log_z, mu);
      };
      const Refusal refusal = problem.refusal_of_mean();
      CHECK(calls == (guard ? 2 : 1));
      CHECK(refusal.text == (guard ? "search: example 0: its expectation at the same weights "
                                     "differs in a second call"
                                   : "(accepted)"));
      toy_plan() = {};
    }
  }
}

TEST_CASE("under guard E[z] is the same, also if there is no output") {
  CellProblem::plan();
  CellProblem problem(true);
  Vector mu;
  const LogZ log_z = problem.mean(Vector(cells_of_first, 0.5), mu);
  CHECK(log_z.value == doctest::Approx(3 * std::log(3.0) + 5 * 0.5));
  toy_plan().change_mean = [](double& value, std::vector<double>& cells) {
    value = -infinity;
    cells.clear();
  };
  CHECK(problem.mean(Vector(cells_of_first, 0.0), mu).value == -infinity);
  toy_plan() = {};
}

TEST_CASE("a pass is polled before E[z], and not if it must finish") {
  CellProblem::plan();
  CellProblem problem;
  Pass stopped(1, [] { return true; });
  Vector mu;
  CHECK_THROWS_AS(problem.mean(Vector(cells_of_first, 0.0), mu, stopped), Cancelled);
  bool is_told = true;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
    if (function == "features.potentials") is_told = problem.services().cancelled();
    return SCULPT_OK;
  };
  (void)problem.potentials(zero_weights(), stopped);
  CHECK(is_told);
  stopped.must_finish = true;
  (void)problem.potentials(zero_weights(), stopped);
  CHECK_FALSE(is_told);
  CHECK_FALSE(problem.services().must_finish());  // the pass has ended
  toy_plan() = {};
}

TEST_CASE("features that give up in a pass that must finish are at fault") {
  CellProblem::plan();
  CellProblem problem;
  toy_plan().inject_error = [](const std::string& function, std::int64_t) {
    return function == "features.potentials" ? SCULPT_E_CANCELLED : SCULPT_OK;
  };
  Pass pass(1);
  CHECK_THROWS_AS((void)problem.potentials(zero_weights(), pass), Cancelled);
  pass.must_finish = true;
  const Refusal refusal = refusal_of([&] { (void)problem.potentials(zero_weights(), pass); });
  CHECK(refusal.exit == Exit::plugin);
  CHECK_MESSAGE(refusal.says("counts: example 0: returns SCULPT_E_CANCELLED"), refusal.text);
  toy_plan() = {};
}

}  // namespace sculpt::core
