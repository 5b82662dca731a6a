// An oracle in C that proves its maximum (sculpt/ext/draft/witness.h), and uses the sessions and
// services of c_plugin.h. The verifier computes with rational numbers.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/cancelled.hpp"
#include "base/random.hpp"
#include "exact_numbers.hpp"
#include "stub_components.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_witness> {
  static constexpr const char* id = SCULPT_EXT_WITNESS;
  static constexpr std::size_t required_functions = 1;
};

namespace {

using stub::Exact;
using stub::Witness;
using Labels = std::vector<std::int32_t>;

// An example with its scores: value(y) = base + sum of score[t] over the picked sites.
struct Picking {
  Labels truth;
  std::vector<std::vector<double>> x;  // [sites][coordinates]
  Vector w;
  double loss_weight = 0;
  std::int64_t most = 0;

  Exact base() const {
    return Exact(loss_weight) * static_cast<int>(std::count(truth.begin(), truth.end(), 1));
  }
  std::vector<Exact> scores() const {
    std::vector<Exact> scores;
    for (std::size_t t = 0; t < x.size(); ++t) {
      Exact score = Exact(loss_weight) * (truth[t] == 1 ? -1 : 1);
      for (std::size_t k = 0; k < w.size(); ++k) score += Exact(w[k]) * Exact(x[t][k]);
      scores.push_back(score);
    }
    return scores;
  }
  // The largest value of all outputs.
  Exact maximum() const {
    std::vector<Exact> scores = this->scores();
    std::sort(scores.rbegin(), scores.rend());
    Exact sum = base();
    for (std::size_t k = 0; k < std::min(scores.size(), static_cast<std::size_t>(most)); ++k) {
      if (scores[k] > 0) sum += scores[k];
    }
    return sum;
  }
  Exact value_of(const Labels& y) const {
    const std::vector<Exact> all = scores();
    Exact sum = base();
    for (std::size_t t = 0; t < y.size(); ++t) sum += y[t] == 1 ? all[t] : Exact(0);
    return sum;
  }
  std::string line() const {
    std::string text;
    for (std::size_t t = 0; t < x.size(); ++t) {
      text += (t > 0 ? " | " : "") + std::to_string(truth[t]);
      for (const double value : x[t]) text += " " + std::to_string(value);
    }
    return text + "\n1 0 0\n";  // the second example makes sure that there is a label 1
  }
};

Picking random_picking(Random& random) {
  Picking example;
  const auto sites = static_cast<std::size_t>(random.integer(1, 7));
  for (std::size_t t = 0; t < sites; ++t) {
    example.truth.push_back(static_cast<std::int32_t>(random.integer(0, 1)));
    example.x.push_back(
        {std::stod(std::to_string(random.normal())), std::stod(std::to_string(random.normal()))});
  }
  example.w = {random.normal(), random.normal()};
  example.loss_weight = random.chance(3) ? 0 : random.unit();
  example.most = random.integer(0, 4);
  return example;
}

// The bound that a witness proves, by the formulas of witness.h. Nothing if it proves nothing.
std::optional<Exact> bound_of(const Picking& example, const std::string& kind,
                              const std::vector<double>& numbers) {
  const std::vector<Exact> scores = example.scores();
  if (kind == SCULPT_WITNESS_DUAL) {  // one row: the number of picked sites is at most `most`
    if (numbers.size() != 1 || numbers[0] < 0) return std::nullopt;
    const Exact y = numbers[0];
    Exact bound = example.base() + example.most * y;
    for (const Exact& score : scores) bound += std::max(Exact(0), Exact(score - y));
    return bound;
  }
  if (kind != SCULPT_WITNESS_POTENTIALS) return std::nullopt;
  const auto width = static_cast<std::size_t>(example.most) + 1;
  if (numbers.size() != (scores.size() + 1) * width + 1) return std::nullopt;
  const std::vector<Exact> u(numbers.begin(), numbers.end());
  if (u[0] < example.base()) return std::nullopt;
  for (std::size_t t = 0; t < scores.size(); ++t) {
    for (std::size_t k = 0; k <= std::min(t, width - 1); ++k) {  // the nodes that have an edge
      const Exact& tail = u[t * width + k];
      if (u[(t + 1) * width + k] < tail) return std::nullopt;
      if (k + 1 < width && u[(t + 1) * width + k + 1] < tail + scores[t]) return std::nullopt;
    }
  }
  for (std::size_t k = 0; k <= std::min(scores.size(), width - 1); ++k) {
    if (u.back() < u[scores.size() * width + k]) return std::nullopt;
  }
  return u.back();
}

std::unique_ptr<Problem> problem_of(const Picking& example, const std::string& witness) {
  stub::Parts parts{"points", "marks", "count_errors", "pick"};
  parts.oracle_keys =
      R"({"witness": ")" + witness + R"(", "most": )" + std::to_string(example.most) + "}";
  return stub::problem(parts, example.line(), 1);
}

void prove(Problem& problem, const sculpt_query& query, Answer& answer, Witness& witness) {
  const Component& oracle = problem.oracle().component();
  stub::OneSession session(oracle);
  const auto& table = *oracle.extension<sculpt_ext_witness>();
  oracle.call("prove", 0, [&](sculpt_error* error) {
    return table.prove(session.raw(), &query, answer.raw(), &witness.raw, error);
  });
}

TEST_CASE("dual and potentials of an oracle prove its maximum, in exact arithmetic") {
  Random random(5, "pick");
  for (const std::string kind : {SCULPT_WITNESS_DUAL, SCULPT_WITNESS_POTENTIALS}) {
    for (int number = 0; number < 60; ++number) {
      CAPTURE(kind);
      CAPTURE(number);
      const Picking example = random_picking(random);
      const auto problem = problem_of(example, kind);
      const sculpt_query query = stub::query(*problem, 0, example.w, example.loss_weight);
      Answer answer;
      Witness witness;
      prove(*problem, query, answer, witness);
      REQUIRE(witness.raw.kind == kind);
      CHECK(answer.has_flag(SCULPT_ANSWER_EXACT));
      const Labels y = stub::vector_of(answer.labels());
      CHECK(std::count(y.begin(), y.end(), 1) <= example.most);
      const Exact maximum = example.maximum();
      const std::optional<Exact> bound = bound_of(example, kind, witness.numbers());
      REQUIRE(bound.has_value());
      CHECK(*bound >= maximum);
      CHECK(static_cast<double>(*bound - maximum) <= 1e-12);
      CHECK(static_cast<double>(maximum - example.value_of(y)) <= 1e-12);
      Answer plain;
      problem->oracle().argmax(0, query, plain);
      CHECK(stub::vector_of(plain.labels()) == y);
      CHECK(plain.value() == answer.value());
    }
  }
}

TEST_CASE("the nodes of more picked sites than there are before them have u = 0") {
  Random random(8, "pick");
  for (int number = 0; number < 20; ++number) {
    Picking example = random_picking(random);
    example.most = 4;
    const auto problem = problem_of(example, SCULPT_WITNESS_POTENTIALS);
    Answer answer;
    Witness witness;
    prove(*problem, stub::query(*problem, 0, example.w, example.loss_weight), answer, witness);
    const std::vector<double> u = witness.numbers();
    for (std::size_t t = 0; t <= example.x.size(); ++t) {
      for (std::size_t k = t + 1; k <= 4; ++k) CHECK(u.at(t * 5 + k) == 0);
    }
  }
}

TEST_CASE("wrong numbers of an oracle prove a larger bound, or nothing") {
  Random random(6, "pick");
  int nothing = 0;
  int larger = 0;
  for (int number = 0; number < 100; ++number) {
    const Picking example = random_picking(random);
    std::vector<double> u((example.x.size() + 1) * static_cast<std::size_t>(example.most + 1) + 1);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = static_cast<double>(k) + random.normal();
    for (const std::optional<Exact>& bound :
         {bound_of(example, SCULPT_WITNESS_DUAL, {2 * random.unit()}),
          bound_of(example, SCULPT_WITNESS_POTENTIALS, u)}) {
      nothing += bound ? 0 : 1;
      larger += bound && *bound > example.maximum() ? 1 : 0;
      if (bound) CHECK(*bound >= example.maximum());
    }
  }
  CHECK(nothing > 10);
  CHECK(larger > 10);
}

TEST_CASE("an oracle without a proof says so") {
  Random random(7, "pick");
  const Picking example = random_picking(random);
  const auto problem = problem_of(example, SCULPT_WITNESS_NONE);
  Answer answer;
  Witness witness;
  prove(*problem, stub::query(*problem, 0, example.w, 1), answer, witness);
  CHECK(witness.raw.kind == std::string(SCULPT_WITNESS_NONE));
  CHECK(witness.numbers().empty());
}

TEST_CASE("a plugin in C asks the host whether to stop, and writes to its log") {
  Workers workers(1);
  std::atomic<bool> is_cancelled = false;
  std::string logged;
  Callbacks callbacks;
  callbacks.cancelled = [&] { return is_cancelled.load(); };
  callbacks.log = [&](std::int32_t severity, const std::string& text) {
    CHECK(severity == SCULPT_LOG_WARNING);
    logged += text;
  };
  Services services(callbacks, workers);
  const auto dataset = stub::loaded("points", "1 0.5 2 | 0 1 1\n");
  const auto features = stub::create(SCULPT_KIND_FEATURES, "marks");
  const auto loss = stub::create(SCULPT_KIND_LOSS, "count_errors");
  stub::bind_and_seal(*dataset);
  stub::bind_and_seal(*features, dataset.get());
  stub::bind_and_seal(*loss, dataset.get(), features.get());
  const sculpt_component& description = stub::find(SCULPT_KIND_ORACLE, "pick");
  const CheckedParameters parameters = stub::checked(description, R"({"most": 0})");
  Component oracle(description, parameters.values(), services);
  stub::bind_and_seal(oracle, dataset.get(), features.get(), loss.get());
  CHECK(logged == "pick: picks no site at all");

  const Vector w = {1, 1};
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.weights = stub::weights_of(w);
  stub::OneSession session(oracle);
  const auto argmax = [&] {
    Answer answer;
    oracle.call("argmax", 0, [&](sculpt_error* error) {
      return oracle.api<sculpt_oracle_api>().argmax(session.raw(), &query, answer.raw(), error);
    });
    return stub::vector_of(answer.labels());
  };
  CHECK(argmax() == Labels{0, 0});
  is_cancelled = true;
  CHECK_THROWS_AS(argmax(), Cancelled);
}

}  // namespace
}  // namespace sculpt::core
