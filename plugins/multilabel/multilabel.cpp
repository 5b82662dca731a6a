// multilabel.cpp - any number of labels for each example: node features for each label, and pair
// weights for pairs of labels.
//
//   psi(x, y) = ( sum over v with y_v = 1 of  x (x) e_v,   pair terms of the edges (u, v) )
//   both_on: [y_u = 1][y_v = 1], one weight an edge;   tables: e_{2 y_u + y_v}, four weights
//
// Finley & Joachims, "Training Structural SVMs when Exact Inference is Intractable", ICML 2008.
// They use all pairs with both_on: K d + K (K - 1) / 2 weights. The tree: Chow & Liu, 1968.
#include "label_edges.hpp"
#include "label_names.hpp"

#include <sculpt/cpp/edge_list.hpp>
#include <sculpt/cpp/factor_graph_builder.hpp>
#include <sculpt/cpp/site_weights.hpp>

namespace {

class Multilabel {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.multilabel", "1.0.0",
      "any number of labels for each example, with weights for pairs of labels",
      "Finley and Joachims, ICML 2008; the tree: Chow and Liu, IEEE Transactions on Information "
      "Theory, 1968"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("bias", "true", "adds a feature that is 1 in every example"),
      sculpt::choice("pairs", R"("both_on")", "none|both_on|tables",
                     "weights of an edge: both_on: one for both labels on; tables: one for each of "
                     "the four states of the two labels"),
      sculpt::choice("edges", R"("full")", "full|tree|list",
                     "pairs of labels with weights: full: all; tree: a spanning tree with the "
                     "largest mutual information in the split train; list: those of edge_list"),
      sculpt::list_of(sculpt::text("edge_list", "null",
                                   "pairs of labels, as the data write them: \"1-4\"; for edges: "
                                   "list")),
      sculpt::list_of(sculpt::choice("nonnegative", "[]", "nodes|bias|pairs",
                                     "groups of weights that must not be negative"))};
  static constexpr const char* experiments[] = {R"({
    "name": "multilabel_tree",
    "dataset": {"use": "mlsvml",
                "train": {"text": "1,3 1:1 2:0.5\n2 2:1\n- 3:-1\n1,2,3 1:0.5 3:2\n4 1:-1\n"}},
    "features": {"use": "multilabel", "pairs": "tables", "edges": "tree"},
    "loss": {"use": "hamming", "normalize": true}, "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "multilabel_apart",
    "dataset": {"use": "mlsvml",
                "train": {"text": "1,3 1:1 2:0.5\n2 2:1\n- 3:-1\n1,2,3 1:0.5 3:2\n4 1:-1\n"}},
    "features": {"use": "multilabel", "pairs": "none"}, "loss": "hamming", "oracle": "icm",
    "solver": {"use": "one_slack", "C": 1}})"};

  Multilabel(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        bias_(given.boolean("bias")),
        cells_(given.choice("pairs") == "tables"    ? 4
               : given.choice("pairs") == "both_on" ? 1
                                                    : 0),
        edge_choice_(given.choice("edges")),
        nonnegative_(given.texts("nonnegative")) {
    const bool listed = !given.is_default("edge_list");
    if (listed != (edge_choice_ == "list")) {
      throw sculpt::parameter_error(
          listed ? R"(edge_list needs "edges": "list"; set it, or remove edge_list)"
                 : R"("edges": "list" needs the key edge_list; set it, such as to ["1-4"])");
    }
    if (listed) edge_list_ = given.texts("edge_list");
    for (const std::string& group : nonnegative_) {
      if (group == "bias" && !bias_) {
        throw empty_group(group, R"(without "bias": true; set it)");
      }
      if (group == "pairs" && cells_ == 0) {
        throw empty_group(group, R"(with "pairs": "none"; choose other pairs)");
      }
    }
  }

  void bind(const sculpt::Bindings& bindings) {
    input_ = sculpt::SiteInput(bindings.dataset);
    if (input_.state_count() != 2) {
      throw sculpt::unsupported_error("needs labels that are off or on, but those of " +
                                      input_.dataset_id() + " have " +
                                      std::to_string(input_.state_count()) + " states");
    }
    for (std::int64_t example = 0; example < input_.example_count(); ++example) {
      const std::int64_t sites = input_.sites(example).site_count;
      if (sites == 1) continue;
      throw sculpt::unsupported_error("needs one site for each example, but example " +
                                      std::to_string(example) + " of " + input_.dataset_id() +
                                      " has " + std::to_string(sites) +
                                      "; use the features `chain` or `graph`");
    }
    labels_ = std::max<std::int64_t>(1, input_.variable_count());  // 0: one site, one label
    names_.read(bindings.dataset, input_, labels_);
    nodes_ = sculpt::SiteWeights(input_.feature_count(), labels_, bias_);
    choose_edges();
  }

  std::int64_t dimension() const { return pair_from() + cells_ * edge_count(); }
  sculpt::OutputShape output_shape(std::int64_t) const {
    return sculpt::OutputShape::of_size(labels_, 2).complete().same_for_all();
  }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    input_.check_output(y, labels_);
    const sculpt_sites sites = input_.sites(example);
    for (std::int64_t v = 0; v < labels_; ++v) {
      if (y[static_cast<std::size_t>(v)] == 1) nodes_.add(sites, 0, v, 1, sum);
    }
    for (std::int64_t e = 0; e < pair_factors(); ++e) {
      const std::int32_t cell = 2 * y[first(e)] + y[second(e)];
      if (cells_ == 4) sum.add(pair_from() + 4 * e + cell, 1);
      if (cells_ == 1 && cell == 3) sum.add(pair_from() + e, 1);
    }
  }

  // The scores of the labels: above 0 a label is on. With pair weights the labels are decided
  // together, so there are no scores.
  bool offers_scores() const { return cells_ == 0; }
  std::uint32_t score_rule() const { return SCULPT_SCORES_SIGN; }
  std::int64_t score_columns() const { return labels_; }
  void score_name(std::int64_t column, sculpt::ByteOutput& out) const { out << names_.of(column); }
  std::int64_t score_rows(std::int64_t) const { return 1; }
  void write_scores(std::int64_t example, sculpt::Weights w, std::span<double> scores) const {
    nodes_.scores(input_.sites(example), 0, w.data(), scores.data());
  }

  bool bounds_weights() const { return !nonnegative_.empty(); }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    std::fill(nonnegative.begin(), nonnegative.end(), std::uint8_t{0});
    const std::int64_t bias_from = input_.feature_count() * labels_;
    for (const std::string& group : nonnegative_) {
      const std::int64_t begin = group == "nodes" ? 0 : group == "bias" ? bias_from : pair_from();
      const std::int64_t end = group == "nodes"  ? bias_from
                               : group == "bias" ? pair_from()
                                                 : dimension();
      std::fill(nonnegative.begin() + begin, nonnegative.begin() + end, std::uint8_t{1});
    }
  }

  std::int64_t weight_column(std::int64_t weight) const {
    return weight < pair_from() ? nodes_.column(weight) : -1;
  }
  sculpt::RowBlocks row_blocks() const { return nodes_.row_blocks(); }
  // Appends "feature 12, label 3", "labels 1 and 3 on" or "labels 1 and 3: off, on".
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    if (weight < pair_from()) {
      nodes_.feature_name(weight, input_, out);
      out << ", label " << names_.of(weight % labels_);
      return;
    }
    const std::int64_t pair = weight - pair_from();
    const std::int64_t e = pair / cells_;
    out << "labels " << names_.of(edges_[2 * static_cast<std::size_t>(e)]) << " and "
        << names_.of(edges_[2 * static_cast<std::size_t>(e) + 1]);
    static constexpr const char* states[4] = {": off, off", ": off, on", ": on, off", ": on, on"};
    out << (cells_ == 1 ? " on" : states[pair % 4]);
  }

  std::uint32_t factor_classes() const { return classes_; }

  // Saves the edges of a tree, and the names. Other edges follow from the parameters.
  void save(sculpt::StateWriter& writer) const {
    writer.integer(state_version);
    const std::size_t count = edge_choice_ == "tree" ? edges_.size() : 0;
    writer.integer(static_cast<std::int64_t>(count));
    for (std::size_t k = 0; k < count; ++k) writer.integer(edges_[k]);
    names_.save(writer);
  }
  void restore(sculpt::StateReader& reader) {
    const std::int64_t version = reader.integer();
    if (version < 1 || version > state_version) reader.damaged();
    const std::int64_t count = reader.count(sizeof(std::int64_t));
    const std::int64_t labels = count / 2 + 1;  // a tree has one more node than edges
    std::vector<std::int32_t> edges;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t label = reader.integer();
      const bool ordered = k % 2 == 0 || label > edges.back();
      if (label < 0 || label >= labels || !ordered) reader.damaged();
      edges.push_back(static_cast<std::int32_t>(label));
    }
    const bool is_tree =
        count % 2 == 0 && (sculpt::classes_of_edges(labels, edges) & SCULPT_GRAPH_FOREST) != 0;
    if (!is_tree || (count > 0 && edge_choice_ != "tree")) reader.damaged();
    if (edge_choice_ == "tree") edges_ = std::move(edges);
    names_.restore(reader, version >= 2);
    restored_ = true;
  }

  // K unary tables (0, score of the label), then one pair table for each edge: the same graph for
  // every example.
  struct Session {
    explicit Session(const Multilabel& owner) : owner_(owner) {
      builder_.clear();
      for (std::int64_t v = 0; v < owner.labels_; ++v) builder_.add_variable(2);
      for (std::int64_t e = 0; e < owner.pair_factors(); ++e) {
        const auto u = static_cast<std::int32_t>(owner.first(e));
        builder_.add_factor({u, static_cast<std::int32_t>(owner.second(e))}, builder_.add_table(4));
      }
    }
    const sculpt_factor_graph& factor_graph(std::int64_t) {
      return builder_.graph(owner_.classes_, 1);
    }
    void potentials(std::int64_t example, sculpt::Weights w, double* theta) const {
      owner_.potentials(example, w.data(), theta);
    }
    void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) const {
      owner_.pull_back(example, mu, sum);
    }

   private:
    const Multilabel& owner_;
    sculpt::FactorGraphBuilder builder_;
  };

 private:
  static constexpr std::int64_t state_version = 2;
  static constexpr std::int64_t max_edges = std::int64_t{1} << 24;

  // `reason`: why the group has no weights, and how to change that.
  static sculpt::Error empty_group(const std::string& group, const std::string& reason) {
    return sculpt::parameter_error("nonnegative names '" + group +
                                   "', but there are no such weights " + reason +
                                   ", or remove the group");
  }

  std::int64_t edge_count() const { return static_cast<std::int64_t>(edges_.size() / 2); }
  std::int64_t pair_factors() const { return cells_ > 0 ? edge_count() : 0; }
  std::size_t first(std::int64_t edge) const {
    return static_cast<std::size_t>(edges_[2 * static_cast<std::size_t>(edge)]);
  }
  std::size_t second(std::int64_t edge) const {
    return static_cast<std::size_t>(edges_[2 * static_cast<std::size_t>(edge) + 1]);
  }
  std::int64_t pair_from() const { return nodes_.size(); }

  // Sets the edges by the parameter `edges`, or from the model. Sets the classes of the graph.
  void choose_edges() {
    if (edge_choice_ != "list" && cells_ > 0 && labels_ * (labels_ - 1) / 2 > max_edges) {
      throw sculpt::unsupported_error(std::to_string(labels_) + " labels have more than " +
                                      std::to_string(max_edges) +
                                      " pairs; list the pairs that matter in edge_list, or set "
                                      "\"pairs\": \"none\"");
    }
    if (cells_ == 0) {
      edges_.clear();
    } else if (edge_choice_ == "full") {
      edges_ = full_label_edges(labels_);
    } else if (edge_choice_ == "list") {
      edges_ = listed_label_edges(edge_list_, names_, input_.dataset_id());
    } else if (edge_choice_ == "tree" && !restored_) {
      edges_ = tree_of_labels(input_, labels_, host_);
    } else if (edge_choice_ == "tree" && edge_count() != labels_ - 1) {
      sculpt::StateReader::damaged();
    }
    classes_ = sculpt::classes_of_edges(labels_, edges_) | SCULPT_GRAPH_BINARY;
    if (edges_.empty() || (cells_ == 1 && bounds_pairs())) classes_ |= SCULPT_GRAPH_ATTRACTIVE;
  }
  bool bounds_pairs() const {
    return std::find(nonnegative_.begin(), nonnegative_.end(), "pairs") != nonnegative_.end();
  }

  // theta: [K][2], then [edges][2][2].
  void potentials(std::int64_t example, const double* w, double* theta) const {
    // The scores are first written to the upper half of the unary tables. Spreading them from the
    // front overwrites no score before it is read.
    double* const scores = theta + labels_;
    nodes_.scores(input_.sites(example), 0, w, scores);
    for (std::int64_t v = 0; v < labels_; ++v) {
      const double score = scores[v];
      theta[2 * v] = 0;
      theta[2 * v + 1] = score;
    }
    double* table = theta + 2 * labels_;
    const double* pair = w + pair_from();
    for (std::int64_t e = 0; e < pair_factors(); ++e, table += 4, pair += cells_) {
      if (cells_ == 4) {
        std::copy_n(pair, 4, table);
      } else {
        table[0] = table[1] = table[2] = 0;
        table[3] = *pair;
      }
    }
  }

  void pull_back(std::int64_t example, const double* mu, sculpt::Sum& sum) const {
    const sculpt_sites sites = input_.sites(example);
    for (std::int64_t v = 0; v < labels_; ++v) {
      if (mu[2 * v + 1] != 0) nodes_.add(sites, 0, v, mu[2 * v + 1], sum);
    }
    const double* table = mu + 2 * labels_;
    for (std::int64_t e = 0; e < pair_factors(); ++e, table += 4) {
      for (std::int64_t cell = cells_ == 4 ? 0 : 3; cell < 4; ++cell) {
        const std::int64_t weight = cells_ == 4 ? 4 * e + cell : e;
        if (table[cell] != 0) sum.add(pair_from() + weight, table[cell]);
      }
    }
  }

  const sculpt::Host host_;
  const bool bias_;
  const std::int64_t cells_;  // weights of an edge: 0, 1 or 4
  const std::string edge_choice_;
  const std::vector<std::string> nonnegative_;  // groups
  std::vector<std::string> edge_list_;
  bool restored_ = false;
  sculpt::SiteInput input_;
  std::int64_t labels_ = 0;
  LabelNames names_;
  sculpt::SiteWeights nodes_;
  LabelEdges edges_;
  std::uint32_t classes_ = 0;
};

}  // namespace

SCULPT_PLUGIN("multilabel", "1.0.0", "Apache-2.0", sculpt::Features<Multilabel>)
