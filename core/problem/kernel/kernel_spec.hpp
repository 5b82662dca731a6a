// kernel_spec.hpp - the kernel that an experiment or a model chooses.
//
// A tree: its leaves are components, the host computes the other nodes from their members.
//
//   normalized   k(a, b) / sqrt(k(a, a) k(b, b))
//   sum          sum over members m of weight_m k_m(a, b)
//   product      product over members m of k_m(a, b)
//   explicit     the outermost rule: no kernel, but the rows phi(a) of its member in place of those
//                of the dataset (explicit_map.hpp)
//
// Made by assembly.cpp, read by Problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problem/plugin/component_spec.hpp"

namespace sculpt::core {

enum class KernelRule { component, normalized, sum, product, explicit_rows };

// True for a rule over one member, the key "of" in an experiment.
inline bool has_one_member(KernelRule rule) {
  return rule == KernelRule::normalized || rule == KernelRule::explicit_rows;
}

struct KernelSpec {
  KernelRule rule = KernelRule::component;
  std::optional<ComponentSpec> component = {};  // set if the rule is `component`
  std::vector<KernelSpec> members =
      {};  // of the other rules, at least one; of normalized and explicit one
  std::vector<double> weights = {};  // [members] of a sum, all above 0; empty: all are 1
  std::string position = {};         // of "use" in the experiment, for messages; "": none
};

// Returns the name of the state of leaf k in a model: "kernel", "kernel 1", "kernel 2", ... Leaves
// have the order of the experiment.
inline std::string kernel_state_name(std::size_t k) {
  return k == 0 ? "kernel" : "kernel " + std::to_string(k);
}

// The name of the support atoms of a model among its states.
inline constexpr const char* support_atoms_name = "support atoms";

}  // namespace sculpt::core
