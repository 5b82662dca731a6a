#include "taxonomy_tree.hpp"

#include <algorithm>
#include <sculpt/cpp/text_buffer.hpp>

namespace taxonomy {

namespace {
constexpr std::size_t max_ancestors = 1001;  // nodes of one class: itself and 1000 above it
}

Tree::Tree(const sculpt::Source& source) : path_(source.path()) {
  sculpt::LineReader reader(source);
  while (reader.next()) read_row(reader);
  if (nodes_.empty()) {
    throw sculpt::data_error(path_ + ":1:1: no nodes; write rows `node parent [name]`");
  }
  find_root(reader);
  find_heights(reader);
}

void Tree::read_row(sculpt::LineReader& reader) {
  const std::vector<sculpt::Field>& fields = reader.fields();
  if (fields.empty() || fields[0].text.starts_with('#')) return;
  if (fields.size() == 1) {
    throw reader.error(fields[0].column + fields[0].text.size(),
                       "node " + sculpt::shown(fields[0].text) +
                           " has no parent; write `node parent [name]`, and no row for the root");
  }
  const std::int32_t node = find_or_add(fields[0], reader);
  const std::int32_t parent = find_or_add(fields[1], reader);
  if (node == parent) {
    throw reader.error(fields[1].column,
                       "node " + sculpt::shown(fields[0].text) +
                           " is its own parent; write another parent, and no row for the root");
  }
  std::vector<std::int32_t>& parents = at(node).parents;
  if (std::find(parents.begin(), parents.end(), parent) != parents.end()) {
    throw reader.error(fields[0].column, "this row occurs twice; remove one of them");
  }
  parents.push_back(parent);
  if (fields.size() > 2) {
    std::string_view name = reader.line().substr(fields[2].column);
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    at(node).name = std::string(name);
  }
}

std::int32_t Tree::find_or_add(const sculpt::Field& field, const sculpt::LineReader& reader) {
  const auto known = numbers_.find(field.text);
  if (known != numbers_.end()) return known->second;
  const std::int32_t node = node_count();
  numbers_.emplace(field.text, node);
  nodes_.push_back({std::string(field.text), {}, reader.number(), field.column, {}, 0});
  return node;
}

void Tree::find_root(const sculpt::LineReader& reader) {
  for (std::int32_t node = 0; node < node_count(); ++node) {
    if (!at(node).parents.empty()) continue;
    if (root_ >= 0) {
      throw reader.error_at(at(node).line, at(node).column,
                            "there are two roots, " + sculpt::shown(at(root_).token) + " (line " +
                                std::to_string(at(root_).line) + ") and " +
                                sculpt::shown(at(node).token) +
                                ": neither has a parent; add a row with the parent of one of them");
    }
    root_ = node;
  }
}

// Starts at the leaves. Nodes that are never reached are on a cycle or above one.
void Tree::find_heights(const sculpt::LineReader& reader) {
  std::vector<std::int32_t> open_children(nodes_.size(), 0);
  for (const Node& node : nodes_) {
    for (const std::int32_t parent : node.parents)
      ++open_children[static_cast<std::size_t>(parent)];
  }
  std::vector<std::int32_t> done;
  for (std::int32_t node = 0; node < node_count(); ++node) {
    if (open_children[static_cast<std::size_t>(node)] == 0) done.push_back(node);
  }
  for (std::size_t k = 0; k < done.size(); ++k) {
    for (const std::int32_t parent : at(done[k]).parents) {
      at(parent).height = std::max(at(parent).height, at(done[k]).height + 1);
      if (--open_children[static_cast<std::size_t>(parent)] == 0) done.push_back(parent);
    }
  }
  if (done.size() == nodes_.size()) return;
  // Finds a node on the cycle: each remaining node has a remaining child, so going down never ends.
  std::vector<std::int32_t> child(nodes_.size(), -1);
  std::int32_t node = -1;
  for (std::int32_t remaining = 0; remaining < node_count(); ++remaining) {
    if (open_children[static_cast<std::size_t>(remaining)] == 0) continue;
    node = remaining;
    for (const std::int32_t parent : at(remaining).parents) {
      child[static_cast<std::size_t>(parent)] = remaining;
    }
  }
  for (std::size_t step = 0; step < nodes_.size(); ++step)
    node = child[static_cast<std::size_t>(node)];
  throw reader.error_at(at(node).line, at(node).column,
                        "node " + sculpt::shown(at(node).token) + " is below itself, through " +
                            sculpt::shown(at(child[static_cast<std::size_t>(node)]).token) +
                            "; remove a row of this cycle");
}

const std::string& Tree::name(std::int32_t node) const {
  return at(node).name.empty() ? at(node).token : at(node).name;
}

void Tree::set_classes(const sculpt::SiteInput& input) {
  ancestors_.clear();
  for (std::int64_t state = 0; state < input.state_count(); ++state) {
    const std::string token =
        sculpt::text_written([&](sculpt::ByteOutput& out) { input.state_name(state, out); });
    const auto found = numbers_.find(token);
    if (found == numbers_.end()) {
      throw sculpt::data_error(path_ + ": class " + sculpt::shown(token) + " of " +
                               input.dataset_id() + first_example(input, state) +
                               " is not a node; add a row `" + token +
                               " PARENT`, or remove its examples");
    }
    ancestors_.push_back(ancestors_of(found->second));
    if (ancestors_.back().size() <= max_ancestors) continue;
    throw sculpt::data_error(path_ + ": class " + sculpt::shown(token) + " has more than " +
                             std::to_string(max_ancestors - 1) +
                             " nodes above it; make the taxonomy flatter");
  }
}

// Returns the first example of a class, for messages. Features know labels, but not the lines of a
// file.
std::string Tree::first_example(const sculpt::SiteInput& input, std::int64_t state) {
  for (std::int64_t example = 0; example < input.example_count(); ++example) {
    const sculpt::Labels truth = input.truth(example);
    const bool has_class = truth.known() && truth.count() == 1 && truth[0] == state;
    if (has_class) return ", first in example " + std::to_string(example) + ",";
  }
  return ", in no example,";
}

// Breadth first, so that the first path to a node is a shortest one. Stops above the limit.
std::vector<Ancestor> Tree::ancestors_of(std::int32_t node) const {
  std::vector<Ancestor> ancestors{{node, 0}};
  for (std::size_t k = 0; k < ancestors.size() && ancestors.size() <= max_ancestors; ++k) {
    const Ancestor current = ancestors[k];
    for (const std::int32_t parent : at(current.node).parents) {
      const auto same = [parent](const Ancestor& other) { return other.node == parent; };
      if (std::none_of(ancestors.begin(), ancestors.end(), same)) {
        ancestors.push_back({parent, current.steps + 1});
      }
    }
  }
  std::sort(ancestors.begin(), ancestors.end(),
            [](const Ancestor& a, const Ancestor& b) { return a.node < b.node; });
  return ancestors;
}

}  // namespace taxonomy
