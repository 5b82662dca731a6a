// worker_extensions.hpp - the extensions with [worker] methods: factor graphs, metrics,
// enumeration.
//
// SPDX-License-Identifier: Apache-2.0
//
// Used by offered.hpp; extensions.hpp says what the methods do.
#pragma once

#include "extensions.hpp"

namespace sculpt::detail {

struct FactorGraph
    : Extension<kind_sets::features, Methods<method::factor_classes, method::factor_graph,
                                             method::potentials, method::pullback>> {
  template <class T>
  static constexpr sculpt_ext_factor_graph table{
      [](const void* self, std::uint32_t* out, sculpt_error* error) {
        return guarded(error, "factor_classes",
                       [&] { *out = object_of<T>(self).factor_classes(); });
      },
      [](void* session, std::int64_t example, const sculpt_factor_graph** out,
         sculpt_error* error) {
        return guarded(error, "factor_graph", [&] {
          const sculpt_factor_graph& graph =
              worker_of<method::factor_graph, T>(session).factor_graph(example);
          *out = &graph;
        });
      },
      [](void* session, std::int64_t example, sculpt_weights weights, double* theta,
         sculpt_error* error) {
        return guarded(error, "potentials", [&] {
          worker_of<method::potentials, T>(session).potentials(example, Weights(weights), theta);
        });
      },
      [](void* session, std::int64_t example, const double* mu, double scale,
         sculpt_accumulator* accumulator, sculpt_error* error) {
        return guarded(error, "pullback", [&] {
          Sum sum(accumulator, scale);
          worker_of<method::pullback, T>(session).pullback(example, mu, sum);
        });
      }};
};

struct FactorLoss : Extension<kind_sets::loss, Methods<method::add_factor_loss>,
                              Methods<method::factor_demands>> {
  template <class T>
  static constexpr sculpt_ext_factor_loss table{
      [](const void* self, std::uint32_t* out, sculpt_error* error) {
        return guarded(error, "factor_demands", [&] {
          if constexpr (offers<method::factor_demands, T>()) {
            *out = object_of<T>(self).factor_demands();
          } else {
            (void)self, *out = 0;
          }
        });
      },
      [](void* session, std::int64_t example, const sculpt_factor_graph* graph, sculpt_labels truth,
         double scale, double* theta, double* constant, sculpt_error* error) {
        return guarded(error, "add_factor_loss", [&] {
          worker_of<method::add_factor_loss, T>(session).add_factor_loss(
              example, *graph, Labels(truth), scale, theta, *constant);
        });
      }};
};

struct Metrics
    : Extension<kind_sets::dataset_or_loss, Methods<method::add_metrics, method::finish_metrics>> {
  // Needs the list and the number of sums as well as the methods.
  template <class T>
  static constexpr bool is_offered() {
    constexpr Finding in_list = list::metrics::find<T>();
    if constexpr (has_any<T>(Required()) || in_list != Finding::absent) {
      constexpr Finding of_sums = constant::sum_count::find<T>();
      const bool has_list = list::metrics::check<T, required(in_list)>();
      const bool has_sums = constant::sum_count::check<T, required(of_sums)>();
      return offers_all<T>(Required(), Methods<>()) && has_list && has_sums;
    } else {
      return false;
    }
  }
  // Returns the number of sums of the metrics of an object.
  template <class T>
  static std::size_t sums(const T& t) {
    if constexpr (constant::sum_count::is_constant<T>()) {
      return (void)t, static_cast<std::size_t>(constant::sum_count::constant<T>());
    } else {
      return static_cast<std::size_t>(constant::sum_count::call(t));
    }
  }
  template <class T>
  static constexpr sculpt_ext_metrics table{
      [](const void* self, const sculpt_metric** metrics, std::int64_t* metric_count,
         std::int64_t* sum_count, sculpt_error* error) {
        return guarded(error, "metrics", [&] {
          const T& object = object_of<T>(self);
          const std::span<const sculpt_metric> list = list_of<list::metrics>(object);
          *metrics = list.data();
          *metric_count = static_cast<std::int64_t>(list.size());
          *sum_count = static_cast<std::int64_t>(sums(object));
        });
      },
      [](void* session, std::int64_t example, sculpt_labels truth, sculpt_labels guess, double* sum,
         sculpt_error* error) {
        return guarded(error, "add_metrics", [&] {
          const std::span<double> all(sum, sums(object_of_session<T>(session)));
          worker_of<method::add_metrics, T>(session).add_metrics(example, Labels(truth),
                                                                 Labels(guess), all);
        });
      },
      [](const void* self, const double* sum, double* values, sculpt_error* error) {
        return guarded(error, "finish_metrics", [&] {
          const T& object = object_of<T>(self);
          object.finish_metrics(std::span<const double>(sum, sums(object)),
                                std::span<double>(values, list_of<list::metrics>(object).size()));
        });
      }};
};

struct Enumerate : Extension<kind_sets::features_or_oracle, Methods<method::enumerate>> {
  template <class T>
  static constexpr sculpt_ext_enumerate table{
      [](void* session, std::int64_t example, std::int64_t limit, sculpt_visit visit, void* context,
         std::int64_t* count, sculpt_error* error) {
        return guarded(error, "enumerate", [&] {
          *count = worker_of<method::enumerate, T>(session).enumerate(example, limit,
                                                                      Visit(visit, context));
        });
      }};
};

}  // namespace sculpt::detail
