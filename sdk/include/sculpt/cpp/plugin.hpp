// plugin.hpp - the catalogue of a library and its one exported symbol.
//
// SPDX-License-Identifier: Apache-2.0
//
//   SCULPT_PLUGIN("losses", "1.0.0", "Apache-2.0", sculpt::Loss<Hamming>, sculpt::Loss<ZeroOne>)
//
// A component class may contain small complete experiments. `sculpt check` runs them on the
// library:
//   static constexpr const char* experiments[] = {R"({"dataset": ...})"};
#pragma once

#include <array>

#include "task.hpp"

namespace sculpt::detail {

// The components of an entry of SCULPT_PLUGIN: one, or several for a Task.
template <class Kind>
struct ComponentsOf {
  static constexpr std::array components{&Kind::component};
};
template <class T>
struct ComponentsOf<Task<T>> {
  static constexpr auto components = [] {
    using K = Task<T>;
    if constexpr (K::Ownership::reads_data) {
      return std::array{&K::DatasetPart::component, &K::FeaturesPart::component,
                        &K::LossPart::component, &K::OraclePart::component};
    } else {
      return std::array{&K::FeaturesPart::component, &K::LossPart::component,
                        &K::OraclePart::component};
    }
  }();
};

template <class Kind>
struct ClassOf;
template <template <class> class Kind, class T>
struct ClassOf<Kind<T>> {
  using type = T;
};

// All components and experiments of a library, as tables made at compile time.
template <class... Kinds>
struct Catalogue {
  static constexpr auto components = [] {
    std::array<const sculpt_component*, (ComponentsOf<Kinds>::components.size() + ... + 0)> all{};
    std::size_t n = 0;
    auto append = [&](const auto& part) {
      for (const sculpt_component* component : part) all[n++] = component;
    };
    (append(ComponentsOf<Kinds>::components), ...);
    return all;
  }();

  template <class T>
  static constexpr std::size_t experiment_count() {
    if constexpr (requires { std::size(T::experiments); }) {
      return std::size(T::experiments);
    } else {
      return 0;
    }
  }
  static constexpr auto experiments = [] {
    constexpr std::size_t count =
        (experiment_count<typename ClassOf<Kinds>::type>() + ... + std::size_t{0});
    std::array<const char*, count + 1> all{};
    std::size_t n = 0;
    auto append = [&]<class T>() {
      if constexpr (experiment_count<T>() > 0) {
        for (const char* experiment : T::experiments) all[n++] = experiment;
      }
    };
    (append.template operator()<typename ClassOf<Kinds>::type>(), ...);
    return all;
  }();

  static constexpr sculpt_plugin make(const char* name, const char* version, const char* license) {
    return {sizeof(sculpt_plugin),
            {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
            name,
            version,
            {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
            license,
            components.data(),
            static_cast<std::int64_t>(components.size()),
            experiments.data(),
            static_cast<std::int64_t>(experiments.size() - 1)};
  }
};

}  // namespace sculpt::detail

// Hosts of any version get the catalogue. They compare versions, and name a library that they
// refuse.
#define SCULPT_PLUGIN(name, version, license, ...)                             \
  extern "C" SCULPT_EXPORT const sculpt_plugin* sculpt_entry(sculpt_version) { \
    static constexpr sculpt_plugin plugin =                                    \
        sculpt::detail::Catalogue<__VA_ARGS__>::make(name, version, license);  \
    return &plugin;                                                            \
  }
