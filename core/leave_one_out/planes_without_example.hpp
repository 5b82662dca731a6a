// planes_without_example.hpp - the planes of a problem as if one example had the weight 0. All
// others keep their price C/n:
//
//   P(w) = 1/2 ||w||^2 + C/n sum over j != i of c_j xi_j
//
// Also the w that the solver asks at: example i, which is not asked, sees it. Made by Retraining.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "objective/plane_source.hpp"

namespace sculpt::core {

class PlanesWithoutExample : public PlaneSource {
 public:
  // Called with w when the solver would ask about the example: w times `scale` is the query.
  using OnQuery = std::function<void(WeightView w, double scale)>;

  // `inner_product`: that of `planes`, which is made already, or nullptr. All must outlive it.
  PlanesWithoutExample(PlaneSource& planes, InnerProduct* inner_product, std::int64_t example,
                       OnQuery on_query);

  std::int64_t example_count() const override { return planes_.example_count(); }
  std::int64_t dimension() const override { return planes_.dimension(); }
  std::span<const std::uint8_t> nonnegative() const override { return planes_.nonnegative(); }
  std::span<const double> example_weights() const override { return weights_; }
  Workers* workers() override { return planes_.workers(); }
  std::uint64_t seed() const override { return planes_.seed(); }
  std::int64_t dataset_index(std::int64_t example) const override {
    return planes_.dataset_index(example);
  }
  std::int64_t extra_oracle_calls() const override {
    return planes_.extra_oracle_calls() - queries_;
  }
  double reduction_seconds() const override { return planes_.reduction_seconds(); }
  [[noreturn]] void report_contradiction(std::int64_t example,
                                         const std::string& text) const override;

  InnerProduct* inner_product(std::int64_t) override { return inner_product_; }
  bool is_convex() const override { return planes_.is_convex(); }
  void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& out) override;
  // Throws Failure(Exit::internal): solvers with joint planes are refused before.
  void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                        JointSeparation& out) override;
  bool escalates() const override { return planes_.escalates(); }
  std::string column_advice() const override { return planes_.column_advice(); }
  [[noreturn]] void report_inseparable(std::span<const std::int64_t> examples,
                                       const std::string& text) const override;

 private:
  PlaneSource& planes_;
  InnerProduct* inner_product_;
  std::int64_t example_;
  OnQuery on_query_;
  std::vector<double> weights_;       // [n] 0 for the example
  std::vector<std::int64_t> others_;  // scratch memory
  std::int64_t queries_ = 0;          // about the example
};

}  // namespace sculpt::core
