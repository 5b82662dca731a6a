// counts.hpp - losses that are functions of counts, and the frontiers of oracles and map_solvers.
//
// SPDX-License-Identifier: Apache-2.0
//
// Used by offered.hpp; extensions.hpp says what the methods do. ext/count_loss.h and ext/frontier.h
// define the terms.
#pragma once

#include <limits>

#include "extensions.hpp"

namespace sculpt {

// The limit of a count if g depends on all its values.
inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
// An entry of the table `counts` of a loss: counted("errors"). `name` is known to oracles. Counts
// above the limit have the same loss as the limit.
constexpr sculpt_count counted(const char* name, std::int64_t limit = unlimited) {
  return {name, limit, 0, 0};
}

namespace detail {

struct CountLoss
    : Extension<kind_sets::loss, Methods<method::loss_of_counts>, Methods<method::count_slopes>> {
  // Needs the list of counts as well as the methods.
  template <class T>
  static constexpr bool is_offered() {
    constexpr Finding in_list = list::counts::find<T>();
    if constexpr (has_any<T>(Methods<method::loss_of_counts, method::count_slopes,
                                     method::add_factor_counts>()) ||
                  in_list != Finding::absent) {
      const bool has_list = list::counts::check<T, required(in_list)>();
      offers<method::count_slopes, T>();
      return offers_required<method::loss_of_counts, T>() && has_list && check_size<T>();
    } else {
      return false;
    }
  }
  template <class T>
  static constexpr bool check_size() {
    if constexpr (list::counts::is_array<T>()) {
      constexpr std::size_t size = list::counts::array<T>().size();
      static_assert(size >= 1 && size <= SCULPT_MOST_COUNTS, "`counts` of a loss are one or two");
    }
    return true;
  }
  // Returns the number of counts.
  template <class T>
  static std::size_t size(void* session) {
    return list_of<list::counts>(object_of_session<T>(session)).size();
  }

  template <class T>
  static constexpr auto slopes_function() {
    using Function = decltype(sculpt_ext_count_loss::slopes);
    if constexpr (offers<method::count_slopes, T>()) {
      return Function{[](void* session, std::int64_t example, sculpt_labels truth, double* constant,
                         double* slope, sculpt_error* error) {
        return guarded(error, "count_slopes", [&] {
          const std::span<double> slopes(slope, size<T>(session));
          *constant = worker_of<method::count_slopes, T>(session).count_slopes(
              example, Labels(truth), slopes);
        });
      }};
    } else {
      return Function{nullptr};
    }
  }
  template <class T>
  static constexpr sculpt_ext_count_loss table{
      [](const void* self, const sculpt_count** counts, std::int64_t* count_count,
         sculpt_error* error) {
        return guarded(error, "counts", [&] {
          const std::span<const sculpt_count> list = list_of<list::counts>(object_of<T>(self));
          *counts = list.data();
          *count_count = static_cast<std::int64_t>(list.size());
        });
      },
      [](void* session, std::int64_t example, sculpt_labels truth, const std::int64_t* counts,
         double* out, sculpt_error* error) {
        return guarded(error, "loss_of_counts", [&] {
          const std::span<const std::int64_t> given(counts, size<T>(session));
          *out = worker_of<method::loss_of_counts, T>(session).loss_of_counts(example,
                                                                              Labels(truth), given);
        });
      },
      slopes_function<T>()};
};

struct FactorCounts : Extension<kind_sets::loss, Methods<method::add_factor_counts>,
                                Methods<method::count_demands>> {
  template <class T>
  static constexpr bool is_offered() {
    return Extension::is_offered<T>() && CountLoss::is_offered<T>();
  }
  template <class T>
  static constexpr sculpt_ext_factor_counts table{
      [](const void* self, std::uint32_t* out, sculpt_error* error) {
        return guarded(error, "count_demands", [&] {
          if constexpr (offers<method::count_demands, T>()) {
            *out = object_of<T>(self).count_demands();
          } else {
            (void)self, *out = 0;
          }
        });
      },
      [](void* session, std::int64_t example, const sculpt_factor_graph* graph, sculpt_labels truth,
         std::int32_t* const* tables, sculpt_error* error) {
        return guarded(error, "add_factor_counts", [&] {
          const std::span<std::int32_t* const> all(tables, CountLoss::size<T>(session));
          worker_of<method::add_factor_counts, T>(session).add_factor_counts(example, *graph,
                                                                             Labels(truth), all);
        });
      }};
};

struct Frontier
    : Extension<kind_sets::oracle_or_map_solver,
                Methods<method::begin_frontier, method::frontier_slice, method::frontier_output>,
                Methods<method::offers_frontier, method::frontier_demands>> {
  template <class T>
  static constexpr Switch<T> get_switch() {
    if constexpr (offers<method::offers_frontier, T>()) {
      return [](const T& t) -> bool { return t.offers_frontier(); };
    } else {
      return nullptr;
    }
  }
  // The host allocates size[1] scores for a slice. The session keeps this width.
  template <class T>
  static constexpr sculpt_ext_frontier table{
      [](void* session, const sculpt_frontier_query* query, sculpt_frontier_shape* out,
         sculpt_error* error) {
        return guarded(error, "begin_frontier", [&] {
          FrontierShape shape(out);
          auto* instance = static_cast<SessionInstance<T>*>(session);
          instance->session.begin_frontier(FrontierQuery(*query), shape);
          instance->frontier_width = shape.width();
        });
      },
      [](void* session, std::int64_t first, double* score, sculpt_error* error) {
        return guarded(error, "frontier_slice", [&] {
          auto* instance = static_cast<SessionInstance<T>*>(session);
          const auto width = static_cast<std::size_t>(instance->frontier_width);
          instance->session.frontier_slice(first, std::span<double>(score, width));
        });
      },
      [](void* session, const std::int64_t* counts, sculpt_label_buffer* out, sculpt_error* error) {
        return guarded(error, "frontier_output", [&] {
          LabelOutput labels(out);
          static_cast<SessionInstance<T>*>(session)->session.frontier_output(
              CountVector{counts[0], counts[1]}, labels);
        });
      }};
};

}  // namespace detail
}  // namespace sculpt
