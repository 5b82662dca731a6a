// graph.cpp - one label for each site of a graph: node features, and pair weights of the edges.
//
//   psi(x, y) = ( sum_s x_s (x) e_{y_s},   for each kind of edge  sum over its edges (s, t) of
//                 f(y_s, y_t) )
//
// with f as in edge_weights.hpp. Collective classification: Taskar, Abbeel & Koller, UAI 2002. For
// the pixels of an image, with one kind for each direction, it is a grid: Mueller & Behnke, JMLR
// 2014.
#include "edge_weights.hpp"
#include "graph_dataset.hpp"
#include "topologies.hpp"

#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/cpp/factor_graph_builder.hpp>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Graph {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.graph", "1.0.0",
      "one label for each site of a graph or an image, with pair weights along the edges",
      "Taskar, Abbeel and Koller, UAI 2002; Mueller and Behnke, JMLR 2014"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("bias", "true", "adds a feature that is 1 at every site"),
      sculpt::choice("pairs", R"("table")", "none|potts|symmetric|table",
                     "weights of an edge: potts: one for equal labels; symmetric: one for each "
                     "unordered pair of labels; table: one for each ordered pair"),
      sculpt::choice("edge_features", R"("none")", "none|both",
                     "both: an edge also has weights for the features of its two sites"),
      sculpt::boolean("by_kind", "true", "gives each kind of edge its own weights"),
      sculpt::list_of(sculpt::choice("nonnegative", "[]", "nodes|bias|pairs",
                                     "groups of weights that must not be negative"))};
  static constexpr const char* experiments[] = {R"({
    "name": "graph_four_webs",
    "dataset": {"use": "graph", "train": {"text":
      "graph one\na 1:1\nb 2:1\na 1:0.5 2:1\nedge 1 2 cites\nedge 3 2 cites\nedge 1 3\ngraph two\nb 2:2\na 1:1\nedge 2 1 cites\ngraph three\na 1:2\na 2:-1\nedge 1 2\ngraph four\nc 1:1\n"}},
    "features": "graph", "loss": "hamming", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10}})"};

  explicit Graph(const sculpt::Parameters& given)
      : bias_(given.boolean("bias")),
        form_(given.choice("pairs")),
        has_edge_features_(given.choice("edge_features") == "both"),
        by_kind_(given.boolean("by_kind")),
        nonnegative_(given.texts("nonnegative")) {
    for (const std::string& group : nonnegative_) {
      if (group == "bias" && !bias_) {
        throw empty_group(group, R"(without "bias": true; set it)");
      }
      if (group == "pairs" && form_ == "none") {
        throw empty_group(group, R"(with "pairs": "none"; choose other pairs)");
      }
    }
    if (has_edge_features_ && form_ == "none") {
      throw sculpt::parameter_error(
          R"("edge_features": "both" needs weights of edges, but there are none with )"
          R"("pairs": "none"; choose other pairs, or set "edge_features": "none")");
    }
  }

  void bind(const sculpt::Bindings& bindings) {
    input_ = sculpt::SiteInput(bindings.dataset);
    if (input_.variable_count() != 0) {
      throw sculpt::unsupported_error("labels every site, but " + input_.dataset_id() +
                                      " has a fixed number of labels for each example");
    }
    kinds_ = sculpt::EdgeKinds(bindings.dataset);
    nodes_ = sculpt::SiteWeights(input_.feature_count(), input_.state_count(), bias_);
    edges_ = EdgeWeights(PairTerms(form_, input_.state_count()), pair_from(),
                         by_kind_ ? kinds_.count() : 1, input_.feature_count(), has_edge_features_);
    check_weight_count();
    const bool attractive = edges_.attractive_if_nonnegative() && bounds("pairs");
    for (std::int64_t example = 0; example < input_.example_count(); ++example) {
      const EdgeView edges = edges_of(example);
      check_edges(example, edges);
      topologies_.add(edges, attractive);
    }
  }

  std::int64_t dimension() const { return pair_from() + edges_.size(); }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return input_.output_shape(example);
  }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites sites = input_.sites(example);
    input_.check_output(y, sites.site_count);
    for (std::size_t s = 0; s < y.size(); ++s) {
      nodes_.add(sites, static_cast<std::int64_t>(s), y[s], 1, sum);
    }
    const EdgeView edges = edges_of(example);
    for (std::size_t e = 0; e < edges.count(); ++e) {
      const auto from = static_cast<std::size_t>(edges.sites[2 * e]);
      const auto to = static_cast<std::size_t>(edges.sites[2 * e + 1]);
      edges_.add(sites, edges.kind(e), edges.sites[2 * e], edges.sites[2 * e + 1], y[from], y[to],
                 sum);
    }
  }

  bool bounds_weights() const { return !nonnegative_.empty(); }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    const std::int64_t bias_from = input_.feature_count() * states();
    const auto fill = [&](std::int64_t begin, std::int64_t end, bool bounded) {
      std::fill(nonnegative.begin() + begin, nonnegative.begin() + end,
                static_cast<std::uint8_t>(bounded ? 1 : 0));
    };
    fill(0, bias_from, bounds("nodes"));
    fill(bias_from, pair_from(), bounds("bias"));
    fill(pair_from(), dimension(), bounds("pairs"));
  }

  std::int64_t weight_column(std::int64_t weight) const {
    return weight < pair_from() ? nodes_.column(weight) : edges_.column(weight);
  }
  sculpt::RowBlocks row_blocks() const {
    if (has_edge_features_) {
      throw sculpt::unsupported_error(
          R"(a kernel compares sites, not edges; set "edge_features": "none")");
    }
    return nodes_.row_blocks();
  }
  // Appends the kind of the edge, or "edge", then the name of edge_weights.hpp.
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    if (weight < pair_from()) return nodes_.name(weight, input_, out);
    if (by_kind_) {
      kinds_.name(static_cast<std::int32_t>(edges_.block_of(weight)), out);
    } else {
      out << "edge";
    }
    edges_.name(weight, input_, out);
  }

  std::uint32_t factor_classes() const { return topologies_.common_classes() | binary(); }

  // Unary tables [sites][K], then, if there are edges, a pair table [K][K] for each edge kind, or
  // for each edge with edge_features.
  class Session {
   public:
    explicit Session(const Graph& owner) : owner_(owner) {}

    const sculpt_factor_graph& factor_graph(std::int64_t example) {
      const std::uint64_t topology = owner_.topologies_.number(example);
      if (topology != built_topology_) build(example, topology);
      return builder_.graph(owner_.topologies_.classes(example) | owner_.binary(), topology);
    }
    void potentials(std::int64_t example, sculpt::Weights w, double* theta) {
      owner_.potentials(example, w.data(), theta, scratch_);
    }
    void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) {
      owner_.pull_back(example, mu, sum, scratch_);
    }

   private:
    void build(std::int64_t example, std::uint64_t topology) {
      built_topology_ = 0;  // set again once all is built
      builder_.clear();
      const EdgeView edges = owner_.edges_of(example);
      const auto states = static_cast<std::int32_t>(owner_.states());
      for (std::int64_t s = 0; s < edges.site_count; ++s) builder_.add_variable(states);
      const std::int64_t cells = owner_.states() * owner_.states();
      const std::int64_t tables = builder_.add_table(owner_.table_count(edges) * cells);
      for (std::size_t e = 0; e < edges.count(); ++e) {
        builder_.add_factor(edges.sites.subspan(2 * e, 2),
                            tables + owner_.table_of(edges, e) * cells);
      }
      built_topology_ = topology;
    }

    const Graph& owner_;
    std::uint64_t built_topology_ = 0;  // of builder_
    sculpt::FactorGraphBuilder builder_;
    EdgeScratch scratch_;
  };

 private:
  // `reason`: why the group has no weights, and how to change that.
  static sculpt::Error empty_group(const std::string& group, const std::string& reason) {
    return sculpt::parameter_error("nonnegative names '" + group +
                                   "', but there are no such weights " + reason +
                                   ", or remove the group");
  }

  std::int64_t states() const { return input_.state_count(); }
  std::uint32_t binary() const { return states() == 2 ? std::uint32_t{SCULPT_GRAPH_BINARY} : 0; }
  bool bounds(const std::string& group) const {
    return std::find(nonnegative_.begin(), nonnegative_.end(), group) != nonnegative_.end();
  }
  // The host refuses too many weights. The number itself must not overflow.
  void check_weight_count() const {
    if (edges_.size_fits()) return;
    throw sculpt::unsupported_error(
        std::to_string(blocks()) + " kinds of edges, " + std::to_string(states()) +
        " labels and edge_features with " + std::to_string(input_.feature_count()) +
        " features a site make more weights than can be numbered; set \"by_kind\": false, "
        "\"edge_features\": \"none\", or \"pairs\": \"potts\"");
  }
  // The number of edge kinds with separate weights.
  std::int64_t blocks() const { return by_kind_ ? kinds_.count() : 1; }
  std::int64_t pair_from() const { return nodes_.size(); }
  // Returns the number of pair tables of an example.
  std::int64_t table_count(const EdgeView& edges) const {
    if (edges.count() == 0) return 0;
    return edges_.each_edge_has_table() ? static_cast<std::int64_t>(edges.count()) : blocks();
  }
  std::int64_t table_of(const EdgeView& edges, std::size_t edge) const {
    return edges_.each_edge_has_table() ? static_cast<std::int64_t>(edge) : edges.kind(edge);
  }

  // Returns the edges that have weights, and their blocks.
  EdgeView edges_of(std::int64_t example) const {
    const sculpt_sites sites = input_.sites(example);
    if (!edges_.has_weights() || sites.edge_count == 0) return {sites.site_count, {}, {}};
    const auto count = static_cast<std::size_t>(sites.edge_count);
    const std::int32_t* kinds = by_kind_ ? kinds_.of(example) : nullptr;
    return {sites.site_count,
            {sites.edge, 2 * count},
            {kinds, kinds == nullptr ? std::size_t{0} : count}};
  }

  void check_edges(std::int64_t example, const EdgeView& edges) const {
    const auto edge_error = [&](std::size_t e, const std::string& message) {
      return sculpt::data_error("edge " + std::to_string(e) + " of example " +
                                std::to_string(example) + " of " + input_.dataset_id() + message);
    };
    for (std::size_t e = 0; e < edges.count(); ++e) {
      const std::int32_t from = edges.sites[2 * e];
      const std::int32_t to = edges.sites[2 * e + 1];
      if (std::min(from, to) < 0 || std::max(from, to) >= edges.site_count) {
        throw edge_error(e, " joins the sites " + std::to_string(from) + " and " +
                                std::to_string(to) + ", but there are " +
                                std::to_string(edges.site_count));
      }
      if (from == to) {
        throw edge_error(e, " joins site " + std::to_string(from) + " with itself");
      }
      if (edges.kind(e) < 0 || edges.kind(e) >= blocks()) {
        throw edge_error(
            e, " is of kind " + std::to_string(edges.kind(e)) + " of " + std::to_string(blocks()));
      }
    }
  }

  void potentials(std::int64_t example, const double* w, double* theta,
                  EdgeScratch& scratch) const {
    const sculpt_sites sites = input_.sites(example);
    const std::int64_t count = states();
    for (std::int64_t s = 0; s < sites.site_count; ++s) {
      nodes_.scores(sites, s, w, theta + s * count);
    }
    double* tables = theta + sites.site_count * count;
    for_each_table(example, [&](std::int64_t table, const TableEdge& edge) {
      double* cells = tables + table * count * count;
      if (edges_.each_edge_has_table()) {
        edges_.table(sites, edge.kind, edge.from, edge.to, w, cells, scratch);
      } else {
        edges_.shared_table(edge.kind, w, cells);
      }
    });
  }

  void pull_back(std::int64_t example, const double* mu, sculpt::Sum& sum,
                 EdgeScratch& scratch) const {
    const sculpt_sites sites = input_.sites(example);
    const std::int64_t count = states();
    for (std::int64_t s = 0; s < sites.site_count; ++s) {
      nodes_.pull_back(sites, s, mu + s * count, sum);
    }
    const double* tables = mu + sites.site_count * count;
    for_each_table(example, [&](std::int64_t table, const TableEdge& edge) {
      const double* cells = tables + table * count * count;
      if (edges_.each_edge_has_table()) {
        edges_.pull_back(sites, edge.kind, edge.from, edge.to, cells, sum, scratch);
      } else {
        edges_.pull_back_shared(edge.kind, cells, sum);
      }
    });
  }

  // The edge of a table. A shared table has only a kind.
  struct TableEdge {
    std::int64_t kind, from, to;
  };
  // Calls visit(number of the table, TableEdge) for each pair table of an example.
  template <class Visit>
  void for_each_table(std::int64_t example, Visit visit) const {
    const EdgeView edges = edges_of(example);
    for (std::int64_t table = 0; table < table_count(edges); ++table) {
      const auto e = static_cast<std::size_t>(table);
      visit(table, edges_.each_edge_has_table()
                       ? TableEdge{edges.kind(e), edges.sites[2 * e], edges.sites[2 * e + 1]}
                       : TableEdge{table, 0, 0});
    }
  }

  const bool bias_;
  const std::string form_;
  const bool has_edge_features_;
  const bool by_kind_;
  const std::vector<std::string> nonnegative_;  // groups
  sculpt::SiteInput input_;
  sculpt::EdgeKinds kinds_;
  sculpt::SiteWeights nodes_;
  EdgeWeights edges_;
  Topologies topologies_;
};

}  // namespace

SCULPT_PLUGIN("graph", "1.0.0", "Apache-2.0", sculpt::Dataset<GraphDataset>,
              sculpt::Features<Graph>)
