#include "problem/kernel/kernel_components.hpp"

#include <utility>

#include "problem/kernel/problem_kernel.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/with_position.hpp"

namespace sculpt::core {
namespace {

// The number of entries of Kernel::store(): one for each leaf and each normalized kernel.
std::size_t entry_count(const KernelSpec& spec) {
  std::size_t count =
      spec.rule == KernelRule::component || spec.rule == KernelRule::normalized ? 1 : 0;
  for (const KernelSpec& member : spec.members) count += entry_count(member);
  return count;
}

}  // namespace

void keep_atoms(const Component& component, const KeptAtoms& kept) {
  const LentArray<char> bytes(component, "the bytes of the kept atoms",
                              std::span<const char>(kept.bytes));
  const LentArray<std::int64_t> from(component, "the beginnings of the kept atoms",
                                     std::span<const std::int64_t>(kept.from));
  component.call("keep", -1, [&](sculpt_error* error) {
    return component.api<sculpt_kernel_api>().keep(component.self(), bytes.data(), from.data(),
                                                   kept.count(), error);
  });
  bytes.require_unchanged(-1);
  from.require_unchanged(-1);
}

KernelComponents::KernelComponents(const KernelSpec& spec, Services& services) : spec_(spec) {
  create(spec, services);
}

void KernelComponents::create(const KernelSpec& spec, Services& services) {
  if (spec.rule == KernelRule::component) {
    with_position(*spec.component, [&] {
      components_.push_back(std::make_unique<Component>(*spec.component->description,
                                                        spec.component->parameters, services));
      components_.back()->restore(spec.component->state, spec.component->state_file);
    });
  }
  for (const KernelSpec& member : spec.members) create(member, services);
}

void KernelComponents::keep(const std::string& atoms) {
  kept_ = load_atoms(atoms).entries;
  if (kept_.size() != entry_count(spec_)) {
    throw Failure(Exit::data,
                  "the support atoms of the model belong to another kernel; train again");
  }
  Leaf leaf = components_.begin();
  Entry entry = kept_.begin();
  keep(spec_, leaf, entry);
}

void KernelComponents::keep(const KernelSpec& spec, Leaf& leaf, Entry& entry) {
  if (spec.rule == KernelRule::normalized) ++entry;
  if (spec.rule == KernelRule::component) {
    const Component& component = **leaf++;
    keep_atoms(component, *entry++);
  }
  for (const KernelSpec& member : spec.members) keep(member, leaf, entry);
}

void KernelComponents::bind(sculpt_ref dataset) {
  Leaf leaf = components_.begin();
  bind(spec_, dataset, leaf);
}

void KernelComponents::bind(const KernelSpec& spec, sculpt_ref dataset, Leaf& leaf) {
  if (spec.rule == KernelRule::component) {
    sculpt_bindings bindings = {};
    bindings.struct_size = sizeof bindings;
    bindings.dataset = dataset;
    with_position(*spec.component, [&] {
      (*leaf)->bind(bindings);
      (*leaf)->seal();
    });
    ++leaf;
  }
  for (const KernelSpec& member : spec.members) bind(member, dataset, leaf);
}

std::unique_ptr<Kernel> KernelComponents::make_kernel(int threads) const {
  Leaf leaf = components_.begin();
  Entry entry = kept_.begin();
  return make(spec_, threads, leaf, entry);
}

std::unique_ptr<Kernel> KernelComponents::make(const KernelSpec& spec, int threads, Leaf& leaf,
                                               Entry& entry) const {
  if (spec.rule == KernelRule::component) {
    if (!kept_.empty()) ++entry;
    return std::make_unique<ComponentKernel>(**leaf++, threads);
  }
  const KeptAtoms* own = nullptr;
  if (spec.rule == KernelRule::normalized && !kept_.empty()) own = &*entry++;
  std::vector<std::unique_ptr<Kernel>> members;
  for (const KernelSpec& member : spec.members) {
    members.push_back(make(member, threads, leaf, entry));
  }
  if (spec.rule == KernelRule::normalized) {
    return std::make_unique<NormalizedKernel>(std::move(members.front()), own);
  }
  const auto rule =
      spec.rule == KernelRule::sum ? CombinedKernel::Rule::sum : CombinedKernel::Rule::product;
  return std::make_unique<CombinedKernel>(rule, std::move(members), spec.weights);
}

}  // namespace sculpt::core
