// counts.hpp - losses that are functions of counts, and the frontiers of oracles and map_solvers.
//
// SPDX-License-Identifier: Apache-2.0
//
// Used by worker_extensions.hpp; extensions.hpp lists the methods. ext/count_loss.h and
// ext/frontier.h define the terms.
#pragma once

#include <array>
#include <limits>

#include "../ext/frontier.h"
#include "extensions.hpp"

namespace sculpt {

// The limit of a count if g depends on all its values.
inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();
// An entry of the table `counts` of a loss: counted("errors"). `name` is known to oracles. Counts
// above the limit have the same loss as the limit.
constexpr sculpt_count counted(const char* name, std::int64_t limit = unlimited) {
  return {name, limit, 0, 0};
}
// The score of counts that no output has.
inline constexpr double unattainable = -std::numeric_limits<double>::infinity();

// The query of a frontier: what is counted, and for which example or graph. It is valid until the
// sequence of calls ends (cursor.hpp).
class FrontierQuery {
 public:
  explicit FrontierQuery(const sculpt_frontier_query& raw) : raw_(&raw) {}

  std::span<const sculpt_count> counts() const { return {raw_->count, raw_->count_count}; }

  // For oracles only.
  Query query() const { return Query(*raw_->query); }

  // For map_solvers only: graph(), theta() [theta_size], and table() [theta_size] of each count.
  const sculpt_factor_graph& graph() const { return *raw_->map->graph; }
  std::span<const double> theta() const { return {raw_->map->theta, theta_size()}; }
  std::span<const std::int32_t> table(std::size_t count) const {
    return {raw_->tables[count], theta_size()};
  }

 private:
  std::size_t theta_size() const { return static_cast<std::size_t>(graph().theta_size); }

  const sculpt_frontier_query* raw_;
};

// The answer to begin_frontier(): the ranges of the counts.
class FrontierShape {
 public:
  explicit FrontierShape(sculpt_frontier_shape* raw) : raw_(raw) {
    raw_->flags = 0;
    resize(0);
  }
  // Counts are in [0, first) x [0, second). `second` is 1 if there is only one count.
  void resize(std::int64_t first, std::int64_t second = 1) {
    raw_->size[0] = first;
    raw_->size[1] = second;
  }
  // The example has no output.
  void no_output() { raw_->flags |= SCULPT_ANSWER_NO_OUTPUT; }
  // The truth is not among the outputs.
  void truth_outside() { raw_->flags |= SCULPT_ANSWER_TRUTH_OUTSIDE; }
  std::int64_t width() const { return raw_->size[1]; }

 private:
  sculpt_frontier_shape* raw_;
};

// Two counts. If there is only one, the second is 0.
using CountVector = std::array<std::int64_t, SCULPT_MOST_COUNTS>;

namespace detail {

// The [worker] method of ext/count_loss.h.
template <class W>
concept CountLossWorker = requires(W& w, Labels truth, std::span<const std::int64_t> counts) {
  { w.loss_of_counts(std::int64_t{}, truth, counts) } -> std::convertible_to<double>;
};
// Returns what T counts: the table T::counts, or counts() if it depends on parameters.
template <class T>
std::span<const sculpt_count> counts_of(const T& t) {
  if constexpr (requires { t.counts(); }) {
    return t.counts();
  } else {
    static_assert(std::size(T::counts) >= 1 && std::size(T::counts) <= SCULPT_MOST_COUNTS,
                  "a loss counts one or two things");
    return (void)t, T::counts;
  }
}
template <class T>
concept KnowsCounts = requires {
  std::size(T::counts);
}
|| requires(const T& t) {
  { t.counts() } -> std::convertible_to<std::span<const sculpt_count>>;
};
template <class T>
concept OffersCountLoss = worker_has<T, decltype([](CountLossWorker auto&) {})>() && KnowsCounts<T>;

// The [worker] method of a loss that is linear in its counts: fills slope[counts] and returns the
// constant.
template <class W>
concept CountSlopesWorker = requires(W& w, Labels truth, std::span<double> slope) {
  { w.count_slopes(std::int64_t{}, truth, slope) } -> std::convertible_to<double>;
};
template <class T>
constexpr auto count_slopes_function() {
  using Function = decltype(sculpt_ext_count_loss::slopes);
  if constexpr (worker_has<T, decltype([](CountSlopesWorker auto&) {})>()) {
    return Function{[](void* session, std::int64_t example, sculpt_labels truth, double* constant,
                       double* slope, sculpt_error* error) {
      return guarded(error, "count_slopes", [&] {
        const std::size_t size = counts_of(object_of_session<T>(session)).size();
        *constant = on_worker<T>(session, [&](CountSlopesWorker auto& w) -> double {
          return w.count_slopes(example, Labels(truth), {slope, size});
        });
      });
    }};
  } else {
    return Function{nullptr};
  }
}

template <class T>
inline constexpr sculpt_ext_count_loss count_loss_table{
    [](const void* self, const sculpt_count** counts, std::int64_t* count_count,
       sculpt_error* error) {
      return guarded(error, "counts", [&] {
        const std::span<const sculpt_count> counted = counts_of(object_of<T>(self));
        *counts = counted.data();
        *count_count = static_cast<std::int64_t>(counted.size());
      });
    },
    [](void* session, std::int64_t example, sculpt_labels truth, const std::int64_t* counts,
       double* out, sculpt_error* error) {
      return guarded(error, "loss_of_counts", [&] {
        const std::size_t size = counts_of(object_of_session<T>(session)).size();
        *out = on_worker<T>(session, [&](CountLossWorker auto& w) -> double {
          return w.loss_of_counts(example, Labels(truth), {counts, size});
        });
      });
    },
    count_slopes_function<T>()};

// The [worker] method of the extension factor-counts (ext/count_loss.h). Adds the counts of each
// cell to the tables.
template <class W>
concept FactorCountsWorker = requires(W& w, const sculpt_factor_graph& graph, Labels truth,
                                      std::span<std::int32_t* const> tables) {
  w.add_factor_counts(std::int64_t{}, graph, truth, tables);
};
template <class T>
concept OffersFactorCounts = OffersCountLoss<T> &&
    worker_has<T, decltype([](FactorCountsWorker auto&) {})>();
template <class T>
inline constexpr sculpt_ext_factor_counts factor_counts_table{
    [](const void* self, std::uint32_t* out, sculpt_error* error) {
      return guarded(error, "count_demands", [&] {
        if constexpr (requires(const T& t) { t.count_demands(); }) {
          *out = object_of<T>(self).count_demands();
        } else {
          (void)self, *out = 0;
        }
      });
    },
    [](void* session, std::int64_t example, const sculpt_factor_graph* graph, sculpt_labels truth,
       std::int32_t* const* tables, sculpt_error* error) {
      return guarded(error, "add_factor_counts", [&] {
        const std::size_t size = counts_of(object_of_session<T>(session)).size();
        on_worker<T>(session, [&](FactorCountsWorker auto& w) {
          w.add_factor_counts(example, *graph, Labels(truth), {tables, size});
        });
      });
    }};

// The [worker] methods of ext/frontier.h, which need a Session.
template <class W>
concept FrontierWorker = requires(W& w, const FrontierQuery& query, FrontierShape& shape,
                                  std::span<double> scores, CountVector counts, LabelOutput out) {
  w.begin_frontier(query, shape);
  w.frontier_slice(std::int64_t{}, scores);
  w.frontier_output(counts, out);
};
template <class T>
concept OffersFrontier = HasSession<T> && worker_has<T, decltype([](FrontierWorker auto&) {})>();
// For classes whose parameters decide whether there is a frontier.
template <class T>
concept MayOfferFrontier = requires(const T& t) {
  { t.offers_frontier() } -> std::convertible_to<bool>;
};

// The host allocates size[1] scores for a slice. The session keeps this width.
template <class T>
inline constexpr sculpt_ext_frontier frontier_table{
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
        instance->session.frontier_slice(
            first, {score, static_cast<std::size_t>(instance->frontier_width)});
      });
    },
    [](void* session, const std::int64_t* counts, sculpt_label_buffer* out, sculpt_error* error) {
      return guarded(error, "frontier_output", [&] {
        LabelOutput labels(out);
        static_cast<SessionInstance<T>*>(session)->session.frontier_output(
            CountVector{counts[0], counts[1]}, labels);
      });
    }};

// Features whose weights may have to be nonnegative.
template <class T>
concept OffersWeightBounds = requires(const T& t, std::span<std::uint8_t> nonnegative) {
  { t.bounds_weights() } -> std::convertible_to<bool>;
  t.weight_bounds(nonnegative);
};
template <class T>
inline constexpr sculpt_ext_weight_bounds weight_bounds_table{
    [](const void* self, std::uint8_t* nonnegative, sculpt_error* error) {
      return guarded(error, "weight_bounds", [&] {
        const T& features = object_of<T>(self);
        features.weight_bounds({nonnegative, static_cast<std::size_t>(features.dimension())});
      });
    }};

}  // namespace detail
}  // namespace sculpt
