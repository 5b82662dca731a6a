#include "link_truth.hpp"

#include "partition.hpp"

namespace clustering {

namespace {

// The links marked as equal, in both directions, and a search tree of each component.
class LinkTrees {
 public:
  explicit LinkTrees(const Document& document)
      : links_(static_cast<std::size_t>(document.items)),
        roots_(links_.size(), none),
        parent_links_(links_.size(), nullptr) {
    for (const ItemPair& pair : document.pairs) {
      if (!pair.is_same_cluster) continue;
      links_[static_cast<std::size_t>(pair.first)].push_back(&pair);
      links_[static_cast<std::size_t>(pair.second)].push_back(&pair);
    }
    for (std::size_t item = 0; item < links_.size(); ++item) {
      if (roots_[item] == none) build_tree(static_cast<std::int32_t>(item));
    }
  }

  const std::vector<std::int32_t>& roots() const { return roots_; }

  // Returns the last line among the links between two items, 0 if there is none. The path between
  // two items consists of parts of their paths to the root.
  std::int64_t last_line(std::int32_t a, std::int32_t b) const {
    std::vector<bool> on_path(links_.size(), false);
    for (std::int32_t item = a;; item = parent(item)) {
      on_path[static_cast<std::size_t>(item)] = true;
      if (parent_link(item) == nullptr) break;
    }
    std::int64_t latest = 0;
    std::int32_t ancestor = b;
    for (; !on_path[static_cast<std::size_t>(ancestor)]; ancestor = parent(ancestor)) {
      latest = std::max(latest, parent_link(ancestor)->line);
    }
    for (std::int32_t item = a; item != ancestor; item = parent(item)) {
      latest = std::max(latest, parent_link(item)->line);
    }
    return latest;
  }

 private:
  static constexpr std::int32_t none = -1;

  const ItemPair* parent_link(std::int32_t item) const {
    return parent_links_[static_cast<std::size_t>(item)];
  }
  std::int32_t parent(std::int32_t item) const { return other(*parent_link(item), item); }
  static std::int32_t other(const ItemPair& pair, std::int32_t item) {
    return pair.first == item ? pair.second : pair.first;
  }

  // Builds the search tree of a component, breadth first.
  void build_tree(std::int32_t root) {
    std::vector<std::int32_t> queue{root};
    roots_[static_cast<std::size_t>(root)] = root;
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::int32_t item = queue[next];
      for (const ItemPair* const link : links_[static_cast<std::size_t>(item)]) {
        const auto neighbour = static_cast<std::size_t>(other(*link, item));
        if (roots_[neighbour] != none) continue;
        roots_[neighbour] = root;
        parent_links_[neighbour] = link;
        queue.push_back(static_cast<std::int32_t>(neighbour));
      }
    }
  }

  std::vector<std::vector<const ItemPair*>> links_;  // [items]
  std::vector<std::int32_t> roots_;                  // smallest item of the component, [items]
  std::vector<const ItemPair*> parent_links_;        // link towards the root, [items]
};

}  // namespace

std::vector<std::int32_t> clusters_of_links(const Document& document,
                                            const sculpt::LineReader& reader) {
  const LinkTrees trees(document);
  std::vector<std::int32_t> y = trees.roots();
  for (const ItemPair& pair : document.pairs) {
    const bool joined =
        y[static_cast<std::size_t>(pair.first)] == y[static_cast<std::size_t>(pair.second)];
    if (pair.is_same_cluster || !joined) continue;
    throw reader.error_at(
        pair.line, pair.column,
        "items " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
            " are marked as different, but pairs marked as the same link them, the last of these "
            "on line " +
            std::to_string(trees.last_line(pair.first, pair.second)) + "; correct one of the rows");
  }
  make_canonical(y);
  return y;
}

}  // namespace clustering
