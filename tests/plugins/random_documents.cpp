#include "random_documents.hpp"

#include <cmath>
#include <set>

namespace plugin_test {

std::string RandomDocument::file() const {
  std::string text = "items 1 " + std::to_string(items) + "\n";
  for (const Pair& pair : pairs) {
    const bool same =
        truth[static_cast<std::size_t>(pair.first)] == truth[static_cast<std::size_t>(pair.second)];
    text += "1 " + std::to_string(pair.first) + " " + std::to_string(pair.second) +
            (same ? " 1" : " -1");
    for (std::size_t j = 0; j < pair.input.size(); ++j) {
      if (pair.input[j] == 0) continue;
      text += " " + std::to_string(j + 1) + ":" + nlohmann::json(pair.input[j]).dump();
    }
    text += "\n";
  }
  return text;
}

RandomDocument draw_document(Random& random, int items) {
  RandomDocument document;
  document.items = items;
  document.truth = draw_partition(random, items);
  for (int i = 0; i < items; ++i) {
    for (int j = i + 1; j < items; ++j) {
      const bool same = document.truth[static_cast<std::size_t>(i)] ==
                        document.truth[static_cast<std::size_t>(j)];
      // keeps the links that define the truth (item i with the next of its cluster) and one pair
      bool needed = i == 0 && j == 1;
      if (same) {
        needed = true;
        for (int k = i + 1; k < j; ++k) {
          needed = needed && document.truth[static_cast<std::size_t>(k)] !=
                                 document.truth[static_cast<std::size_t>(i)];
        }
      }
      if (!needed && draw(random, 0, 9) == 0) continue;
      document.pairs.push_back({i, j, {draw(random, -2, 2) * 0.5, draw(random, -1, 2) * 1.0}});
    }
  }
  return document;
}

RandomDocument document_of_single_pairs(int items, const Outputs& truth) {
  RandomDocument document;
  document.items = items;
  document.truth = truth;
  const auto all = static_cast<std::size_t>(items * (items - 1) / 2);
  for (int i = 0; i < items; ++i) {
    for (int j = i + 1; j < items; ++j) {
      std::vector<double> input(all, 0.0);
      input[document.pairs.size()] = 1;
      document.pairs.push_back({i, j, input});
    }
  }
  return document;
}

BoundDocument::BoundDocument(const RandomDocument& document, const std::string& loss_name,
                             const std::string& oracle_name,
                             const nlohmann::json& oracle_parameters, bool bias)
    : bound("clustering#item_pairs", nlohmann::json::object(), document.file(), "clustering",
            {{"bias", bias}}),
      loss(loss_name),
      oracle("clustering#" + oracle_name, oracle_parameters, SCULPT_KIND_ORACLE) {
  loss.bind(&bound.dataset, &bound.features);
  loss.seal();
  oracle.bind(&bound.dataset, &bound.features, &loss);
  oracle.seal();
}

double BoundDocument::score(const std::vector<double>& w, const Outputs& y) const {
  return dot(w, psi(bound.features, 0, y));
}

namespace {

// Appends to `all` every partition whose first items are those of y.
void extend(Outputs& y, std::int32_t clusters, std::size_t items, std::vector<Outputs>& all) {
  if (y.size() == items) return all.push_back(y);
  for (std::int32_t cluster = 0; cluster <= clusters; ++cluster) {
    y.push_back(cluster);
    extend(y, std::max(clusters, cluster + 1), items, all);
    y.pop_back();
  }
}

}  // namespace

std::vector<Outputs> all_partitions(int items) {
  std::vector<Outputs> all;
  Outputs y;
  extend(y, 0, static_cast<std::size_t>(items), all);
  return all;
}

Outputs draw_partition(Random& random, int items) {
  Outputs y;
  std::int32_t clusters = 0;
  for (int i = 0; i < items; ++i) {
    y.push_back(draw(random, 0, std::min(clusters, 3)));
    clusters = std::max(clusters, y.back() + 1);
  }
  return y;
}

double rand_error_by_pairs(const Outputs& truth, const Outputs& y) {
  double wrong = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = i + 1; j < y.size(); ++j) {
      pairs += 1;
      wrong += (truth[i] == truth[j]) != (y[i] == y[j]) ? 1 : 0;
    }
  }
  return pairs > 0 ? wrong / pairs : 0;
}

double mitre_recall(const Outputs& truth, const Outputs& y) {
  double found = 0;
  double links = 0;
  for (const std::int32_t cluster : std::set<std::int32_t>(truth.begin(), truth.end())) {
    std::set<std::int32_t> parts;
    double size = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (truth[i] != cluster) continue;
      size += 1;
      parts.insert(y[i]);
    }
    found += size - static_cast<double>(parts.size());
    links += size - 1;
  }
  return links > 0 ? found / links : std::nan("");
}

double mitre_f1(const Outputs& truth, const Outputs& y) {
  const double recall = mitre_recall(truth, y);
  const double precision = mitre_recall(y, truth);
  if (std::isnan(recall) && std::isnan(precision)) return 1;
  if (std::isnan(recall) || std::isnan(precision) || recall + precision == 0) return 0;
  return 2 * recall * precision / (recall + precision);
}

double b_cubed_precision(const Outputs& truth, const Outputs& y) {
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    double cluster = 0;
    double right = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      cluster += y[i] == y[j] ? 1 : 0;
      right += y[i] == y[j] && truth[i] == truth[j] ? 1 : 0;
    }
    sum += right / cluster;
  }
  return sum / static_cast<double>(y.size());
}

}  // namespace plugin_test
