// plugin.hpp - the catalogue of a library and its one exported symbol.
//
// SPDX-License-Identifier: Apache-2.0
//
//   SCULPT_PLUGIN("losses", "1.0.0", "Apache-2.0", sculpt::Loss<Hamming>, sculpt::Loss<ZeroOne>)
//
// A component class may contain a list (lists.hpp) of small complete experiments. `sculpt check`
// runs them on the library:
//   static constexpr const char* experiments[] = {R"({"dataset": ...})"};
#pragma once

#include <array>

#include "task.hpp"

namespace sculpt::detail {

// The components of an entry of SCULPT_PLUGIN: one, or several for a Task.
template <class Kind>
struct ComponentsOf {
  static constexpr std::array components{&Kind::component};
  static constexpr std::uint32_t kinds() { return bit_of(Kind::kind); }
};
template <class T>
struct ComponentsOf<Task<T>> {
  static constexpr std::uint32_t kinds() {
    return kind_sets::features | kind_sets::loss | kind_sets::oracle |
           (Task<T>::Ownership::reads_data ? kind_sets::dataset : 0);
  }
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

  static constexpr auto experiments = [] {
    constexpr std::size_t count =
        (list_of<list::experiments, typename ClassOf<Kinds>::type>().size() + ... + 0);
    std::array<const char*, count> all{};
    std::size_t n = 0;
    auto append = [&](std::span<const char* const> some) {
      for (const char* experiment : some) all[n++] = experiment;
    };
    (append(list_of<list::experiments, typename ClassOf<Kinds>::type>()), ...);
    return all;
  }();

  // The kinds as which the library lists a class, and whether one of them is Task.
  template <class T>
  static constexpr std::uint32_t kinds_of =
      ((std::same_as<T, typename ClassOf<Kinds>::type> ? ComponentsOf<Kinds>::kinds() : 0) | ...);
  template <class T>
  static constexpr bool is_task = (std::same_as<Kinds, Task<T>> || ...);
  template <class T>
  static constexpr void check_uses() {
    check_kinds<T, kinds_of<T>>(KnownExtensions());
    if constexpr ((kinds_of<T> & kind_sets::oracle) == 0) {
      refuse_methods<T>(Methods<method::check_bindings>());
    }
    static_assert(is_task<T> || (constant::takes_other_losses::find<T>() == Finding::absent &&
                                 constant::takes_other_features::find<T>() == Finding::absent),
                  "`takes_other_losses` and `takes_other_features` are constants of a Task; any "
                  "other oracle takes all losses and features that its bind() does not refuse");
  }

  static constexpr sculpt_plugin make(const char* name, const char* version, const char* license) {
    (check_uses<typename ClassOf<Kinds>::type>(), ...);
    return {sizeof(sculpt_plugin),
            {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
            name,
            version,
            {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
            license,
            components.data(),
            static_cast<std::int64_t>(components.size()),
            experiments.data(),
            static_cast<std::int64_t>(experiments.size())};
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
