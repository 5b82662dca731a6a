// site_weights.hpp - the weights of site features: for each feature a block of K weights, one a
// state.
//
// SPDX-License-Identifier: Apache-2.0
//
//   psi(x, y) = sum over sites s of  x_s (x) e_{y_s}
//   weight(feature, state) = feature * K + state
//
// With `bias` a last feature is 1 at every site. The weights are w[first .. first + size). The
// order is feature-major: the scores of all states at a site are then sums of contiguous blocks,
// which vectorize. For features over sites, such as multiclass, chain and graph.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "row_blocks.hpp"
#include "site_input.hpp"
#include "sum_of_products.hpp"

namespace sculpt {

class SiteWeights {
 public:
  SiteWeights() = default;
  SiteWeights(std::int64_t feature_count, std::int64_t state_count, bool bias,
              std::int64_t first = 0)
      : features_(feature_count), states_(state_count), has_bias_(bias), first_(first) {}

  // The number of weights.
  std::int64_t size() const { return (features_ + (has_bias_ ? 1 : 0)) * states_; }

  // Writes the score of each state at `site` to out[K]. Adds four blocks at a time, so that each
  // sum is read and written once for four blocks.
  void scores(const sculpt_sites& sites, std::int64_t site, const double* weights,
              double* __restrict out) const {
    const std::int64_t states = states_;
    if (states == 1) {
      *out = score_of_one_state(sites, site, weights);
      return;
    }
    if (has_bias_) {
      std::copy_n(block(weights, features_), states, out);
    } else {
      std::fill_n(out, states, 0.0);
    }
    const std::int32_t* index = sites.index;
    const double* value = sites.value;
    const std::int64_t end = sites.row_from[site + 1];
    std::int64_t j = sites.row_from[site];
    for (; j + 4 <= end; j += 4) {
      const double* a = block(weights, index[j]);
      const double* b = block(weights, index[j + 1]);
      const double* c = block(weights, index[j + 2]);
      const double* d = block(weights, index[j + 3]);
      const double x = value[j], y = value[j + 1], z = value[j + 2], u = value[j + 3];
      for (std::int64_t k = 0; k < states; ++k) {
        out[k] += (x * a[k] + y * b[k]) + (z * c[k] + u * d[k]);
      }
    }
    for (; j < end; ++j) {
      const double* a = block(weights, index[j]);
      const double x = value[j];
      for (std::int64_t k = 0; k < states; ++k) out[k] += x * a[k];
    }
  }

  // Writes out[sites][K] for the sites in [begin, end).
  void scores_of_sites(const sculpt_sites& sites, std::int64_t begin, std::int64_t end,
                       const double* weights, double* out) const {
    for (std::int64_t site = begin; site < end; ++site) {
      scores(sites, site, weights, out + site * states_);
    }
  }

  // Adds factor * x_site (x) e_state to the sum.
  void add(const sculpt_sites& sites, std::int64_t site, std::int64_t state, double factor,
           Sum& sum) const {
    for (std::int64_t j = sites.row_from[site]; j < sites.row_from[site + 1]; ++j) {
      sum.add(first_ + sites.index[j] * states_ + state, factor * sites.value[j]);
    }
    if (has_bias_) sum.add(first_ + features_ * states_ + state, factor);
  }

  // The adjoint of scores(): adds x_site (x) mu to the sum, mu[K].
  void pull_back(const sculpt_sites& sites, std::int64_t site, const double* mu, Sum& sum) const {
    if (sum.is_dense()) {
      for (std::int64_t j = sites.row_from[site]; j < sites.row_from[site + 1]; ++j) {
        sum.add_run(first_ + sites.index[j] * states_, states_, sites.value[j], mu);
      }
      if (has_bias_) sum.add_run(first_ + features_ * states_, states_, 1, mu);
      return;
    }
    for (std::int64_t state = 0; state < states_; ++state) {
      if (mu[state] != 0) add(sites, site, state, mu[state], sum);
    }
  }

  // For groups.hpp: the features of a site, except the bias, are draws from the multinomial of its
  // state. Sets group[first .. first + size) to the state.
  void groups(std::span<std::int32_t> group) const {
    for (std::int64_t weight = 0; weight < features_ * states_; ++weight) {
      group[static_cast<std::size_t>(first_ + weight)] =
          static_cast<std::int32_t>(weight % states_);
    }
  }

  // For row_blocks.hpp.
  RowBlocks row_blocks() const { return {first_, states_}; }
  // For column_scale.hpp: the column of a weight. -1 for the bias and for weights of other blocks.
  std::int64_t column(std::int64_t weight) const {
    if (weight < first_ || weight >= first_ + size()) return -1;
    const std::int64_t feature = (weight - first_) / states_;
    return feature < features_ ? feature : -1;
  }
  // Appends "<feature>, label <state>" or "bias, label <state>", with the names of the dataset.
  void name(std::int64_t weight, const SiteInput& input, ByteOutput& out) const {
    feature_name(weight, input, out);
    out << ", label ";
    input.state_name((weight - first_) % states_, out);
  }
  // Appends the first part alone: "<feature>" or "bias".
  void feature_name(std::int64_t weight, const SiteInput& input, ByteOutput& out) const {
    const std::int64_t feature = (weight - first_) / states_;
    if (feature == features_) {
      out << "bias";
    } else {
      input.feature_name(feature, out);
    }
  }

 private:
  double score_of_one_state(const sculpt_sites& sites, std::int64_t site,
                            const double* weights) const {
    const double* of_feature = block(weights, 0);
    const double score = sum_of_products(
        sites.row_from[site], sites.row_from[site + 1],
        [&](std::int64_t j) { return sites.value[j] * of_feature[sites.index[j]]; });
    return has_bias_ ? of_feature[features_] + score : score;
  }

  const double* block(const double* weights, std::int64_t feature) const {
    return weights + first_ + feature * states_;
  }

  std::int64_t features_ = 0;
  std::int64_t states_ = 0;
  bool has_bias_ = false;
  std::int64_t first_ = 0;
};

}  // namespace sculpt
