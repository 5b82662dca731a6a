// kernel_use.hpp - the value of "kernel" in an experiment: a component, or a tree of kernels.
//
// Called by experiment.cpp, resolved_experiment.cpp and launch. The rules of the host and their
// formulas: kernel_keys.hpp, problem/kernel/kernel_spec.hpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/section.hpp"
#include "problem/kernel/kernel_spec.hpp"

namespace sculpt::core {

struct KernelUse {
  KernelRule rule = KernelRule::component;
  std::optional<Section> component;  // set if the rule is `component`
  std::vector<KernelUse> members;    // of the other rules: one, or at least one (has_one_member)
  std::vector<double> weights;       // [members] of a sum, all above 0; empty: all are 1
  Position use_position;
  std::string text;  // as in the file, for tables: "rbf", or JSON
};

// Reads the kernel at `pointer`, which must exist. Throws Failure(Exit::config).
KernelUse read_kernel(const JsonDocument& document, const std::string& pointer);

// The components of a kernel, in the order of the experiment. Valid as long as `use`.
std::vector<const Section*> leaves_of(const KernelUse& use);

}  // namespace sculpt::core
