// random_program.hpp - small random programs, and all their derivations by enumeration.
#pragma once

#include <random>
#include <sculpt/program/program.hpp>
#include <vector>

namespace sculpt::test {

// Each edge has 0 to 3 tails, counts and a feature vector.
class RandomProgram {
 public:
  using Edge = program::Edge<3>;
  static constexpr std::size_t dimension = 3;

  struct StoredEdge {
    std::int64_t head;
    Edge edge;  // its name is its number
    std::array<std::int64_t, 2> counts;
    std::array<double, dimension> features;
  };

  RandomProgram(std::mt19937& random, std::int64_t nodes, bool ties) : nodes_(nodes) {
    std::normal_distribution<double> normal;
    const auto draw = [&](std::int64_t below) {
      return std::uniform_int_distribution<std::int64_t>(0, below - 1)(random);
    };
    for (std::int64_t node = 0; node < nodes; ++node) {
      const std::int64_t count = node == 0 ? 1 : 1 + draw(4);
      for (std::int64_t k = 0; k < count; ++k) {
        StoredEdge stored;
        stored.head = node;
        stored.edge.name = static_cast<std::int64_t>(edges_.size());
        stored.edge.score = ties ? static_cast<double>(draw(3)) : normal(random);
        if (draw(12) == 0) stored.edge.score = program::underivable;
        stored.edge.tail_count = static_cast<std::int32_t>(node == 0 ? 0 : draw(4));
        for (std::int32_t t = 0; t < stored.edge.tail_count; ++t) {
          stored.edge.tail_node[static_cast<std::size_t>(t)] = draw(node);
        }
        stored.counts = {draw(3), draw(2)};
        for (double& value : stored.features) value = normal(random);
        edges_.push_back(stored);
      }
    }
  }

  std::int64_t node_count() const { return nodes_; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    for (const StoredEdge& stored : edges_) {
      if (stored.head == node) visit(stored.edge);
    }
  }
  const StoredEdge& stored(std::int64_t name) const {
    return edges_[static_cast<std::size_t>(name)];
  }
  const std::vector<StoredEdge>& edges() const { return edges_; }

  using Names = std::vector<std::int64_t>;

  // Returns the names of the edges of each derivation, heads first. Returns {} if there are more
  // than `max_count`, or one has more than 100 edges.
  std::vector<Names> all(std::size_t max_count) const {
    std::vector<std::vector<Names>> derivations(static_cast<std::size_t>(nodes_));
    for (const StoredEdge& stored : edges_) {
      if (stored.edge.score == program::underivable) continue;
      std::vector<Names> partial{{stored.edge.name}};
      for (const std::int64_t tail : stored.edge.tails()) {
        const std::vector<Names>& of_tail = derivations[static_cast<std::size_t>(tail)];
        if (partial.size() * of_tail.size() > max_count) return {};
        std::vector<Names> longer;
        for (const Names& front : partial) {
          for (const Names& back : of_tail) {
            longer.push_back(front);
            longer.back().insert(longer.back().end(), back.begin(), back.end());
          }
        }
        partial = std::move(longer);
        if (partial.empty()) break;
        if (partial[0].size() > 100) return {};
      }
      std::vector<Names>& of_head = derivations[static_cast<std::size_t>(stored.head)];
      of_head.insert(of_head.end(), partial.begin(), partial.end());
      if (of_head.size() > max_count) return {};
    }
    return derivations.back();
  }

  double score(const Names& names) const {
    double sum = 0;
    for (const std::int64_t name : names) sum += stored(name).edge.score;
    return sum;
  }
  std::array<long double, dimension> features(const Names& names) const {
    std::array<long double, dimension> sum{};
    for (const std::int64_t name : names) {
      for (std::size_t j = 0; j < dimension; ++j) sum[j] += stored(name).features[j];
    }
    return sum;
  }

 private:
  std::int64_t nodes_;
  std::vector<StoredEdge> edges_;
};

inline RandomProgram::Names names_of(const program::Derivation<RandomProgram>& derivation) {
  RandomProgram::Names names;
  for (const RandomProgram::Edge& edge : derivation) names.push_back(edge.name);
  return names;
}

}  // namespace sculpt::test
