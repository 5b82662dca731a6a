// The dataset and the features `graph`: reading, refusals, and psi, which agrees with its formula
// and with the potentials.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "count_calls.hpp"
#include "edge_kind_calls.hpp"
#include "line_ends.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using nlohmann::json;

namespace {

// Returns a copy, because the graph is valid only until the next call.
std::uint64_t topology_of(const BoundFeatures& bound, std::int64_t example) {
  return graph_of(bound.features, example).topology;
}

const std::string two_graphs =
    "# a web\ngraph one\nedge 1 3 cites\nspam 1:1 3:2\n2:1\nham 2:0.5\nedge 2 1\n"
    "graph two\n? 1:4\n?\nedge 1 2 cites\n";

std::string refused_graphs(const std::string& text, const std::string& train = "") {
  return refused_data("graph", text, train);
}

// Graphs of 1 to 6 sites with labels a, b, ... and edges of two kinds.
std::string random_graphs(Random& random, int labels, int graphs, int max_edges = 8) {
  std::string text = "graph all\n";
  for (int k = 0; k < labels; ++k) text += std::string(1, static_cast<char>('a' + k)) + " 1:1\n";
  if (labels > 1) text += "edge 1 2 k0\nedge 2 1 k1\n";
  for (int g = 0; g < graphs; ++g) {
    text += "graph g\n";
    const int sites = draw(random, 1, 6);
    for (int s = 0; s < sites; ++s) {
      text += static_cast<char>('a' + draw(random, 0, labels - 1));
      for (int j = 1; j <= 3; ++j) {
        text += " " + std::to_string(j) + ":" + std::to_string(draw(random, -3, 3));
      }
      text += "\n";
    }
    std::vector<std::string> seen;
    for (int e = 0; e < max_edges && sites > 1; ++e) {
      const int from = draw(random, 1, sites);
      const int to = draw(random, 1, sites);
      const std::string line = "edge " + std::to_string(from) + " " + std::to_string(to) + " k" +
                               std::to_string(draw(random, 0, 1)) + "\n";
      if (from == to || std::find(seen.begin(), seen.end(), line) != seen.end()) continue;
      seen.push_back(line);
      text += line;
    }
  }
  return text;
}

BoundFeatures graph_features(const std::string& text, const json& parameters) {
  return BoundFeatures("graph", json::object(), text, "graph", parameters);
}

}  // namespace

TEST_CASE("the dataset graph reads sites, edges before and after their sites, and missing labels") {
  LiveComponent dataset("graph", json::object(), SCULPT_KIND_DATASET);
  dataset.load("train", two_graphs);
  REQUIRE(example_count(dataset) == 2);
  CHECK(truth_of(dataset, 0) == Outputs{1, -1, 0});
  CHECK_FALSE(is_labelled(dataset, 1));
  CHECK(sites_of(dataset, 1).site_count == 2);
  CHECK(edges_of(dataset, 0) == std::vector<KindEdge>{{0, 2, "cites"}, {1, 0, "edge"}});
  CHECK(edges_of(dataset, 1) == std::vector<KindEdge>{{0, 1, "cites"}});
  CHECK(shape_of(dataset).feature_count == 3);
  CHECK(shape_of(dataset).state_count == 2);
  CHECK(format(dataset, 0, {0, 1, 1}) == "ham spam spam");
  CHECK(parse(dataset, 0, "ham spam spam") == Outputs{0, 1, 1});
  CHECK_THROWS_WITH(parse(dataset, 0, "ham"), "there are 1 labels where 3 are expected");
  LiveComponent other("graph", json::object(), SCULPT_KIND_DATASET);
  other.load("train", "\xEF\xBB\xBF" + with_crlf(two_graphs));
  CHECK(other.save() == dataset.save());
  CHECK(edges_of(other, 0) == edges_of(dataset, 0));
}

TEST_CASE("the dataset graph refuses an edge that names an unknown site, with its place") {
  CHECK(refused_graphs("graph a\nx 1:1\nedge 1 2\n") ==
        "data.txt:3:8: there is no site 2; the sites of this graph are 1 to 1");
  CHECK(refused_graphs("graph a\nedge 3 1\nx\nx\ngraph b\nx\nx\nx\n") ==
        "data.txt:2:6: there is no site 3; the sites of this graph are 1 to 2");
  CHECK(refused_graphs("graph a\nx\nx\nedge 0 1\n") ==
        "data.txt:4:6: there is no site 0; the sites of this graph are 1 to 2");
  CHECK(refused_graphs("graph a\nx\nx\nedge one 2\n") ==
        "data.txt:4:6: 'one' is not the number of a site; sites count from 1");
}

TEST_CASE("the dataset graph refuses bad edges and lines, with their place") {
  CHECK(refused_graphs("graph a\nx\nx\nedge 2 2\n") ==
        "data.txt:4:8: the edge joins site 2 with itself; remove it");
  CHECK(refused_graphs("graph a\nx\nx\nedge 1 2 k\nedge 2 1 k\nedge 1 2 k\n") ==
        "data.txt:6:1: this graph has the same edge already; write it once");
  CHECK(refused_graphs("graph a\nx\nx\nedge 1\n") ==
        "data.txt:4:1: an edge has 1 words; write `edge SITE SITE` or `edge SITE SITE KIND`, sites "
        "counted from 1");
  CHECK(refused_graphs("x 1:1\n") ==
        "data.txt:1:1: 'x' is before the first graph; begin it with a line `graph NAME`");
  CHECK(refused_graphs("graph a\nx 1:1\n graph # b\nx 1:1\n") ==
        "data.txt:3:2: this graph has no name; write `graph NAME`");
  CHECK(refused_graphs("graph a b\n") ==
        "data.txt:1:9: 'b' is one word too many; write `graph NAME`");
  CHECK(refused_graphs("graph a\ngraph b\nx\n") ==
        "data.txt:1:1: this graph has no sites; write lines such as `label 1:0.5 3:1`");
  CHECK(refused_graphs("graph a\nx 2:1 1:1\n") ==
        "data.txt:2:7: index 1 follows index 2; sort the row and name each index once");
  CHECK(refused_graphs("# nothing\n") ==
        "data.txt:1:1: no examples; write `graph NAME`, then its sites and edges");
  CHECK(refused_graphs("graph a\n1:1\n") ==
        "data.txt:1:1: no site has a label, so there is nothing to learn; begin the lines of sites "
        "with a label");
}

TEST_CASE("the dataset graph refuses test labels and kinds of edges that are not in training") {
  const std::string train = "graph a\nx 1:1\ny\nedge 1 2 cites\n";
  CHECK(
      refused_graphs("graph b\n  z 1:1\n", train) ==
      "data.txt:2:3: label 'z' does not occur in the training data (x, y); correct it, or write ? "
      "in its place, which is predicted and not measured");
  CHECK(refused_graphs("graph b\nx\ny\nedge 1 2 likes\n", train) ==
        "data.txt:4:10: kind of edge 'likes' does not occur in the training data (cites); correct "
        "it, or "
        "train with such edges, too");
}

TEST_CASE("the dataset graph restored from a model reads new graphs like the trained one") {
  LiveComponent learned("graph", json::object(), SCULPT_KIND_DATASET);
  learned.load("train", two_graphs);
  LiveComponent restored("graph", json::object(), SCULPT_KIND_DATASET);
  const std::string state = learned.save();
  restored.restore(state);
  CHECK(restored.save() == state);
  const std::string graph = "graph n\nspam 1:1 9:1\nham\nedge 2 1 edge\n";
  learned.load("test", graph);
  restored.load("predict", graph);
  CHECK(truth_of(restored, 0) == truth_of(learned, 2));
  CHECK(edges_of(restored, 0) == edges_of(learned, 2));
  REQUIRE(restored.log().size() == 1);
  CHECK(restored.log() == learned.log());
  for (std::size_t size = 0; size < state.size(); ++size) {
    LiveComponent damaged("graph", json::object(), SCULPT_KIND_DATASET);
    CHECK_THROWS_WITH(damaged.restore(state.substr(0, size)),
                      "its state in the model is damaged or of another version; use the plugin "
                      "version that wrote the model, or train again");
  }
}

TEST_CASE("graph: psi, potentials and pullback agree with every option") {
  Random random(89);
  for (const int labels : {1, 2, 4}) {
    for (const std::string pairs : {"none", "potts", "symmetric", "table"}) {
      for (const bool by_kind : {false, true}) {
        for (const bool bias : {false, true}) {
          const BoundFeatures features =
              graph_features(random_graphs(random, labels, 12),
                             {{"pairs", pairs}, {"by_kind", by_kind}, {"bias", bias}});
          check_consistency(features, random);
        }
      }
    }
  }
}

TEST_CASE("graph: psi has the values of its formula") {
  const std::string text = "graph a\nx 1:2\ny 1:3\nedge 1 2 k\nedge 2 1 l\n";
  const auto pair_part = [&](const json& parameters, const Outputs& y) {
    const BoundFeatures features = graph_features(text, parameters);
    const std::vector<double> sum = psi(features.features, 0, y);
    REQUIRE(sum.at(static_cast<std::size_t>(y[0])) >= 2);
    return std::vector<double>(sum.begin() + 4, sum.end());  // 1 feature and the bias
  };
  using Sum = std::vector<double>;
  CHECK(pair_part({{"pairs", "potts"}}, {1, 1}) == Sum{1, 1});
  CHECK(pair_part({{"pairs", "potts"}}, {0, 1}) == Sum{0, 0});
  CHECK(pair_part({{"pairs", "potts"}, {"by_kind", false}}, {0, 0}) == Sum{2});
  CHECK(pair_part({{"pairs", "symmetric"}}, {0, 1}) == Sum{0, 1, 0, 0, 1, 0});
  CHECK(pair_part({{"pairs", "symmetric"}, {"by_kind", false}}, {1, 1}) == Sum{0, 0, 2});
  CHECK(pair_part({{"pairs", "table"}}, {0, 1}) == Sum{0, 1, 0, 0, 0, 0, 1, 0});
  CHECK(pair_part({{"pairs", "table"}, {"by_kind", false}}, {0, 1}) == Sum{0, 1, 1, 0});
  CHECK(pair_part({{"pairs", "none"}}, {0, 1}) == Sum{});
}

TEST_CASE("graph: psi, potentials and pullback agree with features of edges") {
  Random random(107);
  for (const int labels : {1, 2, 4}) {
    for (const std::string pairs : {"potts", "symmetric", "table"}) {
      for (const bool by_kind : {false, true}) {
        const BoundFeatures features =
            graph_features(random_graphs(random, labels, 12),
                           {{"pairs", pairs}, {"by_kind", by_kind}, {"edge_features", "both"}});
        check_consistency(features, random);
      }
    }
  }
}

TEST_CASE("graph: features of an edge are those of its first site, then 1, then of its second") {
  const std::string text = "graph a\nx 1:2\ny 1:3 2:5\nedge 1 2 k\nedge 2 1 l\n";
  const auto pair_part = [&](const std::string& pairs, const Outputs& y) {
    const BoundFeatures features =
        graph_features(text, {{"pairs", pairs}, {"edge_features", "both"}});
    const std::vector<double> sum = psi(features.features, 0, y);
    return std::vector<double>(sum.begin() + 6, sum.end());  // 2 features and the bias
  };
  using Sum = std::vector<double>;
  CHECK(pair_part("potts", {1, 1}) == Sum{2, 0, 1, 3, 5, 3, 5, 1, 2, 0});
  CHECK(pair_part("potts", {0, 1}) == Sum(10, 0.0));
  Sum table(40, 0.0);  // [k, l][feature of first, 1, feature of second][4]
  table[0 + 1] = 2, table[8 + 1] = 1, table[12 + 1] = 3, table[16 + 1] = 5;
  table[20 + 2] = 3, table[24 + 2] = 5, table[28 + 2] = 1, table[32 + 2] = 2;
  CHECK(pair_part("table", {0, 1}) == table);
}

TEST_CASE("graph: features of edges have names, are not declared attractive and need pairs") {
  const std::string text = "graph a\nx 1:2\ny 1:3 2:5\nedge 1 2 k\nedge 2 1 l\n";
  const BoundFeatures table = graph_features(text, {{"edge_features", "both"}});
  CHECK(dimension(table.features) == 6 + 40);
  CHECK(weight_name(table.features, 6 + 4 + 1) == "k, first site feature 2: x->y");
  CHECK(weight_name(table.features, 6 + 8 + 2) == "k: y->x");
  CHECK(weight_name(table.features, 6 + 20 + 12 + 3) == "l, second site feature 1: y->y");
  const json bounded = {{"pairs", "potts"}, {"nonnegative", {"pairs"}}, {"edge_features", "both"}};
  CHECK((classes_of(graph_features(text, bounded).features) & SCULPT_GRAPH_ATTRACTIVE) == 0);
  CHECK_THROWS_WITH(graph_features(text, {{"pairs", "none"}, {"edge_features", "both"}}),
                    "\"edge_features\": \"both\" needs weights of edges, but there are none with "
                    "\"pairs\": \"none\"; choose other pairs, or set \"edge_features\": \"none\"");
}

TEST_CASE("graph on a path of sites has the potentials of chain") {
  Random random(97);
  std::string letters;
  std::string graphs = "graph w\n";
  for (int t = 0; t < 7; ++t) {
    const std::string label(1, static_cast<char>('a' + t % 3));
    letters += "1 0 " + std::to_string(t) + " " + label + (t < 6 ? " 1" : " 0");
    graphs += label;
    for (int j = 0; j < 4; ++j) {
      const std::string value = std::to_string(draw(random, -3, 3));
      letters += " " + value;
      graphs += " " + std::to_string(j + 1) + ":" + value;
    }
    letters += "\n";
    graphs += "\n";
  }
  for (int t = 1; t < 7; ++t) {
    graphs += "edge " + std::to_string(t) + " " + std::to_string(t + 1) + "\n";
  }
  const BoundFeatures chain("letters", json::object(), letters, "chain");
  const BoundFeatures line = graph_features(graphs, json::object());
  REQUIRE(dimension(chain.features) == dimension(line.features));
  CHECK(classes_of(chain.features) == classes_of(line.features));
  const std::vector<double> w =
      normal_vector(random, static_cast<std::size_t>(dimension(line.features)));
  CHECK(potentials(chain.features, 0, w) == potentials(line.features, 0, w));
  const LiveComponent viterbi("viterbi");
  const std::vector<double> theta = potentials(line.features, 0, w);
  CHECK(solve(viterbi, graph_of(line.features, 0), theta).value ==
        doctest::Approx(naive_best(graph_of(line.features, 0), theta).value));
}

TEST_CASE("graph declares the right classes, and equal topology numbers mean equal graphs") {
  const std::string path = "graph p\nx\ny\nx\nedge 1 2\nedge 2 3\n";
  const std::string star = "graph s\nx\ny\nx\nedge 2 1\nedge 2 3\n";
  const std::string ring = "graph r\nx\ny\nx\nedge 1 2\nedge 2 3\nedge 3 1\n";
  const std::string lone = "graph l\nx\n";
  const std::uint32_t binary = SCULPT_GRAPH_PAIRWISE | SCULPT_GRAPH_BINARY;
  const std::uint32_t chain = binary | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_CHAIN;
  const BoundFeatures all = graph_features(path + star + ring + path + lone, json::object());
  CHECK(classes_of(all.features) == binary);
  const auto number = [&](std::int64_t example) { return topology_of(all, example); };
  CHECK(number(0) != 0);
  CHECK(number(0) == number(3));
  CHECK(number(0) != number(1));
  CHECK(number(1) != number(2));
  CHECK(graph_of(all.features, 0).classes == chain);
  CHECK(graph_of(all.features, 1).classes == (binary | SCULPT_GRAPH_FOREST));
  CHECK(graph_of(all.features, 2).classes == binary);
  CHECK(graph_of(all.features, 4).classes ==
        (chain | SCULPT_GRAPH_SINGLE | SCULPT_GRAPH_ATTRACTIVE));
  const json bounded = {{"pairs", "potts"}, {"nonnegative", {"pairs"}}};
  CHECK(classes_of(graph_features(ring, bounded).features) == (binary | SCULPT_GRAPH_ATTRACTIVE));
  CHECK(classes_of(graph_features(ring, {{"pairs", "potts"}}).features) == binary);
  CHECK(classes_of(
            graph_features(ring, {{"pairs", "symmetric"}, {"nonnegative", {"pairs"}}}).features) ==
        binary);
  CHECK(classes_of(graph_features(ring, {{"pairs", "none"}}).features) ==
        (chain | SCULPT_GRAPH_ATTRACTIVE));
  // kinds change the topology only if they have separate weights
  const std::string kinds = "graph a\nx\ny\nedge 1 2 k\ngraph b\nx\ny\nedge 1 2 l\n";
  const BoundFeatures apart = graph_features(kinds, json::object());
  CHECK(topology_of(apart, 0) != topology_of(apart, 1));
  const BoundFeatures alike = graph_features(kinds, {{"by_kind", false}});
  CHECK(topology_of(alike, 0) == topology_of(alike, 1));
}

TEST_CASE("graph without examples, as in describe, declares all possible classes") {
  LiveComponent learned("graph", json::object(), SCULPT_KIND_DATASET);
  learned.load("train", "graph r\nx\ny\nx\nedge 1 2\nedge 2 3\nedge 3 1\n");
  LiveComponent restored("graph", json::object(), SCULPT_KIND_DATASET);
  restored.restore(learned.save());
  LiveComponent features("graph", {{"pairs", "potts"}, {"nonnegative", {"pairs"}}},
                         SCULPT_KIND_FEATURES);
  features.bind(&restored);
  const std::uint32_t needed = SCULPT_GRAPH_ATTRACTIVE | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_BINARY;
  CHECK((classes_of(features) & needed) == needed);
}

TEST_CASE("attractive graphs of potts reward agreement in every pair table") {
  Random random(101);
  const BoundFeatures features = graph_features(random_graphs(random, 3, 10),
                                                {{"pairs", "potts"}, {"nonnegative", {"pairs"}}});
  const std::vector<std::uint8_t> bounds = weight_bounds(features.features);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> w = normal_vector(random, bounds.size());
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = bounds[j] == 1 ? std::abs(w[j]) : w[j];
    const auto example = draw(random, 0, 10);
    const std::vector<double> theta = potentials(features.features, example, w);
    const sculpt_factor_graph& graph = graph_of(features.features, example);
    for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
      const double* table = theta.data() + graph.table[f];
      for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
          REQUIRE(table[4 * a] + table[4 * b] >= table[3 * a + b] + table[3 * b + a]);
        }
      }
    }
  }
}

TEST_CASE("the weights of graph have names and bounds") {
  const std::string text = "graph a\nx 1:2\ny 1:3\nedge 1 2 k\nedge 2 1 l\n";
  const BoundFeatures table = graph_features(text, {{"nonnegative", {"bias"}}});
  CHECK(weight_name(table.features, 1) == "feature 1, label y");
  CHECK(weight_name(table.features, 2) == "bias, label x");
  CHECK(weight_name(table.features, 4 + 1) == "k: x->y");
  CHECK(weight_name(table.features, 8 + 2) == "l: y->x");
  CHECK(weight_bounds(table.features) ==
        std::vector<std::uint8_t>{0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0});
  const BoundFeatures shared = graph_features(text, {{"pairs", "symmetric"}, {"by_kind", false}});
  CHECK(weight_name(shared.features, 5) == "edge: x-y");
  CHECK(weight_name(shared.features, 6) == "edge: y-y");
  CHECK(dimension(shared.features) == 7);
  CHECK_FALSE(bounds_weights(shared.features));
  CHECK(weight_name(graph_features(text, {{"pairs", "potts"}}).features, 5) == "l: equal labels");
  CHECK_THROWS_WITH(graph_features(text, {{"pairs", "none"}, {"nonnegative", {"pairs"}}}),
                    "nonnegative names 'pairs', but there are no such weights with \"pairs\": "
                    "\"none\"; choose other pairs, or remove the group");
}

TEST_CASE("graph refuses weights of edges whose number overflows") {
  // 901 kinds * 3001^2 pairs of labels * (2 (2^31 - 1) + 1) features of an edge: 3.5e19 weights
  std::string text = "graph a\nl0 2147483647:1\n";
  for (int v = 1; v <= 3000; ++v) text += "l" + std::to_string(v) + "\n";
  for (int e = 1; e <= 901; ++e) {
    const std::string from = std::to_string(e);
    text += "edge " + from + " " + std::to_string(e + 1) + " k" + from + "\n";
  }
  CHECK_THROWS_WITH(graph_features(text, {{"edge_features", "both"}}),
                    "901 kinds of edges, 3001 labels and edge_features with 2147483647 features a "
                    "site make more weights than can be numbered; set \"by_kind\": false, "
                    "\"edge_features\": \"none\", or \"pairs\": \"potts\"");
}

TEST_CASE("graph accepts images as graphs and refuses datasets with a fixed number of labels") {
  Random random(103);
  const BoundFeatures image("grid", {{"window", 1}, {"neighbours", "8"}},
                            "image a 3 2\nxo\nox\nxx\n0 1\n1 1\n0 0\nimage b 1 2\nxo\n0 1\n"
                            "image c 3 2\noo\nox\nxo\n0 1\n1 1\n0 0\n",
                            "graph", {{"pairs", "symmetric"}});
  check_consistency(image, random);
  CHECK(weight_name(image.features, dimension(image.features) - 1) == "down left: 1-1");
  CHECK(topology_of(image, 0) == topology_of(image, 2));
  CHECK(topology_of(image, 0) != topology_of(image, 1));
  CHECK_THROWS_WITH(BoundFeatures("mlsvml", json::object(), "1,2 1:1\n", "graph"),
                    "labels every site, but org.sculpt.mlsvml has a fixed number of labels for "
                    "each example");
}
