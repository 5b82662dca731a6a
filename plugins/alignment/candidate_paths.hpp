// candidate_paths.hpp - the alignments of one sequence with any of several others, as a dynamic
// program. The programs of the candidates come one after the other. The goal chooses among them.
//
// If the outputs are restricted to those of a truth, its candidate has only the alignment of the
// truth: an edge into the goal without tails. Used by homolog_features.hpp.
#pragma once

#include "alignment_model.hpp"

namespace alignment {

class CandidatePaths {
 public:
  struct Edge : Paths::Edge {
    enum class Kind { step, choice, truth };
    std::size_t candidate = 0;
    Kind kind = Kind::step;
  };

  void begin() {
    programs_.clear();
    goals_.clear();
  }
  // `paths` must outlive this object.
  void add(const Paths& paths) {
    programs_.push_back(&paths);
    goals_.push_back(first_node(programs_.size() - 1) + paths.node_count() - 1);
  }
  // Restricts a candidate to the alignment of the truth. If `candidate` is no candidate, nothing is
  // restricted.
  void set_truth(std::size_t candidate, double score) {
    truth_ = candidate;
    truth_score_ = score;
  }

  std::int64_t node_count() const { return first_node(programs_.size()) + 1; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    const auto goal = std::lower_bound(goals_.begin(), goals_.end(), node);
    const auto candidate = static_cast<std::size_t>(goal - goals_.begin());
    if (candidate == programs_.size()) return each_choice(visit);
    const std::int64_t offset = first_node(candidate);
    programs_[candidate]->each_edge(node - offset, [&](Paths::Edge edge) {
      edge.tail_node[0] += offset;
      visit(Edge{edge, candidate, Edge::Kind::step});
    });
  }

 private:
  // Returns the first node of a candidate.
  std::int64_t first_node(std::size_t candidate) const {
    return candidate == 0 ? 0 : goals_[candidate - 1] + 1;
  }
  template <class Visit>
  void each_choice(Visit& visit) const {
    for (std::size_t k = 0; k < programs_.size(); ++k) {
      if (k == truth_) {
        visit(Edge{{truth_score_, 0, {}, 0}, k, Edge::Kind::truth});
      } else {
        visit(Edge{{0, 0, {goals_[k]}, 1}, k, Edge::Kind::choice});
      }
    }
  }

  std::vector<const Paths*> programs_;
  std::vector<std::int64_t> goals_;  // [candidates] the last node of each
  std::size_t truth_ = 0;
  double truth_score_ = 0;
};

}  // namespace alignment
