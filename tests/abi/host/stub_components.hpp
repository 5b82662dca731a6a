// stub_components.hpp - components that a test creates, loads and binds itself. For extensions that
// Problem does not use.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problem/components/dataset.hpp"
#include "problem/components/features.hpp"
#include "stub_problem.hpp"

namespace sculpt::core::stub {

// The services of the host on one thread. All components share them.
inline Services& services() {
  static Workers workers(1);
  static Services shared({}, workers);
  return shared;
}

inline std::unique_ptr<Component> create(std::uint32_t kind, const std::string& use,
                                         const std::string& keys = "{}") {
  const sculpt_component& description = find(kind, use);
  const CheckedParameters parameters = checked(description, keys);
  return std::make_unique<Component>(description, parameters.values(), services());
}

inline void bind_and_seal(Component& component, const Component* dataset = nullptr,
                          const Component* features = nullptr, const Component* loss = nullptr) {
  sculpt_bindings bindings = {};
  bindings.struct_size = sizeof bindings;
  if (dataset != nullptr) bindings.dataset = dataset->ref();
  if (features != nullptr) bindings.features = features->ref();
  if (loss != nullptr) bindings.loss = loss->ref();
  component.bind(bindings);
  component.seal();
}

// A dataset with `text` as its split "train", not sealed.
inline std::unique_ptr<Component> loaded(const std::string& use, const std::string& text,
                                         const std::string& keys = "{}") {
  auto component = create(SCULPT_KIND_DATASET, use, keys);
  Dataset(*component, 1).load({"train", "inline", text});
  return component;
}

inline std::vector<std::int32_t> vector_of(sculpt_labels labels) {
  return {labels.data, labels.data + labels.size};
}

// psi of an output, by features that are bound.
inline SparseVector psi_of(Features& features, std::int64_t example,
                           const std::vector<std::int32_t>& y) {
  SparseAccumulator scratch(features.dimension());
  SparseVector out;
  const sculpt_labels labels{y.data(), static_cast<std::int64_t>(y.size())};
  features.vector(0, example, labels, Exit::plugin, scratch, out);
  return out;
}

}  // namespace sculpt::core::stub
