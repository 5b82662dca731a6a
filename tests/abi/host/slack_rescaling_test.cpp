// Slack rescaling and slack norm 2, for losses on whole sets, orders and choices. The host searches
// with several loss_weights or scans a frontier. Its results are compared with all outputs.

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "problem/outputs/output_set.hpp"
#include "problem/sources/problem_planes.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

constexpr Formulation formulations[] = {
    {Rescaling::slack, 1, 1}, {Rescaling::slack, 2, 1}, {Rescaling::margin, 2, 1}};

// Returns b - <w, a> of an output with this loss. `score_difference`: its score minus
// that of the truth.
double violation(const Formulation& formulation, double loss, double score_difference) {
  const double root = formulation.slack_norm == 2 ? std::sqrt(loss) : loss;
  return formulation.rescaling == Rescaling::slack ? root * (1 + score_difference)
                                                   : root + score_difference;
}

// Returns H_i by its definition. If the truth is an output, its violation is 0.
double largest_violation(Problem& problem, std::int64_t example, const Vector& w) {
  const std::optional<OutputSet> listed = OutputLister(problem, 100000).all_outputs(example);
  REQUIRE((listed && listed->complete));
  const OutputSet& all = *listed;
  const sculpt_labels y = problem.dataset().truth(example);
  const double truth = dot(stub::psi(problem, example, {y.data, y.data + y.size}), w);
  double largest = -INFINITY;
  for (const Output& output : all.outputs) {
    largest = std::max(largest,
                       violation(problem.formulation(), output.loss, dot(output.psi, w) - truth));
  }
  return largest;
}

using RandomEngine = std::mt19937_64;

int draw(RandomEngine& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<std::uint64_t>(high - low + 1));
}

// Returns weights of one of three kinds: scores that tie or differ little, scores that differ much,
// scores that are all equal.
Vector random_weights(RandomEngine& random, std::int64_t dimension, int kind) {
  Vector w(static_cast<std::size_t>(dimension));
  const double scale[] = {0.5, 8, 0};
  for (double& weight : w) weight = scale[kind] * draw(random, -3, 3);
  return w;
}

std::string random_row(RandomEngine& random) {
  std::string row;
  for (int feature = 1; feature <= 2; ++feature) {
    const int value = draw(random, -2, 2);
    if (value != 0) row += " " + std::to_string(feature) + ":" + std::to_string(0.5 * value);
  }
  return row + "\n";
}

// Returns rows for 6 sets of 2 to 6 rows with both labels.
std::string random_sets(RandomEngine& random) {
  std::string text;
  for (int row = draw(random, 12, 36); row > 0; --row) {
    const bool positive = row <= 6 || (row > 12 && draw(random, 0, 2) == 0);
    text += (positive ? "+1" : "-1") + random_row(random);
  }
  return text + "+1 1:1 2:1\n-1\n";
}

std::string random_queries(RandomEngine& random) {
  std::string text = "2 qid:0 1:1 2:1\n0 qid:0\n1 qid:0\n";
  for (int query = 1; query <= 6; ++query) {
    for (int document = draw(random, 2, 4); document > 0; --document) {
      const int grade = document == 1 ? 2 : document == 2 ? 0 : draw(random, 0, 2);
      text += std::to_string(grade) + " qid:" + std::to_string(query) + random_row(random);
    }
  }
  return text;
}

std::string random_topics(RandomEngine& random) {
  std::string text;
  for (int topic = 1; topic <= 6; ++topic) {
    text += "topic " + std::to_string(topic) + "\n";
    for (int document = draw(random, 2, 7); document > 0; --document) {
      text += "document " + std::to_string(document) + " | s" + std::to_string(document % 3);
      if (draw(random, 0, 1) == 0) text += " s" + std::to_string(draw(random, 0, 4));
      text += " |";
      for (int word = draw(random, 0, 4); word > 0; --word) {
        text += " w" + std::to_string(draw(random, 1, 6));
      }
      text += "\n";
    }
  }
  return text;
}

struct ExampleCounts {
  int violated = 0;  // examples with an output that violates its margin
  int attained = 0;  // of these, examples for which the host found the most violating output
};

// Compares the results of the host with all outputs: each example and formulation, several w,
// `trials` random data. With a frontier the host must find the largest violation.
ExampleCounts compare(const stub::Parts& parts, std::string (*data)(RandomEngine&),
                      SeparationStrategy strategy, int trials) {
  CAPTURE(parts.loss);
  CAPTURE(parts.loss_keys);
  CAPTURE(parts.oracle);
  CAPTURE(parts.oracle_keys);
  RandomEngine random(1);
  ExampleCounts counts;
  for (int trial = 0; trial < trials; ++trial) {
    const std::string text = data(random);
    CAPTURE(text);
    for (const Formulation& formulation : formulations) {
      const auto problem = stub::problem(parts, text, 1, formulation);
      REQUIRE(problem->strategy() == strategy);
      ProblemPlanes source(*problem, 1);
      std::vector<std::int64_t> numbers(static_cast<std::size_t>(source.example_count()));
      std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
      for (int kind = 0; kind < 3; ++kind) {
        const Vector w = random_weights(random, problem->dimension(), kind);
        std::vector<Separation> found;
        source.separate(w, numbers, 1, found);
        for (std::size_t i = 0; i < found.size(); ++i) {
          CAPTURE(i);
          const double largest = largest_violation(*problem, problem->training()[numbers[i]], w);
          const double rounding = 1e-9 * (1 + std::abs(largest));
          REQUIRE(found[i].low <= std::max(largest, 0.0) + rounding);
          REQUIRE(std::max(found[i].high, 0.0) >= largest - rounding);
          if (largest <= rounding) continue;
          const bool attained = found[i].low >= largest - rounding;
          if (strategy == SeparationStrategy::frontier) {
            REQUIRE(attained);
            REQUIRE(found[i].high <= largest + rounding);
          }
          ++counts.violated;
          counts.attained += attained ? 1 : 0;
        }
      }
    }
  }
  return counts;
}

TEST_CASE("slack rescaling of losses on sets is exact with a frontier") {
  for (const std::string loss :
       {"f_beta", "error_rate", "balanced_error", "break_even", "precision_at", "recall_at"}) {
    const stub::Parts parts{"svmlight_set",
                            "contingency",
                            loss,
                            "contingency",
                            R"({"bias": true})",
                            R"({"sets": 6})",
                            loss.ends_with("_at") ? R"({"k": 2})" : "{}"};
    CHECK(compare(parts, random_sets, SeparationStrategy::frontier, 5).violated > 100);
  }
}

TEST_CASE("slack rescaling of losses on orders: the search mostly finds the maximum") {
  for (const std::string loss : {"roc_area", "average_precision"}) {
    const stub::Parts parts{"svmlight_set",           "contingency",   loss, "contingency",
                            R"({"output": "order"})", R"({"sets": 6})"};
    const ExampleCounts counts =
        compare(parts, random_sets, SeparationStrategy::loss_weight_search, 20);
    CHECK(counts.violated > 500);
    CHECK(counts.attained > 0.8 * counts.violated);
  }
}

TEST_CASE("slack rescaling of losses on rankings: the search mostly finds the maximum") {
  // parameters for three grades, and for two: relevant or not
  const std::string three = "{}", two = R"({"relevant_from": 1})";
  const auto parts = [](const std::string& loss, const std::string& features,
                        const std::string& keys) {
    return stub::Parts{"svmrank", "ranking", loss, "ranking", features, "{}", keys};
  };
  for (const stub::Parts& one :
       {parts("pair_error", three, "{}"), parts("pair_error", two, two),
        parts("mean_average_precision", three, "{}"), parts("mean_average_precision", two, two),
        parts("reciprocal_rank", three, "{}"), parts("ndcg", three, R"({"k": 0})"),
        parts("ndcg", three, R"({"k": 2, "gain": "linear"})")}) {
    const ExampleCounts counts =
        compare(one, random_queries, SeparationStrategy::loss_weight_search, 10);
    CHECK(counts.violated > 250);
    CHECK(counts.attained > 0.8 * counts.violated);
  }
}

TEST_CASE("slack rescaling of choices of documents: the search mostly finds the maximum") {
  const auto parts = [](const std::string& oracle, const std::string& keys) {
    return stub::Parts{"topics",
                       "coverage",
                       "subtopics",
                       oracle,
                       R"({"frequency": [0.3, 0.5], "normalize": false})",
                       R"({"k": 2})",
                       "{}",
                       keys};
  };
  for (const stub::Parts& one :
       {parts("exact_coverage", "{}"), parts("exact_coverage", R"({"max_steps": 12})"),
        parts("greedy_coverage", R"({"bound": "always"})")}) {
    const ExampleCounts counts =
        compare(one, random_topics, SeparationStrategy::loss_weight_search, 10);
    CHECK(counts.violated > 250);
    CHECK(counts.attained > 0.5 * counts.violated);
  }
}

}  // namespace
}  // namespace sculpt::core
