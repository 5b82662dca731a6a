// sum_tree.hpp - the order in which sums of many parts are added: pairs, pairs of pairs, and so on.
//
//   node [begin, end)   one part, or the sum of two nodes: [begin, middle) + [middle, end), where
//                       middle - begin is the largest power of two below end - begin
//
// The tree follows from the number of parts alone. So several threads or processes may add its
// nodes, each those that it has, and the sum is the same to the last bit.
//
// Called by ExampleMean and ranks/.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sculpt::core {

// Requires end - begin >= 2.
inline std::int64_t middle_of_node(std::int64_t begin, std::int64_t end) {
  const auto size = static_cast<std::uint64_t>(end - begin);
  return begin + static_cast<std::int64_t>(std::bit_floor(size - 1));
}

// Returns the sum over the node [begin, end), end > begin. part(k): the number of part k.
template <class Part>
double tree_sum(std::int64_t begin, std::int64_t end, const Part& part) {
  if (end - begin == 1) return part(begin);
  const std::int64_t middle = middle_of_node(begin, end);
  return tree_sum(begin, middle, part) + tree_sum(middle, end, part);
}

// Calls visit(begin, end) for the largest nodes of the tree over [0, count) that lie in [from, to),
// in their order.
template <class Visit>
void for_each_node_within(std::int64_t from, std::int64_t to, std::int64_t begin, std::int64_t end,
                          const Visit& visit) {
  if (from >= to || end <= from || begin >= to) return;
  if (begin >= from && end <= to) return visit(begin, end);
  const std::int64_t middle = middle_of_node(begin, end);
  for_each_node_within(from, to, begin, middle, visit);
  for_each_node_within(from, to, middle, end, visit);
}

// Sums of vectors, a block of numbers at a time. One object for each thread.
class VectorTreeSum {
 public:
  static constexpr std::size_t block = 256;  // numbers; all that a sum keeps fits in a small cache

  // out[0..size) = the sum over the node [begin, end), with size <= block. find(begin, end) returns
  // the numbers of a node that is known already, or nullptr; it knows every single part.
  template <class Find>
  void sum(std::int64_t begin, std::int64_t end, std::size_t size, const Find& find, double* out) {
    const double* const known = find(begin, end);
    if (known != nullptr) {
      std::copy_n(known, size, out);
    } else {
      add_children(begin, end, size, find, 0, out);
    }
  }

  // The same for numbers [from, to) of long vectors, block by block: find(begin, end, j) returns
  // the numbers of a node from number j on, and out[from..to) is set.
  template <class Find>
  void sum_range(std::int64_t begin, std::int64_t end, std::size_t from, std::size_t to,
                 const Find& find, double* out) {
    for (std::size_t j = from; j < to; j += block) {
      const auto find_at = [&](std::int64_t first, std::int64_t last) {
        return find(first, last, j);
      };
      sum(begin, end, std::min(block, to - j), find_at, out + j);
    }
  }

 private:
  template <class Find>
  void add_children(std::int64_t begin, std::int64_t end, std::size_t size, const Find& find,
                    std::size_t depth, double* out) {
    if (sums_.size() <= depth) sums_.resize(depth + 1);
    const std::int64_t middle = middle_of_node(begin, end);
    const double* const left = sum_of(begin, middle, size, find, depth, 0);
    const double* const right = sum_of(middle, end, size, find, depth, 1);
    for (std::size_t j = 0; j < size; ++j) out[j] = left[j] + right[j];
  }

  // The numbers of a child of a node at this depth.
  template <class Find>
  const double* sum_of(std::int64_t begin, std::int64_t end, std::size_t size, const Find& find,
                       std::size_t depth, std::size_t side) {
    const double* const known = find(begin, end);
    if (known != nullptr) return known;
    std::vector<double>& own = sums_[depth][side];
    own.resize(block);
    double* const out = own.data();
    add_children(begin, end, size, find, depth + 1, out);
    return out;
  }

  std::vector<std::array<std::vector<double>, 2>> sums_;  // [depth][left, right][block]
};

}  // namespace sculpt::core
