// set_features.hpp - psi of a set of rows: the mean of the rows, those not taken for positive with
// the sign turned round.
#pragma once

#include "set_data.hpp"

namespace contingency {

// psi(x, y) = 1/n sum over the rows i of sign_i x_i, sign_i = 1 where y takes row i for positive
// and -1 elsewhere.
class SetFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.contingency", "1.0.0",
      "a set of rows, positive ones and others, by one weight for each feature",
      "Joachims, ICML 2005, section 3"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("bias", "false", "adds a feature that is 1 in every row")};

  explicit SetFeatures(const sculpt::Parameters& given) : bias_(given.boolean("bias")) {}

  void bind(const sculpt::Bindings& bindings) { data_ = SetData(bindings.dataset, "contingency"); }
  std::int64_t dimension() const { return data_.input().feature_count() + (bias_ ? 1 : 0); }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    data_.check(example, y);
    const sculpt_sites sites = data_.input().sites(example);
    const double unit = 1 / static_cast<double>(sites.site_count);
    double signs = 0;
    for (std::int64_t i = 0; i < sites.site_count; ++i) {
      const double sign = is_positive(y[static_cast<std::size_t>(i)]) ? unit : -unit;
      for (std::int64_t j = sites.row_from[i]; j < sites.row_from[i + 1]; ++j) {
        sum.add(sites.index[j], sign * sites.value[j]);
      }
      signs += sign > 0 ? 1 : -1;
    }
    if (bias_) sum.add(data_.input().feature_count(), signs * unit);
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    if (weight == data_.input().feature_count()) {
      out << "bias";
    } else {
      data_.input().feature_name(weight, out);
    }
  }

  const SetData& data() const { return data_; }

  // <w, x_i> of the rows [begin, end) of a set, with the bias.
  void scores(const sculpt_sites& sites, std::span<const double> w, std::int64_t begin,
              std::int64_t end, std::span<double> score) const {
    const double bias = bias_ ? w.back() : 0;
    for (std::int64_t i = begin; i < end; ++i) {
      double sum = bias;
      for (std::int64_t j = sites.row_from[i]; j < sites.row_from[i + 1]; ++j) {
        sum += w[static_cast<std::size_t>(sites.index[j])] * sites.value[j];
      }
      score[static_cast<std::size_t>(i)] = sum;
    }
  }

 private:
  bool bias_;
  SetData data_;
};

}  // namespace contingency
