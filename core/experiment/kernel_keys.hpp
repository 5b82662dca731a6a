// kernel_keys.hpp - kernels that the host computes from others. They belong to no library.
//
// Used by this folder, launch and command: one table for the parser, the messages, describe and the
// schema, like combine for oracles.
#pragma once

#include <span>

#include "experiment/experiment_keys.hpp"
#include "problem/kernel/kernel_spec.hpp"

namespace sculpt::core {

namespace detail {

inline constexpr sculpt_parameter kernel_members =
    key(SCULPT_PARAMETER_JSON, "members", nullptr, nullptr,
        "at least one kernel, each as under \"kernel\"");

}  // namespace detail

inline constexpr std::array<sculpt_parameter, 1> normalized_keys = {detail::key(
    SCULPT_PARAMETER_JSON, "of", nullptr, nullptr, "the kernel k, as under \"kernel\"")};

// A sum with a negative weight may be no kernel. Huge weights would make infinite sums.
inline constexpr std::array<sculpt_parameter, 2> sum_keys = {
    detail::kernel_members,
    sculpt::list_of(sculpt::real("weights", "null", 1e-100, 1e100,
                                 "factors of the members, one for each; all are 1 if unset"))};

inline constexpr std::array<sculpt_parameter, 1> product_keys = {detail::kernel_members};

inline constexpr std::array<sculpt_parameter, 1> explicit_keys = {detail::key(
    SCULPT_PARAMETER_JSON, "of", nullptr, nullptr,
    "the kernel, as under \"kernel\": linear or polynomial, normalized, or a sum of these")};

struct HostKernel {
  const char* name;  // the value of "use"
  KernelRule rule;
  const char* summary;
  std::span<const sculpt_parameter> keys;
};

inline constexpr std::array<HostKernel, 4> host_kernels = {
    HostKernel{"normalized", KernelRule::normalized,
               "k(a, b) / sqrt(k(a, a) k(b, b)): every input has the length 1", normalized_keys},
    HostKernel{"sum", KernelRule::sum, "the weighted sum of several kernels", sum_keys},
    HostKernel{"product", KernelRule::product, "the product of several kernels", product_keys},
    HostKernel{
        "explicit", KernelRule::explicit_rows,
        "trains on phi itself: a weight for each of its columns, the same optimum, every solver",
        explicit_keys}};

// The kernel of the host with this name; nullptr: `use` names a component.
inline const HostKernel* find_host_kernel(std::string_view use) {
  const auto* const found =
      std::find_if(host_kernels.begin(), host_kernels.end(),
                   [use](const HostKernel& kernel) { return use == kernel.name; });
  return found == host_kernels.end() ? nullptr : found;
}

// The kernel of the host with this rule, which must not be `component`.
inline const HostKernel& host_kernel(KernelRule rule) {
  return *std::find_if(host_kernels.begin(), host_kernels.end(),
                       [rule](const HostKernel& kernel) { return kernel.rule == rule; });
}

// True if `use` names a part of the host in a section that otherwise takes components.
inline bool belongs_to_host(std::string_view use) {
  return use == combine || find_host_kernel(use) != nullptr;
}

}  // namespace sculpt::core
