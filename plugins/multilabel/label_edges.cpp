#include "label_edges.hpp"

#include <sculpt/cpp/edge_list.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

namespace {

// How often labels are on, alone and in pairs.
struct LabelCounts {
  explicit LabelCounts(std::int64_t labels)
      : label_count(static_cast<std::size_t>(labels)),
        single(label_count),
        pair(label_count * label_count) {}

  void add(sculpt::Labels y) {
    on_.clear();
    for (std::size_t k = 0; k < label_count; ++k) {
      if (y[k] == 1) on_.push_back(k);
    }
    for (std::size_t a = 0; a < on_.size(); ++a) {
      ++single[on_[a]];
      for (std::size_t b = a + 1; b < on_.size(); ++b) ++pair[on_[a] * label_count + on_[b]];
    }
    ++examples;
  }

  // I(u; v) = sum_ab p(a, b) log (p(a, b) / (p(a) p(b))). The four terms are added up by size: so
  // tables that differ in the names of the states or labels alone give the same sum to the last
  // bit, and ties are ties.
  double information(std::size_t u, std::size_t v) const {
    const std::int64_t both = pair[u * label_count + v];
    const std::int64_t joint[4] = {examples - single[u] - single[v] + both, single[v] - both,
                                   single[u] - both, both};
    const std::int64_t first[2] = {examples - single[u], single[u]};
    const std::int64_t second[2] = {examples - single[v], single[v]};
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
    return ((terms[0] + terms[1]) + terms[2]) + terms[3];
  }

  std::size_t label_count;
  std::vector<std::int64_t> single;  // [labels]
  std::vector<std::int64_t> pair;    // [labels][labels], the smaller label first
  std::int64_t examples = 0;

 private:
  std::vector<std::size_t> on_;
};

bool is_whole(sculpt::Labels y) {
  return y.known() && std::find(y.begin(), y.end(), -1) == y.end();
}

// The number of a label that [begin, end) spells, from 0; -1 when it spells none.
std::int32_t label_number(const char* begin, const char* end) {
  std::int32_t number = 0;
  const auto [stop, problem] = std::from_chars(begin, end, number);
  return problem == std::errc() && stop == end && number >= 1 ? number - 1 : -1;
}

}  // namespace

LabelEdges full_label_edges(std::int64_t labels) {
  LabelEdges edges;
  for (std::int32_t u = 0; u < labels; ++u) {
    for (std::int32_t v = u + 1; v < labels; ++v) edges.insert(edges.end(), {u, v});
  }
  return edges;
}

LabelEdges tree_of_labels(const sculpt::SiteInput& input, std::int64_t labels,
                          const sculpt::Host& host) {
  LabelCounts counts(labels);
  const sculpt::Range train = input.split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    host.throw_if_cancelled();
    const sculpt::Labels y = input.truth(example);
    if (!is_whole(y)) continue;  // the host refuses to train on it
    input.check_output(y, labels);
    counts.add(y);
  }
  struct Candidate {
    double information;
    std::int32_t u, v;
  };
  std::vector<Candidate> candidates;
  for (std::int32_t u = 0; u < labels; ++u) {
    for (std::int32_t v = u + 1; v < labels; ++v) {
      const double information =
          counts.information(static_cast<std::size_t>(u), static_cast<std::size_t>(v));
      if (information > 0) candidates.push_back({information, u, v});
    }
  }
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.information > b.information; });
  sculpt::DisjointSets joined(labels);
  std::vector<std::pair<std::int32_t, std::int32_t>> tree;
  for (const Candidate& edge : candidates) {
    if (joined.join(edge.u, edge.v)) tree.emplace_back(edge.u, edge.v);
  }
  // Behind those, pairs that say nothing of each other in their order: (0, 1), (0, 2), ... join
  // all.
  for (std::int32_t v = 1; v < labels; ++v) {
    if (joined.join(0, v)) tree.emplace_back(0, v);
  }
  std::sort(tree.begin(), tree.end());
  LabelEdges edges;
  for (const auto& [u, v] : tree) edges.insert(edges.end(), {u, v});
  return edges;
}

LabelEdges listed_label_edges(const std::vector<std::string>& list) {
  LabelEdges edges;
  std::set<std::pair<std::int32_t, std::int32_t>> seen;
  for (const std::string& text : list) {
    const std::size_t dash = std::min(text.find('-'), text.size());
    const char* const begin = text.data();
    const std::int32_t u = label_number(begin, begin + dash);
    const std::int32_t v =
        dash < text.size() ? label_number(begin + dash + 1, begin + text.size()) : -1;
    if (u < 0 || v < 0) {
      throw sculpt::parameter_error("edge_list has the edge " + sculpt::shown(text) +
                                    "; write two labels, counted from 1, as in 1-4");
    }
    if (u == v) {
      throw sculpt::parameter_error("edge_list has the edge " + sculpt::shown(text) +
                                    ", which joins a label with itself; take it out");
    }
    if (!seen.insert(std::minmax(u, v)).second) {
      throw sculpt::parameter_error("edge_list has the edge " + sculpt::shown(text) +
                                    " twice, in this or in the other order; name it once");
    }
    edges.insert(edges.end(), {std::min(u, v), std::max(u, v)});
  }
  return edges;
}

std::string edge_text(const LabelEdges& edges, std::size_t edge) {
  return std::to_string(edges[2 * edge] + 1) + "-" + std::to_string(edges[2 * edge + 1] + 1);
}
