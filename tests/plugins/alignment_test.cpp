// The features and the oracle `alignment`, and the loss `q`, agree with a list of all alignments of
// short sequences.
#include <doctest/doctest.h>

#include "alignment_outputs.hpp"
#include "bound_features.hpp"
#include "oracle_calls.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A task with its components, and a loss if `loss_name` is not empty.
struct BoundAlignment {
  explicit BoundAlignment(const AlignmentTask& task, const std::string& loss_name = "",
                          const json& loss_parameters = json::object())
      : bound("alignment#pairs_fasta", task.dataset_parameters(), task.file(), "alignment",
              task.parameters()),
        oracle("alignment", json::object(), SCULPT_KIND_ORACLE) {
    if (!loss_name.empty()) {
      loss = std::make_unique<LiveComponent>(loss_name, loss_parameters);
      loss->bind(&bound.dataset, &bound.features);
      loss->seal();
    }
    oracle.bind(&bound.dataset, &bound.features, loss.get());
    oracle.seal();
  }
  std::vector<double> psi_of(const Outputs& y) const { return psi(bound.features, 0, y); }

  BoundFeatures bound;
  LiveComponent oracle;
  std::unique_ptr<LiveComponent> loss;
};

std::vector<double> normal_weights(const BoundAlignment& task, Random& random) {
  return normal_vector(random, static_cast<std::size_t>(dimension(task.bound.features)));
}

const Outputs& random_element(const std::vector<Outputs>& all, Random& random) {
  return all[static_cast<std::size_t>(draw(random, 0, static_cast<int>(all.size()) - 1))];
}

// The losses by their definitions.
double share_within(const AlignmentTask& task, const Outputs& truth, const Outputs& guess, int k) {
  const auto pairs = pairs_of(task, truth, true);
  double found = 0;
  for (const auto& [i, j] : pairs) {
    for (const auto& [p, q] : pairs_of(task, guess, false)) {
      if (p == i && std::abs(q - j) <= k) found += 1;
    }
  }
  return pairs.empty() ? 1 : found / static_cast<double>(pairs.size());
}
double f1_of(const AlignmentTask& task, const Outputs& truth, const Outputs& guess) {
  const auto right = pairs_of(task, truth, true);
  const auto found = pairs_of(task, guess, true);
  double matched = 0;
  for (const auto& pair : found) matched += right.count(pair) > 0 ? 1 : 0;
  const double all = static_cast<double>(right.size() + found.size());
  return all > 0 ? 2 * matched / all : 1;
}

struct NamedLoss {
  std::string name;
  json parameters;
  std::function<double(const AlignmentTask&, const Outputs&, const Outputs&)> value;
};
const std::vector<NamedLoss>& losses() {
  static const std::vector<NamedLoss> all{
      {"zero_one", json::object(),
       [](const AlignmentTask&, const Outputs& truth, const Outputs& guess) {
         return truth == guess ? 0.0 : 1.0;
       }},
      {"alignment#q",
       {{"within", 0}},
       [](const AlignmentTask& task, const Outputs& truth, const Outputs& guess) {
         return 1 - share_within(task, truth, guess, 0);
       }},
      {"alignment#q",
       {{"within", 1}},
       [](const AlignmentTask& task, const Outputs& truth, const Outputs& guess) {
         return 1 - share_within(task, truth, guess, 1);
       }},
      {"item_losses#missed", json::object(),
       [](const AlignmentTask& task, const Outputs& truth, const Outputs& guess) {
         return 1 - share_within(task, truth, guess, 0);
       }},
      {"item_losses#f1", json::object(),
       [](const AlignmentTask& task, const Outputs& truth, const Outputs& guess) {
         return 1 - f1_of(task, truth, guess);
       }}};
  return all;
}

}  // namespace

TEST_CASE("alignment: the outputs are all alignments, each once") {
  Random random(901);
  for (int trial = 0; trial < 300; ++trial) {
    const AlignmentTask task = draw_alignment_task(random, 4);
    std::vector<Outputs> expected = all_alignments(task);
    std::vector<Outputs> found = enumerated(BoundAlignment(task).oracle, 0, 100000);
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
  }
}

TEST_CASE("alignment: with gaps in any order the number of global ones is a Delannoy number") {
  const std::vector<std::vector<std::size_t>> delannoy{
      {3, 5, 7, 9}, {5, 13, 25, 41}, {7, 25, 63, 129}, {9, 41, 129, 321}};
  for (std::size_t n = 1; n <= 4; ++n) {
    for (std::size_t m = 1; m <= 4; ++m) {
      AlignmentTask task;
      task.a.assign(n, 'A');
      task.b.assign(m, 'A');
      task.any_order = true;
      CHECK(enumerated(BoundAlignment(task).oracle, 0, 1000).size() == delannoy[n - 1][m - 1]);
    }
  }
}

TEST_CASE("alignment: psi counts pairs, gap letters and gap openings, and adds up profiles") {
  Random random(902);
  for (int trial = 0; trial < 500; ++trial) {
    const AlignmentTask task = draw_annotated_task(random, 5);
    const BoundAlignment bound(task);
    const Outputs y = random_element(all_alignments(task), random);
    std::map<std::string, double> expected = named_psi(task, y);
    const std::vector<double> found = bound.psi_of(y);
    std::set<std::string> names;
    for (std::size_t j = 0; j < found.size(); ++j) {
      const std::string name = weight_name(bound.bound.features, static_cast<std::int64_t>(j));
      CHECK(names.insert(name).second);
      CHECK(found[j] == Approx(expected[name]));
      expected.erase(name);
    }
    CHECK(expected.empty());
  }
}

TEST_CASE("alignment: argmax is the best of all, with each loss and without a loss") {
  Random random(903);
  for (int trial = 0; trial < 400; ++trial) {
    const AlignmentTask task = draw_annotated_task(random, 4);
    const NamedLoss& loss = losses()[static_cast<std::size_t>(trial) % losses().size()];
    const BoundAlignment bound(task, loss.name, loss.parameters);
    const std::vector<Outputs> all = all_alignments(task);
    for (const double loss_weight : {0.0, 1.0, 2.5}) {
      OracleQuery query{0, normal_weights(bound, random), random_element(all, random), loss_weight};
      double best = -1e300;
      for (const Outputs& y : all) {
        const double value = loss.value(task, query.truth, y);
        CHECK(plugin_test::loss(*bound.loss, 0, query.truth, y) == Approx(value));
        best = std::max(best, dot(query.w, bound.psi_of(y)) + loss_weight * value);
      }
      const Solution answer = argmax(bound.oracle, query);
      CHECK(answer.flags == SCULPT_ANSWER_EXACT);
      CHECK(answer.value == Approx(best).epsilon(1e-11));
      CHECK(dot(query.w, bound.psi_of(answer.output)) +
                loss_weight * loss.value(task, query.truth, answer.output) ==
            Approx(best).epsilon(1e-11));
    }
  }
}

TEST_CASE("alignment: the frontier has the best alignment for each value of each loss") {
  Random random(904);
  for (int trial = 0; trial < 250; ++trial) {
    const AlignmentTask task = draw_annotated_task(random, 4);
    const NamedLoss& loss = losses()[static_cast<std::size_t>(trial) % losses().size()];
    const BoundAlignment bound(task, loss.name, loss.parameters);
    const std::vector<Outputs> all = all_alignments(task);
    const OracleQuery query{0, normal_weights(bound, random), random_element(all, random), 1};
    // compared by the value of the loss, because the choice of counts is internal to the plugin
    std::map<long, double> expected;
    std::map<long, double> found;
    const auto keep_best = [](std::map<long, double>& best, double value, double score) {
      const auto [place, is_new] = best.try_emplace(std::lround(value * 1e6), score);
      if (!is_new) place->second = std::max(place->second, score);
    };
    for (const Outputs& y : all) {
      keep_best(expected, loss.value(task, query.truth, y), dot(query.w, bound.psi_of(y)));
    }
    for (const auto& [counts, entry] : frontier(bound.oracle, *bound.loss, query)) {
      CHECK(entry.score == Approx(dot(query.w, bound.psi_of(entry.output))).epsilon(1e-11));
      keep_best(found, loss.value(task, query.truth, entry.output), entry.score);
    }
    REQUIRE(found.size() == expected.size());
    for (const auto& [value, score] : expected) {
      CHECK(found.at(value) == Approx(score).epsilon(1e-11));
    }
  }
}

TEST_CASE("alignment: log Z, means, covariances and the k best agree with the list of all") {
  Random random(905);
  for (int trial = 0; trial < 150; ++trial) {
    const AlignmentTask task = draw_annotated_task(random, 4);
    const BoundAlignment bound(task);
    const OracleQuery query{0, normal_weights(bound, random), {}, 0, false};
    const std::vector<double> v = normal_weights(bound, random);
    const std::vector<Outputs> all = all_alignments(task);
    std::vector<double> scores;
    long double z = 0;
    std::vector<long double> sum(v.size(), 0);
    long double sum_along_v = 0;
    for (const Outputs& y : all) {
      const std::vector<double> features = bound.psi_of(y);
      scores.push_back(dot(query.w, features));
      const long double p = std::exp(static_cast<long double>(scores.back()));
      z += p;
      for (std::size_t j = 0; j < v.size(); ++j) sum[j] += p * features[j];
      sum_along_v += p * dot(v, features);
    }
    const Mean found = mean(bound.oracle, query);
    CHECK(found.log_z == Approx(static_cast<double>(std::log(z))).epsilon(1e-11));
    std::vector<long double> covariance(v.size(), 0);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::vector<double> features = bound.psi_of(all[k]);
      const long double p = std::exp(static_cast<long double>(scores[k])) / z;
      const long double off_mean = dot(v, features) - sum_along_v / z;
      for (std::size_t j = 0; j < v.size(); ++j) {
        covariance[j] += p * (features[j] - sum[j] / z) * off_mean;
      }
    }
    const std::vector<double> times_v = covariance_times(bound.oracle, query, v);
    for (std::size_t j = 0; j < v.size(); ++j) {
      CHECK(std::abs(found.psi[j] - static_cast<double>(sum[j] / z)) < 1e-9);
      CHECK(std::abs(times_v[j] - static_cast<double>(covariance[j])) < 1e-9);
    }
    std::sort(scores.rbegin(), scores.rend());
    const std::vector<Solution> best = k_best(bound.oracle, query, all.size() + 1);
    REQUIRE(best.size() == all.size());
    for (std::size_t k = 0; k < all.size(); ++k) CHECK(best[k].value == Approx(scores[k]));
    for (const Outputs& y : draws(bound.oracle, query, 5)) {
      CHECK(std::find(all.begin(), all.end(), y) != all.end());
    }
  }
}

TEST_CASE("alignment: twice the pairs plus the gap letters is the number of letters") {
  Random random(906);
  const std::vector<double> letters{2, 2, 1};
  for (int trial = 0; trial < 30; ++trial) {
    AlignmentTask task = draw_alignment_task(random, 40);
    task.local = task.affine = false;
    task.model = "match";
    task.window = 0;
    const BoundAlignment bound(task);
    const double all = static_cast<double>(task.a.size() + task.b.size());
    const OracleQuery query{0, normal_weights(bound, random), {}, 0, false};
    CHECK(dot(letters, bound.psi_of(argmax(bound.oracle, query).output)) == all);
    CHECK(dot(letters, mean(bound.oracle, query).psi) == Approx(all));
    for (const double entry : covariance_times(bound.oracle, query, letters)) {
      CHECK(std::abs(entry) < 1e-8);
    }
  }
}

TEST_CASE("alignment: the best local one is the best global one of two substrings, or empty") {
  Random random(907);
  for (int trial = 0; trial < 25; ++trial) {
    AlignmentTask task = draw_alignment_task(random, 6);
    task.window = 0;
    task.model = "match";
    task.affine = true;
    task.local = true;
    const std::vector<double> w{draw(random, 1, 4) / 2.0, draw(random, -4, 1) / 2.0,
                                draw(random, -3, -1) / 4.0, draw(random, -3, 0) / 2.0};
    const Solution local = argmax(BoundAlignment(task).oracle, {0, w, {}, 0, false});
    task.local = false;
    const AlignmentTask whole = task;
    double best = 0;
    for (std::size_t i = 0; i < whole.a.size(); ++i) {
      for (std::size_t n = 1; i + n <= whole.a.size(); ++n) {
        for (std::size_t j = 0; j < whole.b.size(); ++j) {
          for (std::size_t m = 1; j + m <= whole.b.size(); ++m) {
            task.a = whole.a.substr(i, n);
            task.b = whole.b.substr(j, m);
            best = std::max(best, argmax(BoundAlignment(task).oracle, {0, w, {}, 0, false}).value);
          }
        }
      }
    }
    CHECK(local.value == Approx(best));
  }
}

TEST_CASE("alignment: log Z is right for more alignments than the largest double") {
  AlignmentTask task;
  task.a.assign(450, 'A');
  task.b.assign(450, 'A');
  task.any_order = true;
  task.affine = false;
  task.model = "match";
  const BoundAlignment bound(task);
  // D(n, n) / D(n - 1, n - 1) from the recurrence of the central Delannoy numbers
  double ratio = 3;
  double log_count = std::log(3.0);
  for (int n = 2; n <= 450; ++n) {
    ratio = (3 * (2 * n - 1) - (n - 1) / ratio) / n;
    log_count += std::log(ratio);
  }
  const Mean found = mean(bound.oracle, {0, {0, 0, 0}, {}, 0, false});
  CHECK(found.log_z > 709.8);  // log of the largest double
  CHECK(found.log_z == Approx(log_count).epsilon(1e-11));
  CHECK(dot(found.psi, {2, 2, 1}) == Approx(900));
}

TEST_CASE("alignment: argmax of sequences of 2000 letters has the value of its output") {
  Random random(908);
  AlignmentTask task;
  for (int k = 0; k < 2000; ++k) {
    task.a += "ACDE"[draw(random, 0, 3)];
    task.b += "ACDE"[draw(random, 0, 3)];
  }
  const BoundAlignment bound(task, "alignment#q");
  std::vector<double> w = normal_weights(bound, random);
  w[w.size() - 2] = -0.5;
  w.back() = -1;
  Outputs truth(2002, 0);
  const Solution answer = argmax(bound.oracle, {0, w, truth, 1});
  CHECK(std::isfinite(answer.value));
  CHECK(answer.value == Approx(dot(w, bound.psi_of(answer.output)) +
                               plugin_test::loss(*bound.loss, 0, truth, answer.output)));
  CHECK(answer.value >= dot(w, bound.psi_of(truth)));
}

TEST_CASE("alignment: a truth that is not an output is flagged as outside") {
  AlignmentTask task{"AC", "CA"};
  const Outputs late_gap{0, 0, 2, 0, 1};  // the gaps are apart: an output in both gap orders
  const Outputs other_order{0, 0, 2, 1, 0};
  const Outputs from_gap{0, 1, 1, 0};
  const std::vector<double> w{0, 0, 0, 0, 0};
  const auto flags = [&](const Outputs& truth) {
    const BoundAlignment bound(task, "zero_one");
    return argmax(bound.oracle, {0, w, truth, 1}).flags & SCULPT_ANSWER_TRUTH_OUTSIDE;
  };
  CHECK(flags(late_gap) == 0);
  CHECK(flags(other_order) != 0);
  CHECK(flags(from_gap) != 0);
  CHECK(flags({}) != 0);
  task.any_order = true;
  CHECK(flags(other_order) == 0);
  task.local = true;
  CHECK(flags(from_gap) != 0);
  CHECK(flags({}) == 0);
  CHECK(flags({1, 0, 0}) == 0);
}
