#include "label_edges.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace {

// The labels that are on in each example, and the examples of each label. Joint counts are computed
// for one label and all others at a time, because a table of all pairs would take K^2 cells.
class LabelOccurrences {
 public:
  explicit LabelOccurrences(std::int64_t labels) : examples_of_(static_cast<std::size_t>(labels)) {}

  std::size_t label_count() const { return examples_of_.size(); }

  void add(sculpt::Labels y) {
    const auto example = static_cast<std::int32_t>(from_.size() - 1);
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (y[k] != 1) continue;
      on_.push_back(static_cast<std::int32_t>(k));
      examples_of_[k].push_back(example);
    }
    from_.push_back(on_.size());
  }

  // Writes joint_counts[labels]: in how many examples each label is on together with u.
  void count_joint(std::size_t u, std::vector<std::int64_t>& joint_counts) const {
    joint_counts.assign(label_count(), 0);
    for (const std::int32_t example : examples_of_[u]) {
      const auto e = static_cast<std::size_t>(example);
      for (std::size_t k = from_[e]; k < from_[e + 1]; ++k)
        ++joint_counts[static_cast<std::size_t>(on_[k])];
    }
  }

  // Returns I(u; v) = sum_ab p(a, b) log (p(a, b) / (p(a) p(b))), times the number of examples.
  // `joint_count`: the number of examples with u and v on. The four terms are added in order of
  // size. So tables that differ only by names of states or labels give the same sum to the last
  // bit, and ties are exact.
  double mutual_information(std::size_t u, std::size_t v, std::int64_t joint_count) const {
    const auto examples = static_cast<std::int64_t>(from_.size() - 1);
    const auto on_u = static_cast<std::int64_t>(examples_of_[u].size());
    const auto on_v = static_cast<std::int64_t>(examples_of_[v].size());
    const std::int64_t joint[4] = {examples - on_u - on_v + joint_count, on_v - joint_count,
                                   on_u - joint_count, joint_count};
    const std::int64_t first[2] = {examples - on_u, on_u};
    const std::int64_t second[2] = {examples - on_v, on_v};
    if (first[0] * first[1] == 0 || second[0] * second[1] == 0) return 0;  // a constant label
    double terms[4] = {};
    for (std::size_t cell = 0; cell < 4; ++cell) {
      if (joint[cell] == 0) continue;
      const auto count = static_cast<double>(joint[cell]);
      const double expected =
          static_cast<double>(first[cell >> 1]) * static_cast<double>(second[cell & 1]);
      terms[cell] = count * std::log(count * static_cast<double>(examples) / expected);
    }
    std::sort(terms, terms + 4);
    return std::max(0.0, ((terms[0] + terms[1]) + terms[2]) + terms[3]);  // below 0: rounding
  }

 private:
  std::vector<std::int32_t> on_;                        // Labels that are on, example by example.
  std::vector<std::size_t> from_ = {0};                 // Offsets into on_, [examples + 1].
  std::vector<std::vector<std::int32_t>> examples_of_;  // [labels]
};

// A pair of labels, u < v. The order of candidates is strict, so there is one best tree.
struct CandidateEdge {
  double information = -1;  // mutual information; -1: no edge
  std::int32_t u = 0;
  std::int32_t v = 0;

  bool better_than(const CandidateEdge& other) const {
    if (information != other.information) return information > other.information;
    return std::pair(u, v) < std::pair(other.u, other.v);
  }
};

// True if every label is observed.
bool is_complete(sculpt::Labels y) {
  return y.known() && std::find(y.begin(), y.end(), -1) == y.end();
}

// Two labels of an edge.
using LabelPair = std::pair<std::int32_t, std::int32_t>;

// Returns the two labels of "1-4", whose names may have dashes themselves. Nothing: it is none.
std::optional<LabelPair> label_pair(const std::string& text, const LabelNames& names) {
  for (std::size_t dash = 0; (dash = text.find('-', dash)) != std::string::npos; ++dash) {
    const auto u = names.find(std::string_view(text).substr(0, dash));
    const auto v = names.find(std::string_view(text).substr(dash + 1));
    if (u && v) return LabelPair(*u, *v);
  }
  return std::nullopt;
}

}  // namespace

LabelEdges full_label_edges(std::int64_t labels) {
  LabelEdges edges;
  edges.reserve(static_cast<std::size_t>(labels * (labels - 1)));
  for (std::int32_t u = 0; u < labels; ++u) {
    for (std::int32_t v = u + 1; v < labels; ++v) edges.insert(edges.end(), {u, v});
  }
  return edges;
}

LabelEdges tree_of_labels(const sculpt::SiteInput& input, std::int64_t labels,
                          const sculpt::Host& host) {
  LabelOccurrences occurrences(labels);
  const sculpt::Range train = input.split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    host.throw_if_cancelled();
    const sculpt::Labels y = input.truth(example);
    if (!is_complete(y)) continue;  // the host refuses to train on it
    input.check_output(y, labels);
    occurrences.add(y);
  }
  // The best edge from the tree to each label that is not yet in it.
  std::vector<CandidateEdge> best_edge(occurrences.label_count());
  std::vector<std::size_t> outside(occurrences.label_count() - 1);  // labels not yet in the tree
  std::iota(outside.begin(), outside.end(), std::size_t{1});
  std::vector<std::int64_t> joint_counts;
  std::vector<CandidateEdge> tree;
  for (std::size_t joined = 0; !outside.empty();) {
    host.throw_if_cancelled();
    occurrences.count_joint(joined, joint_counts);
    std::size_t best = 0;  // index in outside
    for (std::size_t k = 0; k < outside.size(); ++k) {
      const std::size_t label = outside[k];
      const auto [u, v] = std::minmax(joined, label);
      const CandidateEdge edge{occurrences.mutual_information(u, v, joint_counts[label]),
                               static_cast<std::int32_t>(u), static_cast<std::int32_t>(v)};
      if (edge.better_than(best_edge[label])) best_edge[label] = edge;
      if (best_edge[label].better_than(best_edge[outside[best]])) best = k;
    }
    joined = outside[best];
    tree.push_back(best_edge[joined]);
    outside[best] = outside.back();
    outside.pop_back();
  }
  std::sort(tree.begin(), tree.end(), [](const CandidateEdge& a, const CandidateEdge& b) {
    return std::pair(a.u, a.v) < std::pair(b.u, b.v);
  });
  LabelEdges edges;
  for (const CandidateEdge& edge : tree) edges.insert(edges.end(), {edge.u, edge.v});
  return edges;
}

LabelEdges listed_label_edges(const std::vector<std::string>& list, const LabelNames& names,
                              const std::string& dataset) {
  LabelEdges edges;
  std::set<LabelPair> seen;
  for (const std::string& text : list) {
    const auto fault = [&](const std::string& what) {
      return sculpt::parameter_error("edge_list has the edge " + sculpt::shown(text) + what);
    };
    const std::optional<LabelPair> labels = label_pair(text, names);
    if (!labels) {
      throw fault("; write two labels with - between them; those of " + dataset + " are " +
                  names.range_text());
    }
    const auto [u, v] = std::minmax(labels->first, labels->second);
    if (u == v) throw fault(", which joins a label with itself; remove it");
    if (!seen.emplace(u, v).second) {
      throw fault(" twice, in this or in the other order; write it once");
    }
    edges.insert(edges.end(), {u, v});
  }
  return edges;
}
