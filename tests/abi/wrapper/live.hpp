// live.hpp - a live component, as a host would hold it, for tests of the wrapper alone.
#pragma once

#include <doctest/doctest.h>

#include <sculpt/sculpt.hpp>

#include "host_memory.hpp"

class Live {
 public:
  // `values`: those of its parameters; nullptr: it has none.
  explicit Live(const sculpt_component& component, const sculpt_value* values = nullptr)
      : component_(component) {
    REQUIRE(component.life->create(nullptr, values, &self_, nullptr) == SCULPT_OK);
  }
  ~Live() { component_.life->destroy(self_); }
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  void* self() const { return self_; }
  sculpt_ref raw() const { return {&component_, self_}; }
  sculpt::Ref ref() const { return sculpt::Ref(raw()); }
  Outcome bind(sculpt_ref dataset, sculpt_ref features) {
    const sculpt_bindings to{sizeof(sculpt_bindings), 0, dataset, features, {nullptr, nullptr}};
    return outcome_of(
        [&](sculpt_error* error) { return component_.life->bind(self_, &to, error); });
  }
  const void* extension(const char* id) const { return component_.life->extension(self_, id); }

 private:
  const sculpt_component& component_;
  void* self_ = nullptr;
};
