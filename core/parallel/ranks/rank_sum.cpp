#include "parallel/ranks/rank_sum.hpp"

#include <algorithm>
#include <span>

#include "parallel/blocks.hpp"
#include "parallel/sum_tree.hpp"

namespace sculpt::core {
namespace {

std::span<char> bytes_of(Vector& numbers) {
  return {reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(double)};
}

}  // namespace

void RankSum::add_up(const PartBorders& borders, const std::function<double*(std::int64_t)>& part,
                     Vector& sum) {
  ranks_.between_messages([&] {
    find_nodes(borders);
    add_own_nodes(part, sum.size());
    exchange_nodes(part, sum.size());
    add_segment(borders.back(), sum.size());
    std::vector<std::int64_t> sizes;
    for (int rank = 0; rank < ranks_.count(); ++rank) {
      sizes.push_back(static_cast<std::int64_t>(sizeof(double)) *
                      (segment_begin(sum.size(), rank + 1) - segment_begin(sum.size(), rank)));
    }
    ranks_.gather_blocks(bytes_of(segment_), sizes, bytes_of(sum));
  });
}

void RankSum::find_nodes(const PartBorders& borders) {
  nodes_.clear();
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    const auto k = static_cast<std::size_t>(rank);
    for_each_node_within(borders[k], borders[k + 1], 0, borders.back(),
                         [&](std::int64_t begin, std::int64_t end) {
                           nodes_.push_back({begin, end, rank, nullptr});
                         });
  }
}

// The sum of each own node takes the place of its first part.
void RankSum::add_own_nodes(const std::function<double*(std::int64_t)>& part, std::size_t size) {
  const auto find = [&](std::int64_t begin, std::int64_t end, std::size_t j) -> const double* {
    return end - begin == 1 ? part(begin) + j : nullptr;
  };
  for_each_block(workers_, size, [&](std::size_t from, std::size_t to) {
    VectorTreeSum tree;
    for (const Node& node : nodes_) {
      if (node.rank != ranks_.rank() || node.end - node.begin == 1) continue;
      tree.sum_range(node.begin, node.end, from, to, find, part(node.begin));
    }
  });
}

void RankSum::exchange_nodes(const std::function<double*(std::int64_t)>& part, std::size_t size) {
  const auto own_nodes = std::count_if(
      nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.rank == ranks_.rank(); });
  const std::int64_t own_size =
      segment_begin(size, ranks_.rank() + 1) - segment_begin(size, ranks_.rank());
  sent_.clear();
  std::vector<std::int64_t> send_sizes;
  std::vector<std::int64_t> receive_sizes;
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    const std::int64_t begin = segment_begin(size, rank);
    const std::int64_t end = segment_begin(size, rank + 1);
    for (const Node& node : nodes_) {
      if (node.rank != ranks_.rank()) continue;
      sent_.insert(sent_.end(), part(node.begin) + begin, part(node.begin) + end);
    }
    const auto nodes = std::count_if(nodes_.begin(), nodes_.end(),
                                     [&](const Node& node) { return node.rank == rank; });
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(double));
    send_sizes.push_back(bytes * own_nodes * (end - begin));
    receive_sizes.push_back(bytes * nodes * own_size);
  }
  received_.resize(nodes_.size() * static_cast<std::size_t>(own_size));
  ranks_.exchange(bytes_of(sent_), send_sizes, bytes_of(received_), receive_sizes,
                  largest_block(size));
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    nodes_[k].numbers = received_.data() + k * static_cast<std::size_t>(own_size);
  }
}

// The bytes of the largest block that one rank sends another.
std::int64_t RankSum::largest_block(std::size_t size) const {
  std::int64_t most_nodes = 0;
  std::int64_t longest = 0;
  for (int rank = 0; rank < ranks_.count(); ++rank) {
    const auto nodes = std::count_if(nodes_.begin(), nodes_.end(),
                                     [&](const Node& node) { return node.rank == rank; });
    most_nodes = std::max<std::int64_t>(most_nodes, nodes);
    longest = std::max(longest, segment_begin(size, rank + 1) - segment_begin(size, rank));
  }
  return static_cast<std::int64_t>(sizeof(double)) * most_nodes * longest;
}

void RankSum::add_segment(std::int64_t part_count, std::size_t size) {
  const std::int64_t own_size =
      segment_begin(size, ranks_.rank() + 1) - segment_begin(size, ranks_.rank());
  segment_.resize(static_cast<std::size_t>(own_size));
  const auto find = [&](std::int64_t begin, std::int64_t end, std::size_t j) -> const double* {
    const auto node =
        std::lower_bound(nodes_.begin(), nodes_.end(), begin,
                         [](const Node& one, std::int64_t place) { return one.begin < place; });
    const bool is_known = node != nodes_.end() && node->begin == begin && node->end == end;
    return is_known ? node->numbers + j : nullptr;
  };
  for_each_block(workers_, segment_.size(), [&](std::size_t from, std::size_t to) {
    VectorTreeSum().sum_range(0, part_count, from, to, find, segment_.data());
  });
}

}  // namespace sculpt::core
