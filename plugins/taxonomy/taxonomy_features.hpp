// taxonomy_features.hpp - classes that share weights with their neighbours in a taxonomy.
// Tsochantaridis et al., ICML 2004, section 4.1; Cai and Hofmann, CIKM 2004.
//
// Called by the host (taxonomy.cpp) and tree_loss.hpp.
#pragma once

#include <cmath>
#include <sculpt/cpp/factor_graph_builder.hpp>
#include <sculpt/cpp/held_text.hpp>
#include <sculpt/cpp/site_weights.hpp>

#include "taxonomy_tree.hpp"

namespace taxonomy {

// The parameters for the source of a taxonomy.
inline constexpr sculpt_parameter file_parameter =
    sculpt::path("file", "null",
                 "the taxonomy: a row `node parent [name]` for each node except the root; several "
                 "rows if it has several parents");
inline constexpr sculpt_parameter nodes_parameter =
    sculpt::list_of(sculpt::text("nodes", "null", "the rows themselves, instead of file"));

// The features of a taxonomy:
//
//   psi(x, y) = Lambda(y) (x) x,   Lambda(y)_z = 1 for y and each node above it except the root
//
// `normalize` divides by the square root of the number of these nodes, so that Lambda has length 1.
class TaxonomyFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.taxonomy", "1.1.0",
      "a block of weights for each node of a taxonomy; a class uses those of all nodes above it",
      "Tsochantaridis et al., ICML 2004, section 4.1; Cai and Hofmann, CIKM 2004"};
  static constexpr sculpt_parameter parameters[] = {
      file_parameter, nodes_parameter,
      sculpt::boolean("bias", "false", "adds a feature that is 1 in every example"),
      sculpt::boolean("normalize", "false",
                      "divides the features of a class by the square root of the number of its "
                      "nodes, so their length does not depend on the depth of the class")};
  static constexpr const char* experiments[] = {R"({
    "name": "taxonomy_four_classes",
    "dataset": {"use": "svmlight",
                "train": {"text": "1 1:1\n2 1:1 2:1\n3 3:1\n4 2:-1 3:1\n2 2:2\n5 1:1 3:1\n"}},
    "features": {"use": "taxonomy", "bias": true, "nodes": [
      "5 0 inner", "1 5", "2 5", "right 0", "3 right", "4 right"]},
    "loss": "tree_loss", "oracle": "enumerate", "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "taxonomy_two_parents",
    "dataset": {"use": "svmlight", "train": {"text": "1 1:1\n2 2:1\n3 1:1 2:1\n2 1:-1 2:2\n"}},
    "features": {"use": "taxonomy", "nodes": ["1 a", "2 b", "3 a", "3 b", "a 0", "b 0"]},
    "loss": {"use": "tree_loss", "measure": "path"}, "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1, "rescaling": "slack"}})"};

  explicit TaxonomyFeatures(const sculpt::Parameters& given)
      : taxonomy_text_(given, "nodes"),
        bias_(given.boolean("bias")),
        normalize_(given.boolean("normalize")) {}

  // Reads the taxonomy. Throws if it is missing, or if a class is not a node of it.
  void bind(const sculpt::Bindings& bindings) {
    if (!taxonomy_text_.present()) {
      throw sculpt::parameter_error("needs a taxonomy; set file to its path, or nodes to its rows");
    }
    input_ = sculpt::SiteInput(bindings.dataset);
    input_.require_one_label();
    tree_ = Tree(taxonomy_text_.source());
    tree_.set_classes(input_);
    find_scales();
    weights_ = sculpt::SiteWeights(input_.feature_count(), tree_.node_count() - 1, bias_);
  }
  void save(sculpt::StateWriter& writer) const { taxonomy_text_.save(writer); }
  void restore(sculpt::StateReader& reader) { taxonomy_text_.restore(reader); }

  const Tree& tree() const { return tree_; }
  std::int64_t dimension() const { return weights_.size(); }
  sculpt::OutputShape output_shape(std::int64_t) const {
    return sculpt::OutputShape::of_size(1, tree_.class_count()).complete().same_for_all();
  }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    input_.check_output(y, 1);
    const sculpt_sites sites = input_.sites(example);
    const double scale = scale_of(y[0]);
    each_block(y[0], [&](std::int64_t block) { weights_.add(sites, 0, block, scale, sum); });
  }

  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    weights_.feature_name(weight, input_, out);
    out << ", node " << tree_.name(node_of(weight % blocks()));
  }
  std::int64_t weight_column(std::int64_t weight) const { return weights_.column(weight); }
  sculpt::RowBlocks row_blocks() const { return weights_.row_blocks(); }

  // The scores of the classes.
  std::uint32_t score_rule() const { return SCULPT_SCORES_LARGEST; }
  std::int64_t score_columns() const { return tree_.class_count(); }
  void score_name(std::int64_t column, sculpt::ByteOutput& out) const {
    input_.state_name(column, out);
  }
  std::int64_t score_rows(std::int64_t) const { return 1; }
  void write_scores(std::int64_t example, sculpt::Weights w, std::span<double> scores) const {
    std::vector<double> block_scores(static_cast<std::size_t>(blocks()));
    score_classes(example, w, block_scores, scores.data());
  }

  std::int64_t enumerate(std::int64_t, std::int64_t limit, const sculpt::Visit& visit) const {
    if (tree_.class_count() > limit) return limit + 1;
    for (std::int32_t state = 0; state < tree_.class_count(); ++state) {
      visit(sculpt::Labels(&state, 1));
    }
    return tree_.class_count();
  }

  std::uint32_t factor_classes() const {
    return sculpt::single_variable_classes(tree_.class_count());
  }

  // A graph of one variable.
  struct Session {
    explicit Session(const TaxonomyFeatures& owner)
        : owner_(owner), block_values_(static_cast<std::size_t>(owner.blocks())) {
      builder_.clear();
      builder_.add_variable(owner.tree_.class_count());
    }
    const sculpt_factor_graph& factor_graph(std::int64_t) {
      return builder_.graph(owner_.factor_classes(), 1);
    }
    void potentials(std::int64_t example, sculpt::Weights w, double* theta) {
      owner_.score_classes(example, w, block_values_, theta);
    }
    void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) {
      std::fill(block_values_.begin(), block_values_.end(), 0.0);
      for (std::int32_t state = 0; state < owner_.tree_.class_count(); ++state) {
        const double share = mu[state] * owner_.scale_of(state);
        owner_.each_block(state, [&](std::int64_t block) { at(block) += share; });
      }
      owner_.weights_.pull_back(owner_.input_.sites(example), 0, block_values_.data(), sum);
    }

   private:
    double& at(std::int64_t block) { return block_values_[static_cast<std::size_t>(block)]; }

    const TaxonomyFeatures& owner_;
    sculpt::FactorGraphBuilder builder_;
    std::vector<double> block_values_;  // [nodes but the root]
  };

 private:
  // The root has no weights, so later nodes have their number minus one.
  std::int64_t blocks() const { return tree_.node_count() - 1; }
  std::int32_t node_of(std::int64_t block) const {
    return static_cast<std::int32_t>(block < tree_.root() ? block : block + 1);
  }
  template <class VisitBlock>
  void each_block(std::int32_t state, VisitBlock visit) const {
    for (const Ancestor& ancestor : tree_.ancestors(state)) {
      if (ancestor.node == tree_.root()) continue;
      visit(ancestor.node - (ancestor.node > tree_.root() ? 1 : 0));
    }
  }

  // Scores each node once, in `block_scores`. The score of a class is the sum over the nodes above
  // it.
  void score_classes(std::int64_t example, sculpt::Weights w, std::span<double> block_scores,
                     double* score) const {
    weights_.scores(input_.sites(example), 0, w.data(), block_scores.data());
    for (std::int32_t state = 0; state < tree_.class_count(); ++state) {
      double sum = 0;
      each_block(state,
                 [&](std::int64_t block) { sum += block_scores[static_cast<std::size_t>(block)]; });
      score[state] = sum * scale_of(state);
    }
  }

  // Returns the value of Lambda for a class: 1, or 1 / sqrt(nodes).
  double scale_of(std::int32_t state) const { return scale_[static_cast<std::size_t>(state)]; }
  void find_scales() {
    scale_.clear();
    for (std::int32_t state = 0; state < tree_.class_count(); ++state) {
      double nodes = 0;
      each_block(state, [&](std::int64_t) { nodes += 1; });
      scale_.push_back(normalize_ && nodes > 0 ? 1 / std::sqrt(nodes) : 1);
    }
  }

  sculpt::HeldText taxonomy_text_;
  bool bias_;
  bool normalize_;
  sculpt::SiteInput input_;
  Tree tree_;
  sculpt::SiteWeights weights_;
  std::vector<double> scale_;  // [classes], of Lambda
};

}  // namespace taxonomy
