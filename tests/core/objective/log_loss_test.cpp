// LogLoss: P against its definition, the gradient against finite differences, the gap against duals
// of enumerated distributions. LogLossObjective: texts and JSON.

#include "objective/log_loss.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/refusal.hpp"
#include "core/solver/crf/enumerated_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;
using Json = nlohmann::ordered_json;

namespace {

const LogLossTerms all_terms[] = {
    {1, 0, 0, 1}, {10, 0, 0, 1}, {3, 0, 1, 1}, {3, 0, 0.5, 0.2}, {2, 0.3, 1, 3}};

Vector random_w(std::uint64_t seed, std::size_t dimension) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector w(dimension);
  for (double& one : w) one = normal(random);
  return w;
}

LogLossPoint evaluate(const LogLossTerms& terms, EnumeratedExpectations& problem, const Vector& w) {
  EnumeratedPorts ports(problem);
  LogLoss loss(terms, problem, ports.truths);
  LogLossPoint point;
  point.w = w;
  loss.evaluate(Pass(1), point);
  return point;
}

// D(p) = C/n sum of c_i (T H(p_i) + l E[Delta]) - f*(v), for the distribution of another w. Without
// l1: f*(v) = 1/2 ||v||^2.
double enumerated_dual(const LogLossTerms& terms, const EnumeratedExpectations& problem,
                       const Vector& w) {
  const double T = terms.temperature;
  double entropies = 0;
  Vector v(w.size(), 0.0);
  for (std::size_t i = 0; i < problem.examples.size(); ++i) {
    const EnumeratedExample& example = problem.examples[i];
    const double weight = problem.example_weight(static_cast<std::int64_t>(i));
    double sum = 0;
    for (const EnumeratedOutput& y : example.outputs) {
      sum += std::exp((dot(w, y.psi) + terms.loss_weight * y.loss) / T);
    }
    for (const EnumeratedOutput& y : example.outputs) {
      const double p = std::exp((dot(w, y.psi) + terms.loss_weight * y.loss) / T) / sum;
      entropies += weight * p * (terms.loss_weight * y.loss - T * std::log(p));
      for (std::size_t j = 0; j < v.size(); ++j) {
        v[j] += weight * p * (example.outputs[0].psi[j] - y.psi[j]);
      }
    }
  }
  const double price = terms.C / static_cast<double>(problem.examples.size());
  for (double& one : v) one *= price;
  return price * entropies - 0.5 * squared_norm(v);
}

}  // namespace

TEST_CASE("P of a log-loss is its definition, and its gradient that of finite differences") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EnumeratedExpectations problem = random_enumerated(seed);
    if (seed % 2 == 0) problem.weights = {1, 2, 0, 0.5, 1, 3, 1};
    for (const LogLossTerms& terms : all_terms) {
      CAPTURE(seed);
      CAPTURE(terms.temperature);
      const Vector w = random_w(seed, 5);
      const LogLossPoint point = evaluate(terms, problem, w);
      CHECK(point.primal == Approx(problem.primal(terms, w)).epsilon(1e-12));
      LogLossTerms smooth = terms;
      smooth.l1 = 0;
      for (std::size_t j = 0; j < w.size(); ++j) {
        constexpr double step = 1e-5;
        Vector more = w;
        Vector less = w;
        more[j] += step;
        less[j] -= step;
        const double slope =
            (problem.primal(smooth, more) - problem.primal(smooth, less)) / (2 * step);
        CHECK(point.gradient[j] == Approx(slope).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("the gap of a log-loss is P - D for the dual of its own distribution") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EnumeratedExpectations problem = random_enumerated(seed);
    if (seed % 2 == 0) problem.weights = {1, 2, 0, 0.5, 1, 3, 1};
    for (const LogLossTerms& terms : all_terms) {
      if (terms.l1 > 0) continue;
      const Vector w = random_w(seed + 10, 5);
      const LogLossPoint point = evaluate(terms, problem, w);
      CHECK(point.dual() == Approx(enumerated_dual(terms, problem, w)).epsilon(1e-11));
      // Any distribution proves a lower bound of P at any w.
      const Vector other = random_w(seed + 20, 5);
      CHECK(enumerated_dual(terms, problem, other) <= point.primal);
    }
  }
}

TEST_CASE(
    "0 <= loss(T) - loss(0) <= T log |Y|, where loss(0) is the perceptron loss or the hinge") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    EnumeratedExpectations problem = random_enumerated(seed, 1);
    const EnumeratedExample& example = problem.examples[0];
    const Vector w = random_w(seed, 5);
    for (const double l : {0.0, 1.0}) {
      double limit = 0;  // max over y of l Delta - <w, psi_i - psi>
      for (const EnumeratedOutput& y : example.outputs) {
        limit = std::max(limit, l * y.loss + dot(w, y.psi) - dot(w, example.outputs[0].psi));
      }
      for (const double T : {1.0, 0.1, 0.001}) {
        const double loss = evaluate({1, 0, l, T}, problem, w).primal - 0.5 * squared_norm(w);
        CHECK(loss >= limit - 1e-12);
        CHECK(loss <= limit + T * std::log(std::ssize(example.outputs)) + 1e-12);
      }
    }
  }
}

TEST_CASE("examples without outputs have no log-loss, and count in n") {
  EnumeratedExpectations problem = random_enumerated(3);
  const Vector w = random_w(3, 5);
  const double before = evaluate({4, 0, 0, 1}, problem, w).primal - 0.5 * squared_norm(w);
  EnumeratedExample empty;
  empty.truth_psi.assign(5, 1e6);
  problem.examples.insert(problem.examples.begin() + 2, empty);
  const LogLossPoint point = evaluate({4, 0, 0, 1}, problem, w);
  CHECK(point.no_output_count == 1);
  CHECK(point.primal - 0.5 * squared_norm(w) == Approx(before * 7 / 8));
}

TEST_CASE("a log-loss that is written to JSON is read back unchanged, with its text") {
  const auto text_of = [](const LogLossTerms& terms, const Domain& domain) {
    const LogLossObjective written(terms, domain);
    const auto read = objective_in(Json::parse(written.json().dump()));
    CHECK(read->text() == written.text());
    CHECK(read->json() == written.json());
    CHECK(read->remarks(7) == written.remarks(7));
    CHECK_FALSE(read->is_hinge());
    REQUIRE(read->log_loss() != nullptr);
    CHECK(read->log_loss()->C == terms.C);
    return written.text();
  };
  CHECK(text_of({10, 0, 0, 1}, {}) == "1/2 ||w||^2 + C/n sum of log-losses, C = 10");
  CHECK(text_of({10, 0.5, 1, 1}, {}) ==
        "1/2 ||w||^2 + 0.5 ||w||_1 + C/n sum of softmax-margins, C = 10");
  CHECK(text_of({10, 0, 2, 0.1}, {3, false, true}) ==
        "1/2 ||w||^2 + C/n sum of weighted softmax-margins, C = 10, 2 times the loss, temperature "
        "0.1, 3 weights at least 0");
  const auto refused = [](const char* key, const Json& value) {
    Json json = LogLossObjective({}, {}).json();
    json[key] = value;
    return refusal_of([&] { objective_in(json); }).exit == Exit::data;
  };
  CHECK(refused("C", 0));
  CHECK(refused("l1", -1));
  CHECK(refused("loss_weight", -1));
  CHECK(refused("temperature", 0));
  CHECK(refused("nonnegative", 1.5));
}

TEST_CASE("C of a log-loss is converted for CRFsuite, Wapiti and CRF++") {
  CHECK(LogLossObjective({100, 0, 0, 1}, {}).remarks(626).at(0) ==
        "lambda = 0.01; the same minimum: CRFsuite c2 = 3.13, Wapiti --rho2 6.26, CRF++ -c or "
        "scikit-learn C = 0.159744");
  // With weights of examples, too: these programs add up weighted log-losses.
  CHECK(LogLossObjective({100, 0, 0, 1}, {0, false, true}).remarks(626) ==
        LogLossObjective({100, 0, 0, 1}, {}).remarks(626));
  CHECK(LogLossObjective({100, 2, 0, 1}, {}).remarks(50).at(0) ==
        "lambda = 0.01; the same minimum: CRFsuite c2 = 0.25, Wapiti --rho2 0.5, with CRFsuite c1 "
        "= 1, Wapiti --rho1 1");
  for (const LogLossObjective& other :
       {LogLossObjective({100, 0, 1, 1}, {}), LogLossObjective({100, 0, 0, 2}, {}),
        LogLossObjective({100, 0, 0, 1}, {2})}) {
    CHECK(other.remarks(50).at(0) == "lambda = 0.01");
  }
}
