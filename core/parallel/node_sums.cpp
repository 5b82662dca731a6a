#include "parallel/node_sums.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/stopwatch.hpp"
#include "parallel/sum_tree.hpp"

namespace sculpt::core {

std::int64_t NodeSums::max_vectors(std::int64_t parts, int threads) {
  if (parts <= 1) return parts;
  const auto depth = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(parts - 1)));
  return std::min<std::int64_t>(parts, std::int64_t{threads} * (1 + depth));
}

void NodeSums::start(std::int64_t parts, bool adds) {
  adds_ = adds;
  adding_seconds_ = 0;
  for (Node& node : nodes_) {
    if (node.end >= 0) spare_.push_back(std::move(node.sum));
    node = {};
  }
  nodes_.resize(static_cast<std::size_t>(parts));
}

Vector NodeSums::take_vector() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (spare_.empty()) return {};
  Vector last = std::move(spare_.back());
  spare_.pop_back();
  return last;
}

void NodeSums::add_part(std::int64_t part, Vector numbers) {
  std::int64_t begin = part;
  std::int64_t end = part + 1;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    std::int64_t other_begin = 0;
    std::int64_t other_end = 0;
    const bool adds = adds_ && find_sibling(begin, end, other_begin, other_end) &&
                      nodes_[static_cast<std::size_t>(other_begin)].end == other_end;
    if (!adds) break;
    Vector other =
        std::move(std::exchange(nodes_[static_cast<std::size_t>(other_begin)], Node()).sum);
    lock.unlock();
    const Stopwatch watch;
    const std::size_t size = numbers.size();
    for (std::size_t j = 0; j < size; ++j) numbers[j] += other[j];
    const double seconds = watch.seconds();
    lock.lock();
    adding_seconds_ += seconds;
    spare_.push_back(std::move(other));
    begin = std::min(begin, other_begin);
    end = std::max(end, other_end);
  }
  nodes_[static_cast<std::size_t>(begin)] = {end, std::move(numbers)};
}

// The other child of the node's parent. False: the parent is the root, or there is none.
bool NodeSums::find_sibling(std::int64_t begin, std::int64_t end, std::int64_t& other_begin,
                            std::int64_t& other_end) const {
  std::int64_t parent_begin = 0;
  std::int64_t parent_end = std::ssize(nodes_);
  for (bool is_root = true; parent_end - parent_begin > 1; is_root = false) {
    const std::int64_t middle = middle_of_node(parent_begin, parent_end);
    const bool is_left = begin < middle;
    if (is_left ? begin == parent_begin && end == middle : begin == middle && end == parent_end) {
      other_begin = is_left ? middle : parent_begin;
      other_end = is_left ? parent_end : middle;
      return !is_root;
    }
    (is_left ? parent_end : parent_begin) = middle;
  }
  return false;
}

}  // namespace sculpt::core
