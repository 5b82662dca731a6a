// features.hpp - the joint feature map psi(x, y) of a problem.
//
// Called by Problem, its sources, SeparationSolver and the oracles, by train for sizes, and by
// check.
#pragma once

#include <string>
#include <vector>

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

class Features {
 public:
  Features(Component& component, int threads)
      : component_(component), sessions_(component, threads) {}

  // Returns the dimension that the component reports, unchecked. dimension_of() (dimension.hpp)
  // checks it. Requires a sealed component.
  std::int64_t dimension() const;

  // [dimension] 1 if the features demand w_j >= 0. Empty: no weight is bounded. Requires a sealed
  // component.
  std::vector<std::uint8_t> nonnegative(std::int64_t dimension) const;

  // Returns why the features do not report which weights form one multinomial
  // (sculpt/ext/groups.h), or "". Requires a sealed component, as does groups().
  std::string obstacle_to_groups() const;
  // [dimension] the number of the multinomial that each weight belongs to, or -1. Requires
  // obstacle_to_groups() == "".
  std::vector<std::int32_t> groups(std::int64_t dimension) const;

  // out = psi(x_example, y), summed in `scratch`. Throws Failure(Exit::plugin) for indices out of
  // range, and Failure(exit_for_values) for values that are not finite. [worker]
  void vector(int worker, std::int64_t example, sculpt_labels y, Exit exit_for_values,
              SparseAccumulator& scratch, SparseVector& out);

  // sum = scale * A_x^T mu, as in sculpt/ext/factor_graph.h. mu[theta_size]. Requires features with
  // a factor graph. Errors are reported as errors of the plugin. [worker]
  void pull_back(int worker, std::int64_t example, std::span<const double> mu, double scale,
                 SparseAccumulator& sum);

  // True if a map_solver can be used with these features. Requires a sealed component.
  bool offers_factor_graph() const {
    return component_.extension<sculpt_ext_factor_graph>() != nullptr;
  }

  // Returns the meaning of weight j, "" if the features do not report it. [any]
  std::string weight_name(std::int64_t weight) const;

  const Component& component() const { return component_; }
  void* session(int worker) { return sessions_.for_worker(worker); }

 private:
  // vector() without the repetition of --guard.
  void compute_vector(int worker, std::int64_t example, sculpt_labels y, Exit exit_for_values,
                      SparseAccumulator& scratch, SparseVector& out);

  Component& component_;
  Sessions sessions_;
};

}  // namespace sculpt::core
