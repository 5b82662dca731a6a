// live.hpp - a component created and destroyed through its C tables, for tests without a host.
#pragma once

#include <doctest/doctest.h>

#include <sculpt/sculpt.hpp>

#include "host_memory.hpp"

class LiveComponent {
 public:
  // `values` are the values of its parameters, nullptr if it has none.
  explicit LiveComponent(const sculpt_component& component, const sculpt_value* values = nullptr)
      : component_(component) {
    REQUIRE(component.life->create(nullptr, values, &self_, nullptr) == SCULPT_OK);
  }
  ~LiveComponent() { component_.life->destroy(self_); }
  LiveComponent(const LiveComponent&) = delete;
  LiveComponent& operator=(const LiveComponent&) = delete;

  void* self() const { return self_; }
  sculpt_ref raw() const { return {&component_, self_}; }
  sculpt::Ref ref() const { return sculpt::Ref(raw()); }
  Outcome bind(sculpt_ref dataset, sculpt_ref features, sculpt_ref loss = {nullptr, nullptr}) {
    const sculpt_bindings to{sizeof(sculpt_bindings), 0, dataset, features, loss};
    return outcome_of(
        [&](sculpt_error* error) { return component_.life->bind(self_, &to, error); });
  }
  const void* extension(const char* id) const { return component_.life->extension(self_, id); }

 private:
  const sculpt_component& component_;
  void* self_ = nullptr;
};
