// kernel_components.hpp - the components of a kernel, from their creation to the kernel.
//
// Held by Problem. The life of a component of kind kernel: create, restore, keep if it comes from a
// model, bind to the dataset, seal (ext/kernel.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problem/kernel/kernel.hpp"
#include "problem/kernel/kernel_spec.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// Gives a component of kind kernel the atoms of a model, before it binds. Throws
// Failure(Exit::data) if they are damaged.
void keep_atoms(const Component& component, const KeptAtoms& kept);

class KernelComponents {
 public:
  // Creates all components, and restores those that have a state. What `spec` refers to must live
  // until the kernel is made. Throws Failure.
  KernelComponents(const KernelSpec& spec, Services& services);

  // Gives the components the support atoms of a model. Throws Failure(Exit::data) if they are
  // damaged. Call it at most once, before bind().
  void keep(const std::string& atoms);
  // The number of support atoms. 0: none were kept.
  std::int64_t kept_count() const { return kept_.empty() ? 0 : kept_.front().count(); }

  // Binds the components to the dataset, and seals them.
  void bind(sculpt_ref dataset);
  // Requires bind(). The components must outlive the kernel.
  std::unique_ptr<Kernel> make_kernel(int threads) const;

  const std::vector<std::unique_ptr<Component>>& components() const { return components_; }

 private:
  // What a model stores for one entry of Kernel::store(), in its order.
  using Entry = std::vector<KeptAtoms>::const_iterator;
  using Leaf = std::vector<std::unique_ptr<Component>>::const_iterator;

  void create(const KernelSpec& spec, Services& services);
  void keep(const KernelSpec& spec, Leaf& leaf, Entry& entry);
  void bind(const KernelSpec& spec, sculpt_ref dataset, Leaf& leaf);
  std::unique_ptr<Kernel> make(const KernelSpec& spec, int threads, Leaf& leaf, Entry& entry) const;

  KernelSpec spec_;
  std::vector<std::unique_ptr<Component>> components_;  // the leaves, in the order of the spec
  std::vector<KeptAtoms> kept_;                         // empty: no model
};

}  // namespace sculpt::core
