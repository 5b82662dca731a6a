// node_sums.hpp - sums of vectors along the tree of sum_tree.hpp, added while the parts are made.
//
// A node is added as soon as both of its children are known, and only its sum is kept. So few
// vectors live at a time: with T threads that take the parts in order, at most
// T (1 + log2 of the number of parts). The last two nodes are left for the caller, who may use all
// threads.
//
// Held by ExampleMean.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "linalg/vector.hpp"

namespace sculpt::core {

class NodeSums {
 public:
  // How many vectors live at a time, at most, if `threads` make `parts` in their order.
  static std::int64_t max_vectors(std::int64_t parts, int threads);

  // Begins a sum of this many parts. `adds`: false: every part is kept as it is. [main]
  void start(std::int64_t parts, bool adds);
  // A vector to make a part in, with any numbers. [any]
  Vector take_vector();
  // Part k. All parts of a sum have the same size. [any]
  void add_part(std::int64_t part, Vector numbers);

  // The sum over the node [begin, end), or nullptr if it is not known. Once all parts are added,
  // every node is known or has two children that are known or are nodes of this kind. [any]
  const double* find(std::int64_t begin, std::int64_t end) const {
    const Node& node = nodes_[static_cast<std::size_t>(begin)];
    return node.end == end ? node.sum.data() : nullptr;
  }
  double* find(std::int64_t begin, std::int64_t end) {
    return const_cast<double*>(static_cast<const NodeSums&>(*this).find(begin, end));
  }

  // The time of the additions since start(), of all threads together.
  double adding_seconds() const { return adding_seconds_; }

 private:
  struct Node {
    std::int64_t end = -1;  // -1: not known
    Vector sum;
  };

  bool find_sibling(std::int64_t begin, std::int64_t end, std::int64_t& other_begin,
                    std::int64_t& other_end) const;

  std::mutex mutex_;
  bool adds_ = true;
  std::vector<Node> nodes_;    // [parts] by their begin
  std::vector<Vector> spare_;  // to be used again
  double adding_seconds_ = 0;
};

}  // namespace sculpt::core
