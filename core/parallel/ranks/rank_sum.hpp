// rank_sum.hpp - sums of vectors over the ranks, along the tree of sum_tree.hpp.
//
// The parts are numbered over all ranks, and each rank has neighbouring ones. Every rank adds its
// nodes of the tree, and sends each other rank a segment of their sums. Then it adds the nodes of
// all ranks in its own segment, and the segments are gathered. So a rank sends about twice the
// vector, and the sum has the same bytes for any number of ranks.
//
// Called by ExampleMean.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "linalg/vector.hpp"
#include "parallel/ranks/ranks.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

class RankSum {
 public:
  // Both outlive it; workers may be nullptr.
  RankSum(Ranks& ranks, Workers* workers) : ranks_(ranks), workers_(workers) {}

  // sum[sum.size()] = that of all parts. `borders`: which parts each rank has. part(k) has the
  // numbers of part k, if it is one of this rank, and is overwritten. All ranks call it.
  void add_up(const PartBorders& borders, const std::function<double*(std::int64_t)>& part,
              Vector& sum);

 private:
  struct Node {
    std::int64_t begin, end;  // parts
    int rank;                 // that has it
    const double* numbers;    // of the segment of this rank
  };

  void find_nodes(const PartBorders& borders);
  void add_own_nodes(const std::function<double*(std::int64_t)>& part, std::size_t size);
  void exchange_nodes(const std::function<double*(std::int64_t)>& part, std::size_t size);
  std::int64_t largest_block(std::size_t size) const;
  void add_segment(std::int64_t part_count, std::size_t size);
  std::int64_t segment_begin(std::size_t size, int rank) const {
    return begin_of_part(static_cast<std::int64_t>(size), ranks_.count(), rank);
  }

  Ranks& ranks_;
  Workers* workers_;
  std::vector<Node> nodes_;  // of all ranks, in order
  Vector sent_;              // the segments of the own nodes, by the rank that gets them
  Vector received_;          // the nodes of all ranks in the own segment
  Vector segment_;           // the sum in the own segment
};

}  // namespace sculpt::core
