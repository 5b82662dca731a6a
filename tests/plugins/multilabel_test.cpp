// The features multilabel: psi agrees with its formula and its potentials. Also edges, bounds,
// names and classes.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "count_calls.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

constexpr int inputs = 4;

// Rows for mlsvml with `labels` labels; the last one occurs. Label v repeats label v - 1 in
// `copies` of ten cases.
std::string random_rows(Random& random, int labels, int rows, int copies = 0) {
  std::string text = std::to_string(labels) + " 1:1\n";
  for (int row = 0; row < rows; ++row) {
    std::string list;
    bool on = false;
    for (int label = 1; label <= labels; ++label) {
      if (label == 1 || draw(random, 1, 10) > copies) on = draw(random, 0, 1) == 1;
      if (on) list += (list.empty() ? "" : ",") + std::to_string(label);
    }
    text += list.empty() ? "-" : list;
    for (int j = 1; j <= inputs; ++j) {
      text += " " + std::to_string(j) + ":" + std::to_string(draw(random, -3, 3));
    }
    text += "\n";
  }
  return text;
}

BoundFeatures multilabel_features(const std::string& text, const json& parameters) {
  return BoundFeatures("mlsvml", json::object(), text, "multilabel", parameters);
}

using Edge = std::pair<std::int32_t, std::int32_t>;
std::vector<Edge> edges_of(const BoundFeatures& bound) {
  const sculpt_factor_graph& graph = graph_of(bound.features, 0);
  std::vector<Edge> edges;
  for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
    const std::int32_t* scope = graph.scope + graph.scope_from[f];
    edges.emplace_back(scope[0], scope[1]);
  }
  return edges;
}

// Mutual information in bits, H(u) + H(v) - H(u, v).
double information(const BoundFeatures& bound, std::int32_t u, std::int32_t v) {
  const std::int64_t n = example_count(bound.dataset);
  double joint[2][2] = {};
  for (std::int64_t i = 0; i < n; ++i) {
    const Outputs y = truth_of(bound.dataset, i);
    joint[y[static_cast<std::size_t>(u)]][y[static_cast<std::size_t>(v)]] +=
        1 / static_cast<double>(n);
  }
  const auto entropy = [](const std::vector<double>& p) {
    double sum = 0;
    for (const double x : p) sum -= x > 0 ? x * std::log2(x) : 0;
    return sum;
  };
  return entropy({joint[0][0] + joint[0][1], joint[1][0] + joint[1][1]}) +
         entropy({joint[0][0] + joint[1][0], joint[0][1] + joint[1][1]}) -
         entropy({joint[0][0], joint[0][1], joint[1][0], joint[1][1]});
}

// The largest sum of information of any spanning tree, found by a search of all sets of labels - 1
// edges.
double best_tree(const BoundFeatures& bound, std::int32_t labels) {
  std::vector<Edge> all;
  std::vector<double> weight;
  for (std::int32_t u = 0; u < labels; ++u) {
    for (std::int32_t v = u + 1; v < labels; ++v) {
      all.emplace_back(u, v);
      weight.push_back(information(bound, u, v));
    }
  }
  double best = -1;
  for (std::uint32_t chosen = 0; chosen < (1u << all.size()); ++chosen) {
    if (__builtin_popcount(chosen) != labels - 1) continue;
    std::set<std::int32_t> reached = {0};
    double sum = 0;
    for (std::int32_t step = 0; step < labels; ++step) {
      for (std::size_t e = 0; e < all.size(); ++e) {
        if ((chosen >> e & 1u) == 0) continue;
        if (reached.count(all[e].first) > 0) reached.insert(all[e].second);
        if (reached.count(all[e].second) > 0) reached.insert(all[e].first);
      }
    }
    for (std::size_t e = 0; e < all.size(); ++e) sum += (chosen >> e & 1u) != 0 ? weight[e] : 0;
    if (static_cast<std::int32_t>(reached.size()) == labels) best = std::max(best, sum);
  }
  return best;
}

}  // namespace

TEST_CASE("multilabel: psi, potentials and pullback agree with every option") {
  Random random(61);
  for (const int labels : {1, 2, 5}) {
    for (const bool bias : {false, true}) {
      for (const std::string pairs : {"none", "both_on", "tables"}) {
        for (const std::string edges : {"full", "tree"}) {
          const BoundFeatures features = multilabel_features(
              random_rows(random, labels, 6), {{"bias", bias}, {"pairs", pairs}, {"edges", edges}});
          const int count = edges == "full" ? labels * (labels - 1) / 2 : labels - 1;
          const int cells = pairs == "none" ? 0 : pairs == "both_on" ? 1 : 4;
          REQUIRE(dimension(features.features) ==
                  (inputs + (bias ? 1 : 0)) * labels + cells * count);
          check_consistency(features, random);
        }
      }
    }
  }
}

TEST_CASE("multilabel: psi has the values of its formula") {
  const std::string rows = "1,3 1:2 2:5\n";
  const BoundFeatures on = multilabel_features(rows, {{"bias", true}, {"pairs", "both_on"}});
  // labels 1 and 3: blocks of features 1, 2 and the bias, then the pairs 1-2, 1-3, 2-3
  CHECK(psi(on.features, 0, {1, 0, 1}) == std::vector<double>{2, 0, 2, 5, 0, 5, 1, 0, 1, 0, 1, 0});
  CHECK(psi(on.features, 0, {0, 0, 0}) == std::vector<double>(12));
  const BoundFeatures tables = multilabel_features(rows, {{"bias", false}, {"pairs", "tables"}});
  CHECK(psi(tables.features, 0, {1, 0, 1}) ==
        std::vector<double>{2, 0, 2, 5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0});
}

TEST_CASE("the tree of multilabel has the largest mutual information of all spanning trees") {
  Random random(67);
  for (int trial = 0; trial < 40; ++trial) {
    const int labels = draw(random, 2, 5);
    const BoundFeatures features = multilabel_features(
        random_rows(random, labels, draw(random, 1, 30), draw(random, 0, 9)), {{"edges", "tree"}});
    const std::vector<Edge> tree = edges_of(features);
    double sum = 0;
    for (const auto& [u, v] : tree) sum += information(features, u, v);
    REQUIRE(tree.size() == static_cast<std::size_t>(labels - 1));
    REQUIRE(sum == Approx(best_tree(features, labels)).epsilon(1e-9));
    REQUIRE((classes_of(features.features) & SCULPT_GRAPH_FOREST) != 0);
  }
}

TEST_CASE("the tree of multilabel has the smaller pair if information is equal") {
  // all pairs of labels have the same information
  const BoundFeatures features = multilabel_features("1,2,3,4 1:1\n- 1:2\n", {{"edges", "tree"}});
  CHECK(edges_of(features) == std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}});
  // labels 1 and 2 are equal, 3 is their opposite: all pairs have the same information
  const BoundFeatures opposite =
      multilabel_features("1,2 1:1\n3 1:2\n3 1:3\n", {{"edges", "tree"}});
  CHECK(edges_of(opposite) == std::vector<Edge>{{0, 1}, {0, 2}});
}

TEST_CASE("the tree of multilabel is that of Kruskal, also with many ties") {
  Random random(69);
  for (int trial = 0; trial < 60; ++trial) {
    const int labels = draw(random, 2, 9);
    const BoundFeatures features = multilabel_features(
        random_rows(random, labels, draw(random, 1, 5), draw(random, 0, 9)), {{"edges", "tree"}});
    // sorted by information up to rounding, then by the labels
    std::vector<std::pair<std::int64_t, Edge>> pairs;
    for (std::int32_t u = 0; u < labels; ++u) {
      for (std::int32_t v = u + 1; v < labels; ++v) {
        pairs.push_back({-std::llround(1e9 * information(features, u, v)), {u, v}});
      }
    }
    std::sort(pairs.begin(), pairs.end());
    std::vector<std::int32_t> part(static_cast<std::size_t>(labels));
    std::iota(part.begin(), part.end(), 0);
    std::vector<Edge> tree;
    for (const auto& [weight, edge] : pairs) {
      const std::int32_t from = part[static_cast<std::size_t>(edge.first)];
      const std::int32_t to = part[static_cast<std::size_t>(edge.second)];
      if (from == to) continue;
      std::replace(part.begin(), part.end(), from, to);
      tree.push_back(edge);
    }
    std::sort(tree.begin(), tree.end());
    REQUIRE(edges_of(features) == tree);
  }
}

TEST_CASE("multilabel learns a tree of thousands of labels") {
  const BoundFeatures features =
      multilabel_features("5790 1:1\n1,5790 1:1\n- 1:1\n2,5790 1:1\n", {{"edges", "tree"}});
  const std::vector<Edge> tree = edges_of(features);
  CHECK(tree.size() == 5789);
  // all pairs of labels 1, 2 and 5790 have the same information; other labels are never on
  CHECK(std::count(tree.begin(), tree.end(), Edge{0, 1}) == 1);
  CHECK(std::count(tree.begin(), tree.end(), Edge{0, 5789}) == 1);
}

TEST_CASE("multilabel restored from a model has the learned tree") {
  Random random(71);
  const std::string rows = random_rows(random, 5, 30, 8);
  const BoundFeatures learned = multilabel_features(rows, {{"edges", "tree"}});
  LiveComponent dataset("mlsvml");
  dataset.restore(learned.dataset.save());
  dataset.load("predict", "1 1:1\n");
  LiveComponent restored("multilabel", {{"edges", "tree"}});
  const std::string state = learned.features.save();
  restored.restore(state);
  restored.bind(&dataset);
  CHECK(restored.save() == state);
  for (std::int64_t weight = 0; weight < dimension(restored); ++weight) {
    CHECK(weight_name(restored, weight) == weight_name(learned.features, weight));
  }
  const std::string damaged =
      "its state in the model is damaged or of another version; use the plugin version that wrote "
      "the model, or train again";
  for (std::size_t size = 0; size < state.size(); ++size) {
    CHECK_THROWS_WITH(
        LiveComponent("multilabel", {{"edges", "tree"}}).restore(state.substr(0, size)),
        damaged.c_str());
  }
  std::string cycle = state;  // replaces the last edge by the first one
  std::copy_n(state.begin() + 16, 16, cycle.end() - 16);
  CHECK_THROWS_WITH(LiveComponent("multilabel", {{"edges", "tree"}}).restore(cycle),
                    damaged.c_str());
  LiveComponent few("mlsvml");
  few.load("train", "1,2 1:1\n");
  LiveComponent other("multilabel", {{"edges", "tree"}});
  other.restore(state);
  CHECK_THROWS_WITH(other.bind(&few), damaged.c_str());
}

TEST_CASE("multilabel reads a list of edges and refuses bad edges by name") {
  Random random(73);
  const std::string rows = random_rows(random, 4, 5);
  const auto listed = [](const json& list) { return json{{"edges", "list"}, {"edge_list", list}}; };
  const BoundFeatures features = multilabel_features(rows, listed({"3-1", "2-4"}));
  CHECK(edges_of(features) == std::vector<Edge>{{0, 2}, {1, 3}});
  CHECK((classes_of(features.features) & SCULPT_GRAPH_FOREST) != 0);
  const auto refusal = [&](const json& parameters) -> std::string {
    try {
      multilabel_features(rows, parameters);
    } catch (const CallFailed& failure) {
      return failure.what();
    }
    return "accepted";
  };
  CHECK(refusal(listed({"1-2", "2-5"})) ==
        "edge_list has the edge '2-5'; write two labels with - between them; those of "
        "org.sculpt.mlsvml are 1 to 4");
  CHECK(refusal(listed({"2-2"})) ==
        "edge_list has the edge '2-2', which joins a label with itself; remove it");
  CHECK(refusal(listed({"1-2", "2-1"})) ==
        "edge_list has the edge '2-1' twice, in this or in the other order; write it once");
  for (const std::string text : {"1", "", "1-", "-2", "0-2", "1-2-3", "a-b", "1 - 2"}) {
    CHECK(refusal(listed({text})) ==
          "edge_list has the edge '" + text +
              "'; write two labels with - between them; those of org.sculpt.mlsvml are 1 to 4");
  }
  CHECK(refusal({{"edges", "list"}}) ==
        "\"edges\": \"list\" needs the key edge_list; set it, such "
        "as to [\"1-4\"]");
  CHECK(refusal({{"edge_list", {"1-2"}}}) ==
        "edge_list needs \"edges\": \"list\"; set it, or remove edge_list");
  // an empty list is allowed; then no pair has weights
  CHECK(refusal(listed(json::array())) == "accepted");
  CHECK(dimension(multilabel_features(rows, listed(json::array())).features) ==
        dimension(multilabel_features(rows, {{"pairs", "none"}}).features));
}

TEST_CASE("multilabel declares exactly the classes that its graphs have") {
  Random random(79);
  const auto classes = [&](int labels, const json& parameters) {
    const BoundFeatures features = multilabel_features(random_rows(random, labels, 5), parameters);
    REQUIRE(graph_of(features.features, 0).classes == classes_of(features.features));
    return classes_of(features.features);
  };
  const std::uint32_t pairwise = SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_BINARY;
  const std::uint32_t chain = pairwise | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN;
  const json bounded = {{"nonnegative", {"pairs"}}};
  const json list = {{"edges", "list"}, {"edge_list", {"2-3", "1-2"}}};
  const json star = {{"edges", "list"}, {"edge_list", {"1-2", "1-3"}}};
  CHECK(classes(4, json::object()) == pairwise);
  CHECK(classes(4, bounded) == (pairwise | SCULPT_GRAPH_ATTRACTIVE));
  CHECK(classes(4, {{"pairs", "tables"}, {"nonnegative", {"pairs"}}}) == pairwise);
  CHECK(classes(4, {{"pairs", "none"}}) == (chain | SCULPT_GRAPH_ATTRACTIVE));
  CHECK(classes(2, json::object()) == chain);
  CHECK(classes(1, json::object()) == (chain | SCULPT_GRAPH_SINGLE | SCULPT_GRAPH_ATTRACTIVE));
  CHECK(classes(4, list) == chain);
  CHECK(classes(4, star) == (pairwise | SCULPT_GRAPH_FOREST));
}

TEST_CASE("multilabel reads its state back for every choice of edges") {
  const std::string rows = "1,3 1:2 2:5\n2,4 1:1\n- 2:1\n1,2 2:3\n";
  for (const json& parameters :
       {json{{"edges", "full"}}, json{{"edges", "tree"}}, json{{"pairs", "none"}},
        json{{"edges", "list"}, {"edge_list", {"1-4", "2-3"}}},
        json{{"edges", "list"}, {"edge_list", json::array()}}}) {
    CAPTURE(parameters.dump());
    const BoundFeatures trained = multilabel_features(rows, parameters);
    LiveComponent restored("multilabel", parameters, SCULPT_KIND_FEATURES);
    restored.restore(trained.features.save());
    restored.bind(&trained.dataset);
    restored.seal();
    REQUIRE(dimension(restored) == dimension(trained.features));
    for (std::int64_t k = 0; k < dimension(restored); ++k) {
      CHECK(weight_name(restored, k) == weight_name(trained.features, k));
    }
  }
}

TEST_CASE("the weights of multilabel have names and bounds") {
  const std::string rows = "1,3 1:2 2:5\n";
  const BoundFeatures on = multilabel_features(rows, {{"nonnegative", {"pairs"}}});
  CHECK(weight_name(on.features, 0) == "feature 1, label 1");
  CHECK(weight_name(on.features, 5) == "feature 2, label 3");
  CHECK(weight_name(on.features, 7) == "bias, label 2");
  CHECK(weight_name(on.features, 10) == "labels 1 and 3 on");
  CHECK(weight_bounds(on.features) ==
        std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1});
  const BoundFeatures tables =
      multilabel_features(rows, {{"pairs", "tables"}, {"nonnegative", {"nodes", "bias"}}});
  CHECK(weight_name(tables.features, 9) == "labels 1 and 2: off, off");
  CHECK(weight_name(tables.features, 14) == "labels 1 and 3: off, on");
  const std::vector<std::uint8_t> bounds = weight_bounds(tables.features);
  CHECK(std::count(bounds.begin(), bounds.begin() + 9, 1) == 9);
  CHECK(std::count(bounds.begin() + 9, bounds.end(), 1) == 0);
  CHECK_FALSE(bounds_weights(multilabel_features(rows, json::object()).features));
  CHECK_THROWS_WITH(multilabel_features(rows, {{"pairs", "none"}, {"nonnegative", {"pairs"}}}),
                    "nonnegative names 'pairs', but there are no such weights with \"pairs\": "
                    "\"none\"; choose other pairs, or remove the group");
  CHECK_THROWS_WITH(multilabel_features(rows, {{"bias", false}, {"nonnegative", {"bias"}}}),
                    "nonnegative names 'bias', but there are no such weights without \"bias\": "
                    "true; set it, or remove the group");
}

TEST_CASE("labels of multilabel that count from 0 have the numbers of the file in all names") {
  const std::string rows = "0,2 1:2 2:5\n1 1:1\n";
  const BoundFeatures full = multilabel_features(rows, json::object());
  CHECK(weight_name(full.features, 0) == "feature 1, label 0");
  CHECK(weight_name(full.features, 5) == "feature 2, label 2");
  CHECK(weight_name(full.features, 10) == "labels 0 and 2 on");
  const json edges = {{"edges", "list"}, {"edge_list", {"0-2", "1-0"}}, {"pairs", "tables"}};
  const BoundFeatures listed = multilabel_features(rows, edges);
  CHECK(edges_of(listed) == std::vector<Edge>{{0, 2}, {0, 1}});
  CHECK(weight_name(listed.features, 9) == "labels 0 and 2: off, off");
  CHECK_THROWS_WITH(multilabel_features(rows, {{"edges", "list"}, {"edge_list", {"1-3"}}}),
                    "edge_list has the edge '1-3'; write two labels with - between them; those of "
                    "org.sculpt.mlsvml are 0 to 2");
  // A model keeps the names, also for data without examples.
  LiveComponent dataset("mlsvml");
  dataset.restore(listed.dataset.save());
  dataset.load("predict", "");
  LiveComponent restored("multilabel", edges, SCULPT_KIND_FEATURES);
  restored.restore(listed.features.save());
  restored.bind(&dataset);
  for (std::int64_t k = 0; k < dimension(restored); ++k) {
    CHECK(weight_name(restored, k) == weight_name(listed.features, k));
  }
}

TEST_CASE("a model of multilabel from before names were saved reads edges and names by place") {
  const json edges = {{"edges", "list"}, {"edge_list", {"1-3"}}};
  LiveComponent dataset("mlsvml");
  dataset.load("train", "0,2 1:2\n1 1:1\n");
  const std::int64_t old_state[2] = {1, 0};  // the version, and no edges of a tree
  LiveComponent restored("multilabel", edges, SCULPT_KIND_FEATURES);
  restored.restore(std::string(reinterpret_cast<const char*>(old_state), sizeof old_state));
  restored.bind(&dataset);
  CHECK(weight_name(restored, 6) == "labels 1 and 3 on");
}

TEST_CASE("multilabel refuses datasets of several sites or states") {
  const auto refusal = [](const std::string& text, const json& parameters) -> std::string {
    try {
      BoundFeatures("letters", parameters, text, "multilabel");
    } catch (const CallFailed& failure) {
      return failure.what();
    }
    return "accepted";
  };
  CHECK(refusal("1 0 0 a 1 5\n1 0 1 b 0 5\n", json::object()) ==
        "needs one site for each example, but example 0 of org.sculpt.letters has 2; use the "
        "features `chain` or `graph`");
  CHECK(refusal("1 0 0 a 1 5\n1 0 1 b 1 5\n1 0 2 c 0 5\n", json::object()) ==
        "needs labels that are off or on, but those of org.sculpt.letters have 3 states");
  CHECK(refusal("1 0 0 a 1 5\n1 0 1 b 0 5\n", {{"unit", "letter"}}) == "accepted");
}
