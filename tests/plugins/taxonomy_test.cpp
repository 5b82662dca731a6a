// The features taxonomy and the losses tree_loss and cost_table agree with their definitions on
// random taxonomies. Also their refusals.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "count_calls.hpp"
#include "refusals.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

// A taxonomy of nodes 0 .. nodes - 1. Node 0 is the root, and parents have smaller numbers.
struct DrawnTaxonomy {
  std::vector<std::set<int>> parents;
  json rows = json::array();
  std::vector<int> classes;  // the node of each class
  std::string data;
};

DrawnTaxonomy draw_taxonomy(Random& random, int max_parents) {
  DrawnTaxonomy drawn;
  const int nodes = draw(random, 3, 12);
  drawn.parents.resize(static_cast<std::size_t>(nodes));
  for (int node = nodes - 1; node > 0; --node) {
    std::set<int>& parents = drawn.parents[static_cast<std::size_t>(node)];
    for (int k = draw(random, 1, max_parents); k > 0; --k) {
      parents.insert(draw(random, 0, node - 1));
    }
    for (const int parent : parents) {
      drawn.rows.push_back(std::to_string(node) + " " + std::to_string(parent));
    }
  }
  for (int node = 1; node < nodes; ++node) {
    if (draw(random, 0, 2) > 0 || node == 1) drawn.classes.push_back(node);  // also inner nodes
  }
  for (const int node : drawn.classes) {
    drawn.data += std::to_string(node);
    for (int j = 1; j <= 3; ++j) {
      drawn.data += " " + std::to_string(j) + ":" + std::to_string(draw(random, -3, 3));
    }
    drawn.data += "\n";
  }
  return drawn;
}

// The fewest steps up from `node` to each node above it.
std::map<int, int> steps_up(const DrawnTaxonomy& drawn, int node) {
  std::map<int, int> steps{{node, 0}};
  for (const int parent : drawn.parents[static_cast<std::size_t>(node)]) {
    for (const auto& [above, more] : steps_up(drawn, parent)) {
      const auto [known, fresh] = steps.emplace(above, more + 1);
      if (!fresh) known->second = std::min(known->second, more + 1);
    }
  }
  return steps;
}

int height(const DrawnTaxonomy& drawn, int node) {
  int highest = 0;
  for (std::size_t child = 1; child < drawn.parents.size(); ++child) {
    if (drawn.parents[child].count(node) == 0) continue;
    highest = std::max(highest, height(drawn, static_cast<int>(child)) + 1);
  }
  return highest;
}

double distance(const DrawnTaxonomy& drawn, int a, int b, bool by_path) {
  if (a == b) return 0;
  int least = 1000;
  const std::map<int, int> from_b = steps_up(drawn, b);
  for (const auto& [above, steps] : steps_up(drawn, a)) {
    const auto found = from_b.find(above);
    if (found == from_b.end()) continue;
    least = std::min(least, by_path ? steps + found->second : height(drawn, above));
  }
  return least;
}

BoundFeatures taxonomy_features(const DrawnTaxonomy& drawn, bool bias) {
  return BoundFeatures("svmlight", json::object(), drawn.data, "taxonomy",
                       {{"nodes", drawn.rows}, {"bias", bias}});
}

std::string refused_nodes(const json& nodes, const std::string& data = "1 1:1\n2 2:1\n") {
  return refusal_of([&] {
    BoundFeatures("svmlight", json::object(), data, "taxonomy", {{"nodes", nodes}});
  });
}

std::string refused_costs(const json& rows) {
  const BoundFeatures features("svmlight", json::object(), "1 1:1\n2 2:1\n", "multiclass");
  LiveComponent table("taxonomy#cost_table", {{"rows", rows}});
  return refusal_of([&] { table.bind(&features.dataset, &features.features); });
}

}  // namespace

TEST_CASE("taxonomy: psi, potentials and pullback agree, and psi has x once for each ancestor") {
  Random random(811);
  for (int trial = 0; trial < 200; ++trial) {
    const DrawnTaxonomy drawn = draw_taxonomy(random, 1 + trial % 3);
    const BoundFeatures features = taxonomy_features(drawn, trial % 2 == 0);
    check_consistency(features, random);
    const std::vector<double> x = psi(features.features, 0, {0});  // of the first class
    for (std::size_t k = 0; k < drawn.classes.size(); ++k) {
      // <psi, psi'> of two classes: |x|^2 times the number of common ancestors without the root
      const std::vector<double> other = psi(features.features, 0, {static_cast<std::int32_t>(k)});
      const std::map<int, int> first = steps_up(drawn, drawn.classes[0]);
      const std::map<int, int> second = steps_up(drawn, drawn.classes[k]);
      double shared = 0;
      for (const auto& [node, steps] : first) shared += node != 0 && second.count(node) > 0;
      const double length = dot(x, x) / static_cast<double>(first.size() - 1);  // |x|^2
      REQUIRE(dot(x, other) == Approx(shared * length));
    }
  }
}

TEST_CASE("taxonomy: normalize divides psi by the square root of the number of ancestors") {
  Random random(813);
  for (int trial = 0; trial < 100; ++trial) {
    const DrawnTaxonomy drawn = draw_taxonomy(random, 1 + trial % 3);
    const BoundFeatures plain = taxonomy_features(drawn, false);
    const BoundFeatures scaled("svmlight", json::object(), drawn.data, "taxonomy",
                               {{"nodes", drawn.rows}, {"normalize", true}});
    check_consistency(scaled, random);
    for (std::size_t k = 0; k < drawn.classes.size(); ++k) {
      const Outputs y{static_cast<std::int32_t>(k)};
      const std::size_t nodes = steps_up(drawn, drawn.classes[k]).size() - 1;
      const std::vector<double> one = psi(plain.features, 0, y);
      const std::vector<double> other = psi(scaled.features, 0, y);
      for (std::size_t j = 0; j < one.size(); ++j) {
        REQUIRE(other[j] == Approx(one[j] / std::sqrt(static_cast<double>(nodes))));
      }
    }
  }
}

TEST_CASE("taxonomy: a class without examples that is no node is refused") {
  try {
    BoundFeatures("svmlight", {{"labels", {"1", "7"}}}, "1 1:1\n", "taxonomy",
                  {{"nodes", {"1 top"}}});
    FAIL("accepted");
  } catch (const CallFailed& failure) {
    CHECK(std::string(failure.what())
              .find("class '7' of org.sculpt.svmlight, in no example, is not a node") !=
          std::string::npos);
  }
}

TEST_CASE("a flat taxonomy has the scores of multiclass") {
  const std::string data = "1 1:2 3:1\n2 2:1\n3 1:-1 2:2\n";
  const BoundFeatures tree("svmlight", json::object(), data, "taxonomy",
                           {{"nodes", {"1 top", "2 top", "3 top"}}});
  const BoundFeatures flat("svmlight", json::object(), data, "multiclass");
  Random random(3);
  REQUIRE(dimension(flat.features) == 9);
  // the blocks of weights have the order of the classes, although "top" is the second name
  const std::vector<double> w = normal_vector(random, 9);
  REQUIRE(dimension(tree.features) == 9);
  for (std::int64_t example = 0; example < 3; ++example) {
    CHECK(potentials(tree.features, example, w) == potentials(flat.features, example, w));
  }
  CHECK(classes_of(tree.features) == classes_of(flat.features));
}

TEST_CASE("tree_loss agrees with its definition on random taxonomies, also by factors and counts") {
  Random random(823);
  for (int trial = 0; trial < 200; ++trial) {
    const DrawnTaxonomy drawn = draw_taxonomy(random, 1 + trial % 3);
    const BoundFeatures features = taxonomy_features(drawn, false);
    const bool by_path = trial % 2 == 1;
    const json parameters = {{"measure", by_path ? "path" : "height"}, {"nodes", drawn.rows}};
    LiveComponent tree("taxonomy#tree_loss", parameters);
    tree.bind(&features.dataset, &features.features);
    LiveComponent from_features("taxonomy#tree_loss", {{"measure", by_path ? "path" : "height"}});
    from_features.bind(&features.dataset, &features.features);
    for (std::size_t a = 0; a < drawn.classes.size(); ++a) {
      const Outputs truth{static_cast<std::int32_t>(a)};
      const sculpt_factor_graph& graph = graph_of(features.features, 0);
      std::vector<double> theta(static_cast<std::size_t>(graph.theta_size));
      const double constant = add_factor_loss(tree, graph, truth, 2, theta);
      const CountTables counts = factor_counts(tree, graph, truth);
      for (std::size_t b = 0; b < drawn.classes.size(); ++b) {
        const Outputs guess{static_cast<std::int32_t>(b)};
        const double expected = distance(drawn, drawn.classes[a], drawn.classes[b], by_path);
        REQUIRE(loss(tree, truth, guess) == expected);
        REQUIRE(loss(from_features, truth, guess) == expected);
        REQUIRE(constant + theta[b] == 2 * expected);
        REQUIRE(loss_of_counts(tree, truth, {counts[0][b]}) == expected);
      }
    }
  }
}

TEST_CASE("tree_loss can be normalized or zero_one, and its metrics include all measures") {
  const json nodes = {"1 left", "2 left", "3 right", "left 0", "right 0"};
  const BoundFeatures features("svmlight", json::object(), "1 1:1\n2 2:1\n3 1:1\n", "multiclass");
  const auto make_loss = [&](const json& parameters) {
    auto tree = std::make_unique<LiveComponent>("taxonomy#tree_loss", parameters);
    tree->bind(&features.dataset, &features.features);
    return tree;
  };
  const auto height = make_loss({{"nodes", nodes}, {"normalize", true}});
  CHECK(loss(*height, {0}, {1}) == 0.5);
  CHECK(loss(*height, {0}, {2}) == 1);
  const auto path = make_loss({{"nodes", nodes}, {"measure", "path"}});
  CHECK(loss(*path, {0}, {1}) == 2);
  CHECK(loss(*path, {0}, {2}) == 4);
  const auto flat = make_loss({{"nodes", nodes}, {"measure", "zero_one"}, {"normalize", true}});
  CHECK(loss(*flat, {0}, {1}) == 1);
  CHECK(loss(*flat, {0}, {2}) == 1);
  CHECK(loss(*flat, {-1}, {2}) == 0);  // not observed
  const BoundFeatures lone("svmlight", json::object(), "0 1:1\n", "multiclass");
  LiveComponent rooted("taxonomy#tree_loss",
                       {{"nodes", {"1 0"}}, {"measure", "path"}, {"normalize", true}});
  rooted.bind(&lone.dataset, &lone.features);
  CHECK(loss(rooted, {0}, {0}) == 0);  // the root is the only class
  const json measured = metrics(*flat, {{{0}, {0}}, {{0}, {1}}, {{0}, {2}}}, {Outputs{1}});
  CHECK(measured["error"].get<double>() == 0.75);
  CHECK(measured["tree_height"].get<double>() == Approx((0 + 1 + 2 + 2) / 4.0));
  CHECK(measured["tree_path"].get<double>() == Approx((0 + 2 + 4 + 4) / 4.0));
  LiveComponent without_taxonomy("taxonomy#tree_loss");
  CHECK_THROWS_WITH(without_taxonomy.bind(&features.dataset, &features.features),
                    "needs a taxonomy; set file to its path or nodes to its rows, or use the "
                    "features taxonomy, whose taxonomy is then used");
}

TEST_CASE("taxonomy and tree_loss restored from a model equal the saved ones") {
  Random random(829);
  const DrawnTaxonomy drawn = draw_taxonomy(random, 2);
  const BoundFeatures features = taxonomy_features(drawn, true);
  LiveComponent dataset("svmlight");
  dataset.restore(features.dataset.save());
  dataset.load("predict", "1:1\n");
  LiveComponent restored("taxonomy", {{"bias", true}}, SCULPT_KIND_FEATURES);
  restored.restore(features.features.save());
  restored.bind(&dataset);
  REQUIRE(dimension(restored) == dimension(features.features));
  for (std::int64_t weight = 0; weight < dimension(restored); ++weight) {
    CHECK(weight_name(restored, weight) == weight_name(features.features, weight));
  }
  LiveComponent from_features("taxonomy#tree_loss");  // its state is empty
  from_features.bind(&features.dataset, &features.features);
  LiveComponent again("taxonomy#tree_loss");
  again.restore(from_features.save());
  again.bind(&dataset, &restored);
  CHECK(loss(again, {0}, {0}) == 0);
}

TEST_CASE(
    "a taxonomy with a cycle, two roots or a class that is no node is refused with its place") {
  CHECK(refused_nodes({"1 a", "2 b", "a c", "b a", "c b"}) ==
        "nodes:2:3: node 'b' is below itself, through 'c'; remove a row of this cycle");
  CHECK(refused_nodes({"1 top", "2 other"}) ==
        "nodes:2:3: there are two roots, 'top' (line 1) and 'other': neither has a parent; add a "
        "row with the parent of one of them");
  CHECK(refused_nodes({"1 top", "3 top"}) ==
        "nodes: class '2' of org.sculpt.svmlight, first in example 1, is not a node; add a row `2 "
        "PARENT`, or remove its examples");
  CHECK(refused_nodes({"1 top", "1 top"}) ==
        "nodes:2:1: this row occurs twice; remove one of them");
  CHECK(refused_nodes({"1 1"}) ==
        "nodes:1:3: node '1' is its own parent; write another parent, and no row for the root");
  CHECK(refused_nodes({"1 top", "2"}) ==
        "nodes:2:2: node '2' has no parent; write `node parent [name]`, and no row for the root");
  CHECK(refused_nodes({"# nothing"}) == "nodes:1:1: no nodes; write rows `node parent [name]`");
  CHECK(refused_nodes({"", "# a comment", "1 top a name", "2 top"}) == "accepted");
  CHECK(refused_nodes({"1 2", "2 top"}) == "accepted");  // one class below the other
}

TEST_CASE("a taxonomy of more than a thousand nodes above each other is refused") {
  std::vector<std::string> nodes{"2 0", "1 n0"};
  for (int k = 0; k < 100000; ++k) {
    nodes.push_back("n" + std::to_string(k) + " " +
                    (k + 1 < 100000 ? "n" + std::to_string(k + 1) : "0"));
  }
  LiveComponent dataset("svmlight");
  dataset.load("train", "1 1:1\n2 1:1\n");
  LiveComponent features("taxonomy", {{"nodes", nodes}});
  CHECK_THROWS_WITH(
      features.bind(&dataset),
      "nodes: class '1' has more than 1000 nodes above it; make the taxonomy flatter");
}

TEST_CASE("cost_table has the costs of its rows, and refuses bad rows") {
  const BoundFeatures features("svmlight", json::object(), "1 1:1\n2 2:1\n3 1:1\n", "multiclass");
  LiveComponent table("taxonomy#cost_table",
                      {{"rows", {"1 2 0.25", "2 1 7 ", "3 3 0"}}, {"other", 3}});
  table.bind(&features.dataset, &features.features);
  const double expected[3][3] = {{0, 0.25, 3}, {7, 0, 3}, {3, 3, 0}};
  const sculpt_factor_graph& graph = graph_of(features.features, 0);
  for (std::int32_t a = 0; a < 3; ++a) {
    std::vector<double> theta(3);
    add_factor_loss(table, graph, {a}, 1, theta);
    const CountTables counts = factor_counts(table, graph, {a});
    for (std::int32_t b = 0; b < 3; ++b) {
      const auto cell = static_cast<std::size_t>(b);
      CHECK(loss(table, {a}, {b}) == expected[a][b]);
      CHECK(theta[cell] == expected[a][b]);
      CHECK(loss_of_counts(table, {a}, {counts[0][cell]}) == expected[a][b]);
    }
  }
  const json measured = metrics(table, {{{1}, {0}}, {{0}, {0}}}, {Outputs{1}});
  CHECK(measured["error"].get<double>() == Approx(2 / 3.0));
  CHECK(measured["cost"].get<double>() == Approx(14 / 3.0));
  CHECK(refused_costs({"1 2"}) ==
        "rows:1:1: this row does not have three fields; write `truth guess cost`");
  CHECK(refused_costs({"1 4 1"}) ==
        "rows:1:3: '4' is not a class of org.sculpt.svmlight; remove the row");
  CHECK(refused_costs({"1 2 -1"}) ==
        "rows:1:5: this cost is negative; write a number from 0 to 1e100");
  CHECK(refused_costs({"1 1 1"}) == "rows:1:5: the cost of the truth itself must be 0; write 0");
  CHECK(refused_costs({"1 2 1", "1 2 2"}) ==
        "rows:2:1: these two classes have a cost already; remove one of the rows");
  CHECK(refused_costs({"9 1 1"}) ==
        "rows:1:1: '9' is not a class of org.sculpt.svmlight; remove the row");
  CHECK(refused_costs({"1 2 1 1"}) ==
        "rows:1:1: this row does not have three fields; write `truth guess cost`");
}

TEST_CASE("cost_table has rows `truth * cost` for every guess without a row of its own") {
  const std::string rows = "7 1:1\n8 1:2\n9 1:3\n";
  LiveComponent dataset("svmlight");
  dataset.load("train", rows);
  LiveComponent table("taxonomy#cost_table",
                      {{"rows", {"7 * 5", "7 9 2", "9 * 0.5"}}, {"other", 3}});
  table.bind(&dataset);
  CHECK(loss(table, {0}, {1}) == 5);
  CHECK(loss(table, {0}, {2}) == 2);
  CHECK(loss(table, {0}, {0}) == 0);
  CHECK(loss(table, {1}, {0}) == 3);
  CHECK(loss(table, {2}, {0}) == 0.5);
  LiveComponent twice("taxonomy#cost_table", {{"rows", {"7 * 5", "7 * 4"}}});
  CHECK(refusal_of([&] {
          twice.bind(&dataset);
        }).ends_with(": this class has a cost for every guess already; remove one of the rows"));
}

TEST_CASE("cost_table refuses costs that are not finite numbers or above 1e100") {
  for (const std::string cost : {"many", "nan", "inf", "-inf", "0x10"}) {
    CHECK(refused_costs({"2 1 3", "1 2 " + cost}) ==
          "rows:2:5: '" + cost + "' is not a cost; a finite number is expected");
  }
  for (const std::string cost : {"1e999", "1e309"}) {
    CHECK(refused_costs({"2 1 3", "1 2 " + cost}) ==
          "rows:2:5: '" + cost + "' is too large; numbers are from -1.79e308 to 1.79e308");
  }
  CHECK(refused_costs({"1 2 -1e-300"}) ==
        "rows:1:5: this cost is negative; write a number from 0 to 1e100");
  CHECK(refused_costs({"1 2 1.1e100"}) ==
        "rows:1:5: this cost is above 1e100; write a smaller one");
  CHECK(refused_costs({"1 2 1e100"}) == "accepted");
}

TEST_CASE("cost_table refuses more classes than a table can hold") {
  std::string text;
  for (int k = 1; k <= 8193; ++k) text += std::to_string(k) + " 1:1\n";
  const BoundFeatures features("svmlight", json::object(), text, "multiclass");
  LiveComponent table("taxonomy#cost_table", {{"rows", {"1 2 1"}}});
  CHECK_THROWS_WITH(table.bind(&features.dataset, &features.features),
                    "8193 classes are too many for a cost table, which has at most 8192; use the "
                    "loss tree_loss or zero_one");
}
