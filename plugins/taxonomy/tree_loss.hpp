// tree_loss.hpp - the distance of two classes in a taxonomy.
//
//   height   of the lowest node above both: 0 for the truth, 1 for a sibling of a leaf, ...
//   path     edges between the two, up and down
//   zero_one 1 for every other class: adds the metrics of the tree to a flat loss
//
// Tsochantaridis et al., ICML 2004, section 4.1; Cai and Hofmann, CIKM 2004. Called by the host
// (taxonomy.cpp).
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "class_loss.hpp"
#include "taxonomy_features.hpp"

namespace taxonomy {

// Has its own taxonomy, or uses that of the features taxonomy.
class TreeLoss : public ClassLoss<TreeLoss> {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.tree_loss", "1.0.0", "how far from the truth a class is in a taxonomy",
      "Tsochantaridis et al., ICML 2004, section 4.1; Cai and Hofmann, CIKM 2004"};
  static constexpr sculpt_parameter parameters[] = {
      file_parameter, nodes_parameter,
      sculpt::choice("measure", R"("height")", "height|path|zero_one",
                     "height: of the lowest node above both classes; path: the edges between them; "
                     "zero_one: 1 for any other class"),
      sculpt::boolean("normalize", "false",
                      "divides by the height of the root, or by the longest path")};
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better("error", "share of the examples whose class is wrong"),
      sculpt::lower_is_better("tree_height",
                              "mean height of the lowest node above truth and guess"),
      sculpt::lower_is_better("tree_path", "mean number of edges between truth and guess")};
  static constexpr std::int64_t sum_count = 4;  // wrong examples, heights, paths, examples
  static constexpr const char* experiments[] = {R"({
    "name": "tree_loss_flat_features",
    "dataset": {"use": "svmlight",
                "train": {"text": "1 1:1\n2 1:1 2:1\n3 3:1\n4 2:-1 3:1\n2 2:2\n"}},
    "features": "multiclass",
    "loss": {"use": "tree_loss", "normalize": true, "nodes": [
      "1 left", "2 left", "3 right", "4 right", "left 0", "right 0"]},
    "oracle": "enumerate", "solver": {"use": "n_slack", "C": 10}})"};

  explicit TreeLoss(const sculpt::Parameters& given)
      : taxonomy_text_(given, "nodes"),
        measure_(given.choice("measure")),
        normalize_(given.boolean("normalize")) {}

  // Throws E_PARAMETER if there is no taxonomy, and an error if a class is not a node of it.
  void bind(const sculpt::Bindings& bindings) {
    const sculpt::SiteInput input(bindings.dataset);
    require_one_label(input);
    if (taxonomy_text_.present()) {
      own_tree_.emplace(taxonomy_text_.source()).set_classes(input);
      tree_ = &*own_tree_;
    } else if (bindings.features.component() == &sculpt::Features<TaxonomyFeatures>::component) {
      tree_ = &sculpt::component_of<TaxonomyFeatures>(bindings.features.self()).tree();
    } else {
      throw sculpt::parameter_error(
          "needs a taxonomy; set file to its path or nodes to its rows, or use the features "
          "taxonomy, whose taxonomy is then used");
    }
    find_levels();
  }
  void save(sculpt::StateWriter& writer) const { taxonomy_text_.save(writer); }
  void restore(sculpt::StateReader& reader) { taxonomy_text_.restore(reader); }

  // Requires two classes of the dataset.
  double cost(std::int32_t truth, std::int32_t guess) const {
    if (truth == guess) return 0;
    if (measure_ == "zero_one") return 1;
    const Distance result = distance(truth, guess);
    return (measure_ == "path" ? result.path : result.height) / normalizer_;
  }
  double greatest_cost() const { return levels_.back(); }
  const std::vector<double>& levels() const { return levels_; }

  void add_metrics(std::int64_t, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    if (label(truth) == -1) return;
    const bool wrong = !guess.known() || truth[0] != guess[0];
    sums[0] += wrong ? 1 : 0;
    if (wrong) {
      const Distance result =
          guess.known() && truth[0] >= 0 ? distance(truth[0], guess[0]) : max_distance_;
      sums[1] += result.height;
      sums[2] += result.path;
    }
    sums[3] += 1;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    for (std::size_t k = 0; k < 3; ++k) {
      values[k] = sums[3] > 0 ? sums[k] / sums[3] : std::numeric_limits<double>::quiet_NaN();
    }
  }

 private:
  struct Distance {
    double height;
    double path;
  };
  // Returns the distance of two classes. The nodes above a class are sorted, and the root is above
  // all.
  Distance distance(std::int32_t a, std::int32_t b) const {
    constexpr double far = std::numeric_limits<double>::infinity();
    Distance smallest{far, far};
    auto other = tree_->ancestors(b).begin();
    for (const Ancestor& ancestor : tree_->ancestors(a)) {
      while (other != tree_->ancestors(b).end() && other->node < ancestor.node) ++other;
      if (other == tree_->ancestors(b).end()) break;
      if (other->node != ancestor.node) continue;
      smallest.height = std::min<double>(smallest.height, tree_->height(ancestor.node));
      smallest.path = std::min<double>(smallest.path, ancestor.steps + other->steps);
    }
    return smallest;
  }

  // Lists all possible costs: integers up to the largest, divided by the unit.
  void find_levels() {
    std::int32_t deepest = 0;
    for (std::int32_t k = 0; k < tree_->class_count(); ++k) {
      for (const Ancestor& ancestor : tree_->ancestors(k)) {
        if (ancestor.node == tree_->root()) deepest = std::max(deepest, ancestor.steps);
      }
    }
    max_distance_ = {static_cast<double>(tree_->height(tree_->root())), 2.0 * deepest};
    const double max_cost = measure_ == "zero_one" ? 1
                            : measure_ == "path"   ? max_distance_.path
                                                   : max_distance_.height;
    normalizer_ = normalize_ && measure_ != "zero_one" && max_cost > 0 ? max_cost : 1;
    levels_.clear();
    for (int level = 0; level <= max_cost; ++level) levels_.push_back(level / normalizer_);
  }

  sculpt::HeldText taxonomy_text_;
  std::string measure_;
  bool normalize_;
  std::optional<Tree> own_tree_;
  const Tree* tree_ = nullptr;
  Distance max_distance_{0, 0};  // the largest distance of two classes
  double normalizer_ = 1;
  std::vector<double> levels_;
};

}  // namespace taxonomy
