// set_features.hpp - psi of a set of rows: a sum of the rows with coefficients from the output.
//
// Joachims, ICML 2005, section 3. Called by the host (contingency.cpp) and set_oracle.cpp.
#pragma once

#include <optional>
#include <sculpt/cpp/site_weights.hpp>

#include "columns.hpp"
#include "order_psi.hpp"
#include "set_data.hpp"

namespace contingency {

// If outputs are the rows predicted positive:
//
//   psi(x, y) = 1/n sum over the rows i of cost_i sign_i x_i
//
// sign_i: 1 if y predicts row i positive, else -1. cost_i: `cost` if the truth is positive, else 1.
// With the error rate, which uses the same costs, a row costs C/n cost_i max(0, 1 - 2 truth_i <w,
// x_i>): the SVM with costs. For orders see order_psi.hpp. Without a truth there are no pairs to
// compare, and psi is 0.
class SetFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.contingency", "1.0.0",
      "positive and negative rows of a set, with one weight for each feature",
      "Joachims, ICML 2005, section 3"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("output", R"("labels")", "labels|order",
                     "labels: which rows are positive; order: which rows come before which"),
      sculpt::boolean("bias", "false", "adds a feature that is 1 in every row"),
      sculpt::real(
          "cost", "1", 1e-6, 1e6,
          "the cost of a positive row of the truth, in psi and in error_rate; a negative row "
          "costs 1")};

  SetFeatures(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        outputs_are_orders_(given.choice("output") == "order"),
        bias_(given.boolean("bias")),
        cost_(given.real("cost")) {
    if (outputs_are_orders_ && cost_ != 1) {
      throw sculpt::parameter_error("all pairs of rows cost the same in orders; set cost to 1");
    }
    if (outputs_are_orders_ && bias_) {
      throw sculpt::parameter_error("a bias changes no order; set bias to false");
    }
  }

  void bind(const sculpt::Bindings& bindings) {
    data_ = SetData(bindings.dataset);
    weights_ = sculpt::SiteWeights(data_.input().feature_count(), 1, bias_);
    train_ = data_.input().split("train");
    bool one_row_each = train_.end - train_.begin > 1;
    for (std::int64_t i = train_.begin; i < train_.end; ++i) {
      columns_.push_back(make_columns(i));
      one_row_each = one_row_each && data_.rows(i) == 1;
    }
    if (one_row_each) {
      host_.warn("every example of " + data_.input().dataset_id() +
                 " is a set of one row; to read a file as one set, use the dataset svmlight_set");
    }
  }
  std::int64_t dimension() const { return weights_.size(); }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return sculpt::OutputShape::of_size(data_.rows(example));
  }

  // True if outputs are orders.
  bool outputs_are_orders() const { return outputs_are_orders_; }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    data_.check(example, y);
    const std::vector<double> factors = coefficients(example, y);
    if (const Columns* columns = training_columns(example)) {
      columns->add(host_, factors, sum);
      if (!bias_) return;
      double positive_sum = 0;
      double negative_sum = 0;
      for (const double factor : factors) (factor > 0 ? positive_sum : negative_sum) += factor;
      if (positive_sum != 0) sum.add(data_.input().feature_count(), positive_sum);
      if (negative_sum != 0) sum.add(data_.input().feature_count(), negative_sum);
      return;
    }
    const sculpt_sites sites = data_.input().sites(example);
    for (std::int64_t i = 0; i < sites.site_count; ++i) {
      const double factor = factors[static_cast<std::size_t>(i)];
      if (factor != 0) weights_.add(sites, i, 0, factor, sum);
    }
  }
  // Returns the coefficient of each row in psi(x, y).
  std::vector<double> coefficients(std::int64_t example, sculpt::Labels y) const {
    const sculpt::Labels truth = data_.input().truth(example);
    if (outputs_are_orders_) {
      return truth.known() ? order_coefficients(truth, y) : std::vector<double>(y.size(), 0.0);
    }
    const double base_factor = 1 / static_cast<double>(y.size());
    std::vector<double> factors(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      factors[i] = is_positive(y[i]) ? base_factor : -base_factor;
      if (truth.known() && truth[i] == 1) factors[i] *= cost_;
    }
    return factors;
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    weights_.feature_name(weight, data_.input(), out);
  }
  std::int64_t weight_column(std::int64_t weight) const { return weights_.column(weight); }
  sculpt::RowBlocks row_blocks() const { return weights_.row_blocks(); }

  // Scores of rows: rows with scores above 0 are predicted positive. Orders are sorted by score.
  std::uint32_t score_rule() const {
    return outputs_are_orders_ ? SCULPT_SCORES_ORDER : SCULPT_SCORES_SIGN;
  }
  std::int64_t score_rows(std::int64_t example) const { return data_.rows(example); }
  // Writes <w, x_i> of each row, with the bias. The blocks of rows do not depend on the number of
  // threads.
  void write_scores(std::int64_t example, std::span<const double> w,
                    std::span<double> scores) const {
    const sculpt_sites sites = data_.input().sites(example);
    const std::int64_t rows = sites.site_count;
    host_.parallel((rows + rows_per_task - 1) / rows_per_task, [&](std::int64_t task) {
      const std::int64_t begin = task * rows_per_task;
      weights_.scores_of_sites(sites, begin, std::min(begin + rows_per_task, rows), w.data(),
                               scores.data());
    });
  }

  // Returns the cost of a positive row of the truth.
  double cost() const { return cost_; }
  const SetData& data() const { return data_; }

 private:
  static constexpr std::int64_t rows_per_task = 8192;

  // Returns nothing for a set with fewer entries than features: its rows are added directly.
  std::optional<Columns> make_columns(std::int64_t example) const {
    const sculpt_sites sites = data_.input().sites(example);
    const std::int64_t entries = sites.row_from[sites.site_count] - sites.row_from[0];
    if (entries < data_.input().feature_count()) return {};
    return Columns(sites, data_.input().feature_count());
  }
  const Columns* training_columns(std::int64_t example) const {
    if (example < train_.begin || example >= train_.end) return nullptr;
    const auto& columns = columns_[static_cast<std::size_t>(example - train_.begin)];
    return columns ? &*columns : nullptr;
  }

  sculpt::Host host_;
  bool outputs_are_orders_;
  bool bias_;
  double cost_;
  SetData data_;
  sculpt::Range train_;
  sculpt::SiteWeights weights_;
  std::vector<std::optional<Columns>> columns_;  // [train]
};

}  // namespace contingency
