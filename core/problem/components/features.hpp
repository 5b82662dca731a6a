// features.hpp - the joint feature map psi(x, y) of a problem.
//
// Called by Problem, its ports, SeparationSolver and the oracles, by train for sizes, and by check.
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

  // What the component says. Requires that it is sealed. dimension_of() (dimension.hpp) judges it.
  std::int64_t dimension() const;

  // [dimension] 1 where w_j >= 0 is demanded; empty: nowhere. Requires a sealed component.
  std::vector<std::uint8_t> nonnegative(std::int64_t dimension) const;

  // What keeps them from saying which weights form one multinomial (sculpt/ext/draft/groups.h), or
  // "". Requires a sealed component, as does groups().
  std::string obstacle_to_groups() const;
  // [dimension] the multinomial that each weight is an event of, or -1. Requires that nothing does.
  std::vector<std::int32_t> groups(std::int64_t dimension) const;

  // out = psi(x_example, y), through `scratch`. Refuses indices out of range and values that are
  // not finite with `exit`. [worker]
  void vector(int worker, std::int64_t example, sculpt_labels y, Exit exit,
              SparseAccumulator& scratch, SparseVector& out);

  // out = A_x^T mu, through `scratch`, as sculpt/ext/factor_graph.h has it. Requires features with
  // a factor graph. Faults are blamed on the plugin. [worker]
  void pull_back(int worker, std::int64_t example, const double* mu, SparseAccumulator& scratch,
                 SparseVector& out);

  // Whether map_solvers can serve them. Requires a sealed component.
  bool offers_factor_graph() const {
    return component_.extension<sculpt_ext_factor_graph>() != nullptr;
  }

  // What weight j means, or "" when the features do not say. [any]
  std::string weight_name(std::int64_t weight) const;

  const Component& component() const { return component_; }
  void* session(int worker) { return sessions_.of(worker); }

 private:
  void ask(int worker, std::int64_t example, sculpt_labels y, Exit exit, SparseAccumulator& scratch,
           SparseVector& out);

  Component& component_;
  Sessions sessions_;
};

}  // namespace sculpt::core
