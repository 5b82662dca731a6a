// kinds.hpp - Dataset<T>, Features<T>, Loss<T>, Oracle<T>, MapSolver<T>: a class as a component.
//
// SPDX-License-Identifier: Apache-2.0
//
// Members that T needs, in addition to those of life.hpp:
//   Dataset    void load(std::string_view split, const Source&); int64_t count() const;
//              Range split(std::string_view name) const; Labels truth(int64_t example) const
//   Features   int64_t dimension() const; [worker] void features(int64_t example, Labels y, Sum&)
//
//   Loss       [worker] double loss(int64_t example, Labels truth, Labels guess), or without the
//              example
//
//   Oracle     [worker] void argmax(const Query&, Answer&)
//
//   MapSolver  [worker] void solve(const MapQuery&, Answer&); optional, what graphs it requires:
//              std::uint32_t demands() const, one set of classes, called once after construction;
//              or std::span<const std::uint32_t> demands() const, several, valid as long as the
//              object; std::uint32_t frontier_demands() const, what its frontier requires besides
#pragma once

#include "reading.hpp"
#include "worker_extensions.hpp"

namespace sculpt {

namespace detail {

// The methods that a dataset needs. The static_asserts below name them in an error.
template <class T>
concept DatasetClass = requires(T& t, const T& c, std::string_view split, const Source& source) {
  t.load(split, source);
  { c.count() } -> std::convertible_to<std::int64_t>;
  { c.split(split) } -> std::convertible_to<Range>;
  { c.truth(std::int64_t{}) } -> std::convertible_to<Labels>;
};
template <class T>
inline constexpr sculpt_dataset_api dataset_api{
    [](void* self, const char* split, const sculpt_source* source, sculpt_error* error) {
      return guarded(error, "load", [&] {
        object_of<T>(self).load(split, Source(*source, static_cast<Instance<T>*>(self)->host));
        if constexpr (ScalesRows<T>) object_of<T>(self).scaled_rows().scale_new_rows();
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

template <class W>
concept FeaturesWorker = requires(W& w, Labels y, Sum& sum) {
  w.features(std::int64_t{}, y, sum);
};
template <class T>
concept FeaturesClass = worker_has<T, decltype([](FeaturesWorker auto&) {})>() &&
    requires(const T& t) {
  { t.dimension() } -> std::convertible_to<std::int64_t>;
};
template <class T>
inline constexpr sculpt_features_api features_api{
    [](const void* self, std::int64_t* out, sculpt_error* error) {
      return guarded(error, "dimension", [&] { *out = object_of<T>(self).dimension(); });
    },
    [](void* session, std::int64_t example, sculpt_labels y, double scale,
       sculpt_accumulator* accumulator, sculpt_error* error) {
      return guarded(error, "features", [&] {
        Sum sum(accumulator, scale);
        on_worker<T>(session, [&](FeaturesWorker auto& w) { w.features(example, Labels(y), sum); });
      });
    }};

// A loss that does not depend on the example.
template <class W>
concept PlainLossWorker = requires(W& w, Labels y) {
  { w.loss(y, y) } -> std::convertible_to<double>;
};
template <class W>
concept LossWorker = PlainLossWorker<W> || requires(W& w, Labels y) {
  { w.loss(std::int64_t{}, y, y) } -> std::convertible_to<double>;
};
template <class T>
concept LossClass = worker_has<T, decltype([](LossWorker auto&) {})>();
template <class T>
inline constexpr sculpt_loss_api loss_api{[](void* session, std::int64_t example,
                                             sculpt_labels truth, sculpt_labels guess, double* out,
                                             sculpt_error* error) {
  return guarded(error, "loss", [&] {
    *out = on_worker<T>(session, [&]<LossWorker W>(W& w) -> double {
      if constexpr (PlainLossWorker<W>) {
        return w.loss(Labels(truth), Labels(guess));
      } else {
        return w.loss(example, Labels(truth), Labels(guess));
      }
    });
    (void)example;
  });
}};

template <class W>
concept OracleWorker = requires(W& w, const Query& query, Answer& answer) {
  w.argmax(query, answer);
};
template <class T>
concept OracleClass = worker_has<T, decltype([](OracleWorker auto&) {})>();
template <class T>
inline constexpr sculpt_oracle_api oracle_api{
    [](void* session, const sculpt_query* query, sculpt_answer* out, sculpt_error* error) {
      return guarded(error, "argmax", [&] {
        Answer answer(out);
        on_worker<T>(session, [&](OracleWorker auto& w) { w.argmax(Query(*query), answer); });
      });
    }};

template <class W>
concept MapWorker = requires(W& w, const MapQuery& query, Answer& answer) {
  w.solve(query, answer);
};
template <class T>
concept MapSolverClass = worker_has<T, decltype([](MapWorker auto&) {})>();
template <class T>
inline constexpr sculpt_map_solver_api map_solver_api{
    [](const void* self, const std::uint32_t** out, std::int64_t* count, sculpt_error* error) {
      return guarded(error, "demands", [&] {
        std::span<const std::uint32_t> sets(&static_cast<const Instance<T>*>(self)->demands, 1);
        if constexpr (requires(const T& t) { t.demands(); } && !DemandsOneSet<T>) {
          sets = object_of<T>(self).demands();
        }
        *out = sets.data();
        *count = static_cast<std::int64_t>(sets.size());
      });
    },
    [](void* session, const sculpt_map_query* query, sculpt_answer* out, sculpt_error* error) {
      return guarded(error, "solve", [&] {
        Answer answer(out);
        on_worker<T>(session, [&](MapWorker auto& w) { w.solve(MapQuery(*query), answer); });
      });
    },
    [](const void* self, std::uint32_t* out, sculpt_error* error) {
      return guarded(error, "frontier_demands", [&] {
        *out = 0;
        if constexpr (requires(const T& t) { t.frontier_demands(); }) {
          *out = object_of<T>(self).frontier_demands();
        } else {
          (void)self;
        }
      });
    }};

// Returns the description of T as a component of this kind. `OwnershipPolicy` tells whether it owns
// its object.
template <class T, std::uint32_t kind, class OwnershipPolicy>
constexpr sculpt_component describe(const void* api) {
  constexpr bool metrics_allowed =
      std::same_as<OwnershipPolicy, Owner> || kind != SCULPT_KIND_DATASET;
  using OfferedExtensions = Extensions<T, kind, OwnershipPolicy::owns, metrics_allowed>;
  return {sizeof(sculpt_component),
          kind,
          T::about.traits,
          T::about.id,
          T::about.version,
          T::about.summary,
          T::about.reference,
          OwnershipPolicy::owns ? parameter_table<T>() : nullptr,
          OwnershipPolicy::owns ? parameter_count<T>() : 0,
          OfferedExtensions::ids.id,
          OfferedExtensions::count,
          &Life<T, OwnershipPolicy, OfferedExtensions::find>::table,
          api};
}

}  // namespace detail

// These make a class T a component. Use Dataset<T> and so on in SCULPT_PLUGIN (plugin.hpp). Use
// their member `component` to recognize the component with same_library().
template <class T>
struct Dataset {
  static_assert(detail::Described<T>,
                "a component class needs static constexpr sculpt::About about{...}");
  static_assert(detail::DatasetClass<T>,
                "a dataset class needs load(std::string_view split, const Source&), count() const, "
                "split(std::string_view) const and truth(std::int64_t) const");
  static constexpr sculpt_component component =
      detail::describe<T, SCULPT_KIND_DATASET, detail::Owner>(&detail::dataset_api<T>);
};
template <class T>
struct Features {
  static_assert(detail::Described<T>,
                "a component class needs static constexpr sculpt::About about{...}");
  static_assert(
      detail::FeaturesClass<T>,
      "a features class needs dimension() const and features(std::int64_t example, Labels, "
      "Sum&), const or in its Session");
  static constexpr sculpt_component component =
      detail::describe<T, SCULPT_KIND_FEATURES, detail::Owner>(&detail::features_api<T>);
};
template <class T>
struct Loss {
  static_assert(detail::Described<T>,
                "a component class needs static constexpr sculpt::About about{...}");
  static_assert(
      detail::LossClass<T>,
      "a loss class needs double loss(Labels truth, Labels guess), const or in its Session");
  static constexpr sculpt_component component =
      detail::describe<T, SCULPT_KIND_LOSS, detail::Owner>(&detail::loss_api<T>);
};
template <class T>
struct Oracle {
  static_assert(detail::Described<T>,
                "a component class needs static constexpr sculpt::About about{...}");
  static_assert(detail::OracleClass<T>,
                "an oracle class needs argmax(const Query&, Answer&), const or in its Session");
  static constexpr sculpt_component component =
      detail::describe<T, SCULPT_KIND_ORACLE, detail::Owner>(&detail::oracle_api<T>);
};
template <class T>
struct MapSolver {
  static_assert(detail::Described<T>,
                "a component class needs static constexpr sculpt::About about{...}");
  static_assert(
      detail::MapSolverClass<T>,
      "a map_solver class needs solve(const MapQuery&, Answer&), const or in its Session");
  static constexpr sculpt_component component =
      detail::describe<T, SCULPT_KIND_MAP_SOLVER, detail::Owner>(&detail::map_solver_api<T>);
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
