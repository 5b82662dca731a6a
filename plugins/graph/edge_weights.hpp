// edge_weights.hpp - the weights of the edges: their places in w, and the tables computed from
// them.
//
// The P pair weights of pair_terms.hpp, once for each kind of edges ("block"):
//   none   [P]                                    table of an edge (s, t): v_p
//   both   [d][P] first site, [P], [d][P] second  v_p + <x_s, first_p> + <x_t, second_p>
// p is the pair weight that a cell (a, b) reads. With `both` each edge has its own table, as in the
// grids of Mueller & Behnke, JMLR 2014. Otherwise the edges of a block share one table.
//
// Used by graph.cpp; its sessions own an EdgeScratch.
#pragma once

#include "pair_terms.hpp"

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/site_weights.hpp>

#include <vector>

struct EdgeScratch {
  std::vector<double> pairs, second_pairs;  // [P]
};

class EdgeWeights {
 public:
  EdgeWeights() = default;
  // `first`: the index in w of the first block. `features`: d, the features of a site.
  // `has_edge_features`: true for `both`.
  EdgeWeights(const PairTerms& pairs, std::int64_t first, std::int64_t blocks,
              std::int64_t features, bool has_edge_features)
      : pairs_(pairs),
        first_(first),
        blocks_(blocks),
        features_(features),
        has_edge_features_(has_edge_features && pairs.has_weights()) {}

  std::int64_t size() const { return blocks_ * block_size(); }
  // False if size() would overflow.
  bool size_fits() const {
    const double weights_per_pair = has_edge_features_ ? 2 * static_cast<double>(features_) + 1 : 1;
    return static_cast<double>(blocks_) * static_cast<double>(pairs_.weight_count()) *
               weights_per_pair <
           0x1p62;
  }
  bool has_weights() const { return pairs_.has_weights(); }
  // True if each edge has its own table, false if the edges of a block share one.
  bool each_edge_has_table() const { return has_edge_features_; }
  // True if every table is attractive for nonnegative pair weights.
  bool attractive_if_nonnegative() const {
    return pairs_.attractive_if_nonnegative() && !has_edge_features_;
  }

  // Adds f(a, b) of an edge of this block, between the sites `from` and `to`, to the sum.
  void add(const sculpt_sites& sites, std::int64_t block, std::int64_t from, std::int64_t to,
           std::int64_t a, std::int64_t b, sculpt::Sum& sum) const {
    const std::int64_t pair = pairs_.weight(a, b);
    if (pair < 0) return;
    if (!has_edge_features_) return sum.add(begin(block) + pair, 1);
    first_site(block).add(sites, from, pair, 1, sum);
    second_site(block).add(sites, to, pair, 1, sum);
  }

  // Writes the table that the edges of a block share to cells[K][K].
  void shared_table(std::int64_t block, const double* w, double* cells) const {
    fill_table(w + begin(block), cells);
  }
  // Writes the table of one edge to cells[K][K].
  void table(const sculpt_sites& sites, std::int64_t block, std::int64_t from, std::int64_t to,
             const double* w, double* cells, EdgeScratch& scratch) const {
    scratch.pairs.resize(static_cast<std::size_t>(pairs_.weight_count()));
    scratch.second_pairs.resize(scratch.pairs.size());
    first_site(block).scores(sites, from, w, scratch.pairs.data());
    second_site(block).scores(sites, to, w, scratch.second_pairs.data());
    for (std::size_t p = 0; p < scratch.pairs.size(); ++p) {
      scratch.pairs[p] += scratch.second_pairs[p];
    }
    fill_table(scratch.pairs.data(), cells);
  }

  // The adjoints of the tables: add the gradient of the weights for mu[K][K] to the sum.
  void pull_back_shared(std::int64_t block, const double* mu, sculpt::Sum& sum) const {
    for_each_cell([&](std::int64_t cell, std::int64_t pair) {
      if (pair >= 0 && mu[cell] != 0) sum.add(begin(block) + pair, mu[cell]);
    });
  }
  void pull_back(const sculpt_sites& sites, std::int64_t block, std::int64_t from, std::int64_t to,
                 const double* mu, sculpt::Sum& sum, EdgeScratch& scratch) const {
    scratch.pairs.assign(static_cast<std::size_t>(pairs_.weight_count()), 0.0);
    for_each_cell([&](std::int64_t cell, std::int64_t pair) {
      if (pair >= 0) scratch.pairs[static_cast<std::size_t>(pair)] += mu[cell];
    });
    first_site(block).pull_back(sites, from, scratch.pairs.data(), sum);
    second_site(block).pull_back(sites, to, scratch.pairs.data(), sum);
  }

  std::int64_t block_of(std::int64_t weight) const { return (weight - first_) / block_size(); }
  // The column of the dataset that a weight belongs to, -1 for the constant.
  std::int64_t column(std::int64_t weight) const {
    if (!has_edge_features_) return -1;
    const std::int64_t feature = (weight - first_) % block_size() / pairs_.weight_count();
    if (feature == features_) return -1;
    return feature < features_ ? feature : feature - features_ - 1;
  }
  // Appends the name after the kind of the edges: ": a->b" or ", first site symbol 2: a->b".
  // Symmetric weights have a-b, Potts weights "equal labels".
  void name(std::int64_t weight, const sculpt::SiteInput& input, sculpt::ByteOutput& out) const {
    const std::int64_t offset = (weight - first_) % block_size();
    const std::int64_t pair_count = pairs_.weight_count();
    const std::int64_t feature = offset / pair_count;  // first d, constant, second d
    if (has_edge_features_ && feature != features_) {
      out << (feature < features_ ? ", first site " : ", second site ");
      input.feature_name(feature < features_ ? feature : feature - features_ - 1, out);
    }
    out << ": ";
    if (pairs_.is_potts()) {
      out << "equal labels";
      return;
    }
    const auto [a, b] = pairs_.labels_of(offset % pair_count);
    input.state_name(a, out);
    out << pairs_.separator();
    input.state_name(b, out);
  }

 private:
  std::int64_t block_size() const {
    return pairs_.weight_count() * (has_edge_features_ ? 2 * features_ + 1 : 1);
  }
  std::int64_t begin(std::int64_t block) const { return first_ + block * block_size(); }
  // The constant is the bias of the first site.
  sculpt::SiteWeights first_site(std::int64_t block) const {
    return {features_, pairs_.weight_count(), true, begin(block)};
  }
  sculpt::SiteWeights second_site(std::int64_t block) const {
    const std::int64_t count = pairs_.weight_count();
    return {features_, count, false, begin(block) + (features_ + 1) * count};
  }

  // Calls visit(cell, pair weight or -1).
  template <class Visit>
  void for_each_cell(Visit visit) const {
    std::int64_t cell = 0;
    for (std::int64_t a = 0; a < pairs_.states(); ++a) {
      for (std::int64_t b = 0; b < pairs_.states(); ++b, ++cell) visit(cell, pairs_.weight(a, b));
    }
  }
  // Writes the table cells[K][K] of the pair weights values[P].
  void fill_table(const double* values, double* cells) const {
    for_each_cell(
        [&](std::int64_t cell, std::int64_t pair) { cells[cell] = pair < 0 ? 0 : values[pair]; });
  }

  PairTerms pairs_;
  std::int64_t first_ = 0;
  std::int64_t blocks_ = 0;
  std::int64_t features_ = 0;
  bool has_edge_features_ = false;
};
