#include "random_sets.hpp"

#include "all_orders.hpp"

#include <set>

namespace plugin_test {

std::string RandomSet::file() const {
  std::string text;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    text += truth[i] == 1 ? "+1" : "-1";
    for (std::size_t j = 0; j < input[i].size(); ++j) {
      if (input[i][j] != 0) {
        text += " " + std::to_string(j + 1) + ":" + nlohmann::json(input[i][j]).dump();
      }
    }
    text += "\n";
  }
  return text;
}

std::int64_t RandomSet::positive() const {
  return std::count(truth.begin(), truth.end(), 1);
}

RandomSet draw_set(Random& random, int rows) {
  RandomSet set;
  for (int i = 0; i < rows; ++i) {
    set.truth.push_back(i < 2 ? i : draw(random, 0, 1));
    set.input.push_back({draw(random, -2, 2) * 0.5, draw(random, -1, 1) * 1.0});
  }
  return set;
}

BoundSet::BoundSet(const RandomSet& set, const std::string& loss_name,
                   const nlohmann::json& parameters, const nlohmann::json& features)
    : bound("contingency#svmlight_set", nlohmann::json::object(), set.file(), "contingency",
            features),
      loss(loss_name, parameters),
      oracle("contingency", nlohmann::json::object(), SCULPT_KIND_ORACLE) {
  loss.bind(&bound.dataset, &bound.features);
  loss.seal();
  oracle.bind(&bound.dataset, &bound.features, &loss);
  oracle.seal();
}

double BoundSet::score(const std::vector<double>& w, const Outputs& y) const {
  return dot(w, psi(bound.features, 0, y));
}

std::vector<Outputs> all_choices(std::size_t rows, std::int64_t least, std::int64_t most) {
  std::vector<Outputs> all;
  for (std::size_t code = 0; code < (std::size_t{1} << rows); ++code) {
    Outputs y(rows);
    for (std::size_t i = 0; i < rows; ++i) y[i] = static_cast<std::int32_t>(code >> i & 1);
    const auto taken = std::count(y.begin(), y.end(), 1);
    if (taken >= least && taken <= most) all.push_back(y);
  }
  return all;
}

std::vector<Outputs> all_orders(const Outputs& truth) {
  std::set<Outputs> all;
  each_order(Outputs(truth.size(), 0), [&](const std::vector<std::size_t>& order) {
    Outputs y(truth.size());
    std::int32_t number = truth[order[0]];
    for (std::size_t k = 0; k < order.size(); ++k) {
      if (k > 0 && truth[order[k]] != truth[order[k - 1]]) ++number;
      y[order[k]] = number;
    }
    all.insert(y);
  });
  return {all.begin(), all.end()};
}

double mean_found_among_first(std::int64_t k, const Outputs& truth, const Outputs& y) {
  double sum = 0;
  double orders = 0;
  each_order(y, [&](const std::vector<std::size_t>& order) {
    orders += 1;
    for (std::int64_t i = 0; i < k; ++i) sum += truth[order[static_cast<std::size_t>(i)]];
  });
  return sum / orders;
}

double mean_average_precision(const Outputs& truth, const Outputs& y) {
  double sum = 0;
  double orders = 0;
  each_order(y, [&](const std::vector<std::size_t>& order) {
    orders += 1;
    double found = 0;
    double precisions = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (truth[order[i]] != 1) continue;
      found += 1;
      precisions += found / static_cast<double>(i + 1);
    }
    sum += precisions / found;
  });
  return sum / orders;
}

double area_by_pairs(const Outputs& truth, const Outputs& y) {
  double right = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      if (truth[i] != 1 || truth[j] != 0) continue;
      pairs += 1;
      right += y[i] > y[j] ? 1 : y[i] == y[j] ? 0.5 : 0;
    }
  }
  return right / pairs;
}

}  // namespace plugin_test
