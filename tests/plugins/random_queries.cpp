#include "random_queries.hpp"

#include <algorithm>
#include <cmath>

namespace plugin_test {

using nlohmann::json;

std::string RandomQuery::file() const {
  std::string text;
  for (std::size_t i = 0; i < grades.size(); ++i) {
    text += std::to_string(grades[i]) + " qid:1";
    for (std::size_t j = 0; j < input[i].size(); ++j) {
      if (input[i][j] != 0) text += " " + std::to_string(j + 1) + ":" + json(input[i][j]).dump();
    }
    text += "\n";
  }
  return text;
}

std::vector<double> RandomQuery::scores(const std::vector<double>& w) const {
  std::vector<double> score;
  for (const std::vector<double>& x : input) {
    score.push_back(dot(std::vector<double>(w.begin(), w.begin() + 2), x));
  }
  return score;
}

RandomQuery draw_query(Random& random, int documents, int largest) {
  RandomQuery query;
  for (int i = 0; i < documents; ++i) {
    query.grades.push_back(i < 2 ? i * largest : draw(random, 0, largest));
    query.input.push_back({draw(random, -2, 2) * 0.5, draw(random, -1, 1) * 1.0});
  }
  query.input.back() = {1, -1};  // so that both features occur
  return query;
}

BoundQuery::BoundQuery(const RandomQuery& query, const std::string& loss_name,
                       const json& parameters, const json& features)
    : bound("ranking#svmrank", json::object(), query.file(), "ranking", features),
      loss(loss_name, parameters),
      oracle("ranking", json::object(), SCULPT_KIND_ORACLE) {
  loss.bind(&bound.dataset, &bound.features);
  loss.seal();
  oracle.bind(&bound.dataset, &bound.features, &loss);
  oracle.seal();
}

double BoundQuery::score(const std::vector<double>& w, const Outputs& y) const {
  return dot(w, psi(bound.features, 0, y));
}

Outputs groups_of(const Outputs& grades, int relevant_from) {
  Outputs groups = grades;
  if (relevant_from == 0) return groups;
  for (std::int32_t& group : groups) group = group >= relevant_from ? 1 : 0;
  return groups;
}

namespace {

// Calls visit(i, j) for all pairs of different groups; i is the better document.
template <class Visit>
void each_pair(const Outputs& groups, Visit visit) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = 0; j < groups.size(); ++j) {
      if (groups[i] > groups[j]) visit(i, j);
    }
  }
}

}  // namespace

double pairs_of(const Outputs& groups) {
  double pairs = 0;
  each_pair(groups, [&](std::size_t, std::size_t) { pairs += 1; });
  return pairs;
}

double wrong_pairs(const Outputs& groups, const Outputs& y) {
  double wrong = 0;
  each_pair(groups, [&](std::size_t i, std::size_t j) {
    wrong += y[i] < y[j] ? 1 : y[i] == y[j] ? 0.5 : 0;
  });
  return wrong / pairs_of(groups);
}

double pair_score(const Outputs& groups, const Outputs& y, const std::vector<double>& scores) {
  double sum = 0;
  each_pair(groups, [&](std::size_t i, std::size_t j) {
    const double sign = y[i] > y[j] ? 1 : y[i] < y[j] ? -1 : 0;
    sum += sign * (scores[i] - scores[j]);
  });
  return sum / (2 * pairs_of(groups));
}

double average_precision(const Outputs& relevant, const std::vector<std::size_t>& order) {
  double found = 0;
  double sum = 0;
  for (std::size_t r = 0; r < order.size(); ++r) {
    if (relevant[order[r]] != 1) continue;
    found += 1;
    sum += found / static_cast<double>(r + 1);
  }
  return sum / found;
}

double reciprocal_rank(const Outputs& relevant, const std::vector<std::size_t>& order) {
  std::size_t r = 0;
  while (relevant[order[r]] != 1) ++r;
  return 1 / static_cast<double>(r + 1);
}

double discounted_gain(const std::vector<double>& gains, const std::vector<std::size_t>& order,
                       std::size_t k) {
  double sum = 0;
  for (std::size_t r = 0; r < order.size() && (k == 0 || r < k); ++r) {
    sum += gains[order[r]] / std::log2(static_cast<double>(r + 2));
  }
  return sum;
}

double normalised_gain(const std::vector<double>& gains, const std::vector<std::size_t>& order,
                       std::size_t k) {
  std::vector<std::size_t> best = order;
  std::sort(best.begin(), best.end(), [&](auto a, auto b) { return gains[a] > gains[b]; });
  return discounted_gain(gains, order, k) / discounted_gain(gains, best, k);
}

std::vector<double> gains_of(const Outputs& grades, bool linear) {
  std::vector<double> gains;
  for (const std::int32_t grade : grades) {
    gains.push_back(linear ? grade : std::pow(2.0, grade) - 1);
  }
  return gains;
}

}  // namespace plugin_test
