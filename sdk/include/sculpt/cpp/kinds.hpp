// kinds.hpp - Dataset<T>, Features<T>, Loss<T>, Oracle<T>, MapSolver<T>: a class as a component.
//
// SPDX-License-Identifier: Apache-2.0
//
// Members that T needs, in addition to those of life.hpp. methods.hpp has their signatures.
//   Dataset    load(split, source), count(), split(name), truth(example)
//   Features   dimension(), [worker] features(example, y, sum)
//   Loss       [worker] loss(example, truth, guess), or without the example
//   Oracle     [worker] argmax(query, answer)
//   MapSolver  [worker] solve(query, answer); optional demands(), the set of classes of graphs that
//              it requires, called once after construction; or several sets, as a span that is
//              valid as long as the object. Optional frontier_demands(), what its frontier requires
//              besides
#pragma once

#include "offered.hpp"
#include "reading.hpp"

namespace sculpt {

namespace detail {

// Each kind has check<T>(), which is true if T has the methods that the kind needs, with an error
// for each that is missing; and api<T>, its functions.
struct DatasetKind {
  static constexpr std::uint32_t kind = SCULPT_KIND_DATASET;
  template <class T>
  static constexpr bool check() {
    return offers_each<T>(Methods<method::load, method::count, method::split, method::truth>());
  }
  template <class T>
  static constexpr sculpt_dataset_api api{
      [](void* self, const char* split, const sculpt_source* source, sculpt_error* error) {
        return guarded(error, "load", [&] {
          const sculpt_host* const host = static_cast<Instance<T>*>(self)->host;
          const ScopedHostOfArrays scope(host);
          object_of<T>(self).load(split, Source(*source, host));
          if constexpr (scales_rows<T>) object_of<T>(self).scaled_rows().scale_new_rows();
        });
      },
      [](const void* self, std::int64_t* out, sculpt_error* error) {
        return guarded(error, "count", [&] { *out = object_of<T>(self).count(); });
      },
      [](const void* self, const char* name, std::int64_t* begin, std::int64_t* end,
         sculpt_error* error) {
        return guarded(error, "split", [&] {
          const Range range = object_of<T>(self).split(name);
          *begin = range.begin;
          *end = range.end;
        });
      },
      [](const void* self, std::int64_t example, sculpt_labels* out, sculpt_error* error) {
        return guarded(error, "truth",
                       [&] { *out = Labels(object_of<T>(self).truth(example)).raw(); });
      }};
};

struct FeaturesKind {
  static constexpr std::uint32_t kind = SCULPT_KIND_FEATURES;
  template <class T>
  static constexpr bool check() {
    return offers_each<T>(Methods<method::dimension, method::features>());
  }
  template <class T>
  static constexpr sculpt_features_api api{
      [](const void* self, std::int64_t* out, sculpt_error* error) {
        return guarded(error, "dimension", [&] { *out = object_of<T>(self).dimension(); });
      },
      [](void* session, std::int64_t example, sculpt_labels y, double scale,
         sculpt_accumulator* accumulator, sculpt_error* error) {
        return guarded(error, "features", [&] {
          Sum sum(accumulator, scale);
          worker_of<method::features, T>(session).features(example, Labels(y), sum);
        });
      }};
};

struct LossKind {
  static constexpr std::uint32_t kind = SCULPT_KIND_LOSS;
  // A loss that does not depend on the example.
  template <class T>
  static constexpr bool is_plain = find_method<method::plain_loss, T>() == Finding::fits;
  template <class T>
  static constexpr bool check() {
    constexpr bool is_loss =
        is_plain<T> || find_method<method::loss_of_example, T>() == Finding::fits;
    static_assert(is_loss,
                  "`loss` of a loss must be a public method, const or of the Session: double "
                  "loss(Labels truth, Labels guess), or with std::int64_t example before them");
    return is_loss;
  }
  template <class T>
  static constexpr sculpt_loss_api api{[](void* session, std::int64_t example, sculpt_labels truth,
                                          sculpt_labels guess, double* out, sculpt_error* error) {
    return guarded(error, "loss", [&] {
      if constexpr (is_plain<T>) {
        (void)example;
        *out = worker_of<method::plain_loss, T>(session).loss(Labels(truth), Labels(guess));
      } else {
        *out = worker_of<method::loss_of_example, T>(session).loss(example, Labels(truth),
                                                                   Labels(guess));
      }
    });
  }};
};

struct OracleKind {
  static constexpr std::uint32_t kind = SCULPT_KIND_ORACLE;
  template <class T>
  static constexpr bool check() {
    return offers_required<method::argmax, T>();
  }
  template <class T>
  static constexpr sculpt_oracle_api api{
      [](void* session, const sculpt_query* query, sculpt_answer* out, sculpt_error* error) {
        return guarded(error, "argmax", [&] {
          Answer answer(out);
          worker_of<method::argmax, T>(session).argmax(Query(*query), answer);
        });
      }};
};

struct MapSolverKind {
  static constexpr std::uint32_t kind = SCULPT_KIND_MAP_SOLVER;
  template <class T>
  static constexpr bool check() {
    constexpr bool demands_fit = find_method<method::demands, T>() != Finding::misfit ||
                                 find_method<method::sets_of_demands, T>() == Finding::fits;
    static_assert(demands_fit,
                  "`demands` of a map_solver must be a public method of the class: std::uint32_t "
                  "demands() const, or one that returns std::span<const std::uint32_t> of the "
                  "memory of the object");
    return offers_required<method::solve, T>() && demands_fit;
  }
  template <class T>
  static constexpr sculpt_map_solver_api api{
      [](const void* self, const std::uint32_t** out, std::int64_t* count, sculpt_error* error) {
        return guarded(error, "demands", [&] {
          std::span<const std::uint32_t> sets(&static_cast<const Instance<T>*>(self)->demands, 1);
          if constexpr (find_method<method::demands, T>() == Finding::misfit) {
            sets = object_of<T>(self).demands();
          }
          *out = sets.data();
          *count = static_cast<std::int64_t>(sets.size());
        });
      },
      [](void* session, const sculpt_map_query* query, sculpt_answer* out, sculpt_error* error) {
        return guarded(error, "solve", [&] {
          Answer answer(out);
          worker_of<method::solve, T>(session).solve(MapQuery(*query), answer);
        });
      },
      [](const void* self, std::uint32_t* out, sculpt_error* error) {
        return guarded(error, "frontier_demands", [&] {
          *out = 0;
          if constexpr (offers<method::frontier_demands, T>()) {
            *out = object_of<T>(self).frontier_demands();
          } else {
            (void)self;
          }
        });
      }};
};

// Returns the description of T as a component of this kind. `OwnershipPolicy` tells whether it owns
// its object. A class that cannot be such a component is an error of the compiler. Then the result
// is empty, so that no other errors follow.
template <class T, class Kind, class OwnershipPolicy>
constexpr sculpt_component describe() {
  constexpr bool is_component = [] {
    if constexpr (check_class<T, OwnershipPolicy::owns>()) return Kind::template check<T>();
    return false;
  }();
  if constexpr (is_component) {
    constexpr bool metrics_allowed =
        std::same_as<OwnershipPolicy, Owner> || Kind::kind != SCULPT_KIND_DATASET;
    using OfferedExtensions = Extensions<T, Kind::kind, OwnershipPolicy::owns, metrics_allowed>;
    return {sizeof(sculpt_component),
            Kind::kind,
            T::about.traits,
            T::about.id,
            T::about.version,
            T::about.summary,
            T::about.reference,
            OwnershipPolicy::owns ? parameter_table<T>() : nullptr,
            OwnershipPolicy::owns ? parameter_count<T>() : 0,
            OfferedExtensions::ids.data(),
            static_cast<std::int64_t>(OfferedExtensions::ids.size()),
            &Life<T, OwnershipPolicy, OfferedExtensions::find, Kind::kind>::table,
            &Kind::template api<T>};
  } else {
    return {};
  }
}

}  // namespace detail

// These make a class T a component. Use Dataset<T> and so on in SCULPT_PLUGIN (plugin.hpp). Use
// their member `component` to recognize the component with same_library().
template <class T>
struct Dataset {
  static constexpr std::uint32_t kind = detail::DatasetKind::kind;
  static constexpr sculpt_component component =
      detail::describe<T, detail::DatasetKind, detail::Owner>();
};
template <class T>
struct Features {
  static constexpr std::uint32_t kind = detail::FeaturesKind::kind;
  static constexpr sculpt_component component =
      detail::describe<T, detail::FeaturesKind, detail::Owner>();
};
template <class T>
struct Loss {
  static constexpr std::uint32_t kind = detail::LossKind::kind;
  static constexpr sculpt_component component =
      detail::describe<T, detail::LossKind, detail::Owner>();
};
template <class T>
struct Oracle {
  static constexpr std::uint32_t kind = detail::OracleKind::kind;
  static constexpr sculpt_component component =
      detail::describe<T, detail::OracleKind, detail::Owner>();
};
template <class T>
struct MapSolver {
  static constexpr std::uint32_t kind = detail::MapSolverKind::kind;
  static constexpr sculpt_component component =
      detail::describe<T, detail::MapSolverKind, detail::Owner>();
};

// Returns the object behind the loss `loss` as a Base if it is one of `Losses` and of the same
// library. Else nullptr.
template <class Base, class... Losses>
const Base* own_loss(Ref loss) {
  const Base* result = nullptr;
  const auto keep_if_found = [&](const Base* object) {
    if (object != nullptr) result = object;
  };
  (keep_if_found(same_library<Losses>(loss, Loss<Losses>::component)), ...);
  return result;
}

}  // namespace sculpt
