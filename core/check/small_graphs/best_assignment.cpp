#include "check/small_graphs/best_assignment.hpp"

#include <algorithm>

#include "base/infinity.hpp"

namespace sculpt::core {
namespace {

// Sets one variable after the other. A factor is added to the score once its last variable is set.
class AssignmentSearch {
 public:
  explicit AssignmentSearch(const SmallGraph& graph)
      : graph_(graph), factors_(graph.states.size()), y_(graph.states.size(), 0) {
    for (const SmallGraph::Factor& factor : graph.factors) {
      if (factor.scope.empty()) continue;  // the same score for every assignment
      const std::int32_t last = *std::max_element(factor.scope.begin(), factor.scope.end());
      factors_[static_cast<std::size_t>(last)].push_back(&factor);
    }
  }

  std::vector<std::int32_t> find() {
    visit(0, 0);
    return best_;
  }

 private:
  void visit(std::size_t v, double score) {
    if (v == y_.size()) {
      if (score <= best_score_) return;
      best_score_ = score;
      best_ = y_;
      return;
    }
    for (y_[v] = 0; y_[v] < graph_.states[v]; ++y_[v]) {
      double sum = score + graph_.tables[v][static_cast<std::size_t>(y_[v])];
      for (const SmallGraph::Factor* factor : factors_[v]) sum += cell_of(*factor);
      visit(v + 1, sum);
    }
  }
  double cell_of(const SmallGraph::Factor& factor) const {
    std::size_t cell = 0;
    for (const std::int32_t v : factor.scope) {
      const auto index = static_cast<std::size_t>(v);
      cell = cell * static_cast<std::size_t>(graph_.states[index]) +
             static_cast<std::size_t>(y_[index]);
    }
    return graph_.tables[factor.table][cell];
  }

  const SmallGraph& graph_;
  std::vector<std::vector<const SmallGraph::Factor*>> factors_;  // by their last variable
  std::vector<std::int32_t> y_;
  std::vector<std::int32_t> best_;
  double best_score_ = -infinity;
};

}  // namespace

std::optional<BestAssignment> best_assignment(const SmallGraph& graph) {
  if (std::find(graph.states.begin(), graph.states.end(), 0) != graph.states.end()) {
    return std::nullopt;
  }
  std::vector<std::int32_t> y = AssignmentSearch(graph).find();
  const double score = graph.score(y);
  return BestAssignment{std::move(y), score};
}

}  // namespace sculpt::core
