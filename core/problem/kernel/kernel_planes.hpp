// kernel_planes.hpp - the planes of a problem with a kernel, in the layout of the solvers
// (kernel_layout.hpp).
//
// Made by ProblemPorts. The w of separate() has the scores of the training atoms; the oracles get
// them as weights of the problem.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "objective/plane_source.hpp"
#include "problem/kernel/joint_product.hpp"
#include "problem/kernel/problem_kernel.hpp"

namespace sculpt::core {

class KernelPlanes : public PlaneSource {
 public:
  // Both must outlive it.
  KernelPlanes(PlaneSource& planes, ProblemKernel& kernel);

  std::int64_t example_count() const override { return planes_.example_count(); }
  std::int64_t dimension() const override { return layout_.dimension(); }
  std::span<const double> example_weights() const override { return planes_.example_weights(); }
  Workers* workers() override { return planes_.workers(); }
  Ranks* ranks() const override { return planes_.ranks(); }
  std::uint64_t seed() const override { return planes_.seed(); }
  std::int64_t dataset_index(std::int64_t example) const override {
    return planes_.dataset_index(example);
  }
  std::int64_t extra_oracle_calls() const override { return planes_.extra_oracle_calls(); }
  double reduction_seconds() const override { return planes_.reduction_seconds(); }
  [[noreturn]] void report_contradiction(std::int64_t example,
                                         const std::string& text) const override;

  InnerProduct* inner_product(std::int64_t max_bytes) override;
  InnerProduct* joint_inner_product(std::int64_t max_bytes, bool is_exact) override;
  std::pmr::memory_resource* plane_memory() override { return planes_.plane_memory(); }
  bool is_convex() const override { return kernel_.is_positive(); }
  void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& out) override;
  // Sets max_squared_norm to 0: the norm in the inner product would cost more than the answers.
  void separate_jointly(WeightView w, const Pass& pass, JointWeight weight,
                        JointSeparation& out) override;
  bool relaxes() const override { return planes_.relaxes(); }
  bool escalates() const override { return planes_.escalates(); }
  std::string column_advice() const override { return planes_.column_advice(); }
  [[noreturn]] void report_inseparable(std::span<const std::int64_t> examples,
                                       const std::string& text) const override;

 private:
  void pass_weights(WeightView w, std::span<const std::int64_t> examples);
  void to_solver(SparseVector& a);

  PlaneSource& planes_;  // of the problem
  ProblemKernel& kernel_;
  const KernelLayout& layout_;
  Vector weights_;  // [problem dimension] of the examples asked about
  std::optional<JointProduct> joint_product_;
  std::vector<std::int64_t> violated_;                    // scratch memory
  std::vector<std::pair<std::int32_t, double>> entries_;  // likewise
};

}  // namespace sculpt::core
