// worker_extensions.hpp - the [worker] part of extensions.hpp: factor graphs, metrics, enumeration.
// Also decides which of all extensions a class offers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "batch_argmax.hpp"
#include "column_scale.hpp"
#include "complete.hpp"
#include "counts.hpp"
#include "cuts.hpp"
#include "extensions.hpp"
#include "output_shape.hpp"

namespace sculpt::detail {

// The [worker] methods of ext/factor_graph.h.
template <class W>
concept GraphWorker = requires(W& w, std::int64_t i, Weights weights, double* theta,
                               const double* mu, Sum& sum) {
  { w.factor_graph(i) } -> std::convertible_to<const sculpt_factor_graph&>;
  w.potentials(i, weights, theta);
  w.pullback(i, mu, sum);
};
template <class T>
concept OffersFactorGraph = worker_has<T, decltype([](GraphWorker auto&) {})>() &&
    requires(const T& t) {
  { t.factor_classes() } -> std::convertible_to<std::uint32_t>;
};
template <class T>
inline constexpr sculpt_ext_factor_graph factor_graph_table{
    [](const void* self, std::uint32_t* out, sculpt_error* error) {
      return guarded(error, "factor_classes", [&] { *out = object_of<T>(self).factor_classes(); });
    },
    [](void* session, std::int64_t example, const sculpt_factor_graph** out, sculpt_error* error) {
      return guarded(error, "factor_graph", [&] {
        on_worker<T>(session, [&](GraphWorker auto& w) {
          const sculpt_factor_graph& graph = w.factor_graph(example);
          *out = &graph;
        });
      });
    },
    [](void* session, std::int64_t example, sculpt_weights weights, double* theta,
       sculpt_error* error) {
      return guarded(error, "potentials", [&] {
        on_worker<T>(session,
                     [&](GraphWorker auto& w) { w.potentials(example, Weights(weights), theta); });
      });
    },
    [](void* session, std::int64_t example, const double* mu, double scale,
       sculpt_accumulator* accumulator, sculpt_error* error) {
      return guarded(error, "pullback", [&] {
        Sum sum(accumulator, scale);
        on_worker<T>(session, [&](GraphWorker auto& w) { w.pullback(example, mu, sum); });
      });
    }};

// The [worker] method of the extension factor-loss (ext/factor_graph.h). Adds scale * Delta to
// theta and to the constant.
template <class W>
concept FactorLossWorker = requires(W& w, const sculpt_factor_graph& graph, Labels truth,
                                    double* theta, double& constant) {
  w.add_factor_loss(std::int64_t{}, graph, truth, 1.0, theta, constant);
};
template <class T>
concept OffersFactorLoss = worker_has<T, decltype([](FactorLossWorker auto&) {})>();
template <class T>
inline constexpr sculpt_ext_factor_loss factor_loss_table{
    [](const void* self, std::uint32_t* out, sculpt_error* error) {
      return guarded(error, "factor_demands", [&] {
        if constexpr (requires(const T& t) { t.factor_demands(); }) {
          *out = object_of<T>(self).factor_demands();
        } else {
          (void)self, *out = 0;
        }
      });
    },
    [](void* session, std::int64_t example, const sculpt_factor_graph* graph, sculpt_labels truth,
       double scale, double* theta, double* constant, sculpt_error* error) {
      return guarded(error, "add_factor_loss", [&] {
        on_worker<T>(session, [&](FactorLossWorker auto& w) {
          w.add_factor_loss(example, *graph, Labels(truth), scale, theta, *constant);
        });
      });
    }};

// The [worker] method of ext/metrics.h: adds one example to the sums.
template <class W>
concept MetricsWorker = requires(W& w, Labels truth, Labels guess, std::span<double> sums) {
  w.add_metrics(std::int64_t{}, truth, guess, sums);
};
// T::sum_count is a constant.
template <class T>
concept KnowsSumCount = requires {
  { T::sum_count } -> std::convertible_to<std::int64_t>;
};
// The number of sums depends on the data: t.sum_count().
template <class T>
concept CountsSums = requires(const T& t) {
  { t.sum_count() } -> std::convertible_to<std::int64_t>;
};
template <class T>
concept OffersMetrics = worker_has<T, decltype([](MetricsWorker auto&) {})>() &&
    (KnowsSumCount<T> || CountsSums<T>)&&requires(const T& t, std::span<const double> sums,
                                                  std::span<double> values) {
  std::size(T::metrics);
  t.finish_metrics(sums, values);
};
// Returns the number of sums of the metrics of T.
template <class T>
std::size_t metric_sums(const T& t) {
  if constexpr (CountsSums<T>) {
    return static_cast<std::size_t>(t.sum_count());
  } else {
    return (void)t, static_cast<std::size_t>(T::sum_count);
  }
}
template <class T>
inline constexpr sculpt_ext_metrics metrics_table{
    [](const void* self, const sculpt_metric** metrics, std::int64_t* metric_count,
       std::int64_t* sum_count, sculpt_error* error) {
      return guarded(error, "metrics", [&] {
        *metrics = T::metrics;
        *metric_count = static_cast<std::int64_t>(std::size(T::metrics));
        *sum_count = static_cast<std::int64_t>(metric_sums(object_of<T>(self)));
      });
    },
    [](void* session, std::int64_t example, sculpt_labels truth, sculpt_labels guess, double* sums,
       sculpt_error* error) {
      return guarded(error, "add_metrics", [&] {
        const std::span<double> sum_span(sums, metric_sums(object_of_session<T>(session)));
        on_worker<T>(session, [&](MetricsWorker auto& w) {
          w.add_metrics(example, Labels(truth), Labels(guess), sum_span);
        });
      });
    },
    [](const void* self, const double* sums, double* values, sculpt_error* error) {
      return guarded(error, "finish_metrics", [&] {
        const T& object = object_of<T>(self);
        object.finish_metrics(std::span<const double>(sums, metric_sums(object)),
                              std::span<double>(values, std::size(T::metrics)));
      });
    }};

// The [worker] method of ext/enumerate.h.
template <class W>
concept EnumerateWorker = requires(W& w, Visit visit) {
  { w.enumerate(std::int64_t{}, std::int64_t{}, visit) } -> std::convertible_to<std::int64_t>;
};
template <class T>
concept OffersEnumerate = worker_has<T, decltype([](EnumerateWorker auto&) {})>();
template <class T>
inline constexpr sculpt_ext_enumerate enumerate_table{
    [](void* session, std::int64_t example, std::int64_t limit, sculpt_visit visit, void* context,
       std::int64_t* count, sculpt_error* error) {
      return guarded(error, "enumerate", [&] {
        *count = on_worker<T>(session, [&](EnumerateWorker auto& w) -> std::int64_t {
          return w.enumerate(example, limit, Visit(visit, context));
        });
      });
    }};

// A method with the name of an extension but another signature would silently offer nothing.
template <class T>
concept MisdeclaresNames = !OffersNames<T> && requires {
  &T::weight_name;
};
template <class T>
concept MisdeclaresExampleWeights = !OffersExampleWeights<T> && requires {
  &T::example_weight;
};
template <class T>
concept MisdeclaresMetrics = !OffersMetrics<T> && requires {
  &T::add_metrics;
};
template <class T>
concept MisdeclaresFrontier = !OffersFrontier<T> && requires {
  &T::Session::begin_frontier;
};

// The extensions that T offers as a component of this kind, with their tables. In a task, the part
// that owns the object (`owner`) offers the state, and the loss offers the metrics.
template <class T, std::uint32_t kind, bool owner, bool metrics_allowed>
struct Extensions {
  static_assert(!MisdeclaresState<T>,
                "state needs both void save(StateWriter&) const and void restore(StateReader&)");
  static_assert(kind != SCULPT_KIND_FEATURES || !MisdeclaresNames<T>,
                "names need void weight_name(std::int64_t weight, ByteOutput&) const");
  static_assert(kind != SCULPT_KIND_DATASET || !MisdeclaresExampleWeights<T>,
                "example weights need double example_weight(std::int64_t example) const");
  static_assert((kind != SCULPT_KIND_DATASET && kind != SCULPT_KIND_FEATURES) ||
                    !MisdeclaresOutputShape<T>,
                "the shape of outputs needs sculpt::OutputShape output_shape(std::int64_t example) "
                "const");
  static_assert(kind != SCULPT_KIND_LOSS || !MisdeclaresMetrics<T>,
                "metrics need metrics[], sum_count, add_metrics(example, truth, guess, sums) and "
                "finish_metrics(sums, values)");
  static_assert((kind != SCULPT_KIND_ORACLE && kind != SCULPT_KIND_MAP_SOLVER) ||
                    !MisdeclaresFrontier<T>,
                "a frontier needs begin_frontier(const FrontierQuery&, FrontierShape&), "
                "frontier_slice(first, span<double>) and frontier_output(CountVector, "
                "LabelOutput&)");
  static_assert(kind != SCULPT_KIND_FEATURES || !MisdeclaresWeightColumn<T>,
                "weight columns need std::int64_t weight_column(std::int64_t weight) const");
  static_assert(kind != SCULPT_KIND_ORACLE || !MisdeclaresComplete<T>,
                "complete needs void complete(const Query&, Answer&), const or in its Session");
  static_assert(kind != SCULPT_KIND_ORACLE || !MisdeclaresBatch<T>,
                "answers in batches need void argmax_batch(sculpt::Batch&), const or in its "
                "Session");
  static constexpr bool is_dataset = kind == SCULPT_KIND_DATASET;
  static constexpr bool is_features = kind == SCULPT_KIND_FEATURES;
  static constexpr bool is_loss = kind == SCULPT_KIND_LOSS;
  static constexpr bool is_oracle = kind == SCULPT_KIND_ORACLE;
  static constexpr bool is_map_solver = kind == SCULPT_KIND_MAP_SOLVER;

  // Calls visit(id, table) for each extension.
  template <class VisitTable>
  static constexpr void each(VisitTable visit) {
    if constexpr (owner && (OffersState<T> || ScalesRows<T>))
      visit(SCULPT_EXT_STATE, &state_table<T>);
    if constexpr (is_dataset && OffersSites<T>) visit(SCULPT_EXT_SITES, &sites_table<T>);
    if constexpr (is_dataset && ScalesRows<T>) visit(SCULPT_EXT_WIDTH, &width_table<T>);
    if constexpr (is_dataset && ScalesRows<T>) {
      visit(SCULPT_EXT_COLUMN_SCALE, &column_scale_table<T>);
    }
    if constexpr (is_dataset && OffersPlace<T>) visit(SCULPT_EXT_PLACE, &place_table<T>);
    if constexpr (is_dataset && OffersExampleWeights<T>) {
      visit(SCULPT_EXT_EXAMPLE_WEIGHTS, &example_weights_table<T>);
    }
    if constexpr (is_dataset && OffersLabelText<T>) {
      visit(SCULPT_EXT_LABEL_TEXT, &label_text_table<T>);
    }
    if constexpr ((is_dataset || is_features) && OffersOutputShape<T>) {
      visit(SCULPT_EXT_OUTPUT_SHAPE, &output_shape_table<T>);
    }
    if constexpr (is_features && OffersNames<T>) visit(SCULPT_EXT_NAMES, &names_table<T>);
    if constexpr (is_features && OffersWeightColumn<T>) {
      visit(SCULPT_EXT_WEIGHT_COLUMN, &weight_column_table<T>);
    }
    if constexpr (is_features && OffersFactorGraph<T>) {
      visit(SCULPT_EXT_FACTOR_GRAPH, &factor_graph_table<T>);
    }
    if constexpr (is_loss && OffersFactorLoss<T>) {
      visit(SCULPT_EXT_FACTOR_LOSS, &factor_loss_table<T>);
    }
    if constexpr ((is_dataset || is_loss) && metrics_allowed && OffersMetrics<T>) {
      visit(SCULPT_EXT_METRICS, &metrics_table<T>);
    }
    if constexpr ((is_features || is_oracle) && OffersEnumerate<T>) {
      visit(SCULPT_EXT_ENUMERATE, &enumerate_table<T>);
    }
    if constexpr (is_loss && OffersCountLoss<T>) visit(SCULPT_EXT_COUNT_LOSS, &count_loss_table<T>);
    if constexpr (is_loss && OffersFactorCounts<T>) {
      visit(SCULPT_EXT_FACTOR_COUNTS, &factor_counts_table<T>);
    }
    if constexpr ((is_oracle || is_map_solver) && OffersFrontier<T>) {
      visit(SCULPT_EXT_FRONTIER, &frontier_table<T>);
    }
    if constexpr (is_oracle && OffersBatch<T>)
      visit(SCULPT_EXT_BATCH_ARGMAX, &batch_argmax_table<T>);
    if constexpr (is_oracle && OffersComplete<T>) visit(SCULPT_EXT_COMPLETE, &complete_table<T>);
    if constexpr (is_oracle && OffersCut<T>) visit(SCULPT_EXT_CUT, &cut_table<T>);
    if constexpr (is_map_solver && OffersMapCut<T>) visit(SCULPT_EXT_MAP_CUT, &map_cut_table<T>);
    if constexpr (is_features && OffersWeightBounds<T>) {
      visit(SCULPT_EXT_WEIGHT_BOUNDS, &weight_bounds_table<T>);
    }
  }

  // Returns nullptr also if T::extension throws, because there is no status to return.
  static const void* find(const void* self, const char* id) noexcept try {
    const void* found = nullptr;
    each([&](const char* known, const void* table) {
      if (std::strcmp(id, known) == 0) found = table;
    });
    // A part of a task has no object before bind().
    const T* const object = static_cast<const Instance<T>*>(self)->object;
    if constexpr (is_features && OffersWeightBounds<T>) {
      const bool bounds = found == &weight_bounds_table<T>;
      if (bounds && (object == nullptr || !object->bounds_weights())) return nullptr;
    }
    if constexpr ((is_oracle || is_map_solver) && MayRelax<T>) {
      const bool cut = std::strcmp(id, is_oracle ? SCULPT_EXT_CUT : SCULPT_EXT_MAP_CUT) == 0;
      if (cut && (object == nullptr || !object->relaxes())) return nullptr;
    }
    if constexpr ((is_oracle || is_map_solver) && OffersFrontier<T> && MayOfferFrontier<T>) {
      const bool frontier = std::strcmp(id, SCULPT_EXT_FRONTIER) == 0;
      if (frontier && (object == nullptr || !object->offers_frontier())) return nullptr;
    }
    if constexpr (requires(const T& t) { t.extension(id); }) {
      if (found == nullptr && object != nullptr) found = object->extension(id);
    }
    return (void)object, found;
  } catch (...) {
    return nullptr;
  }

  // The number of T::extensions: drafts and private extensions (own_extensions.hpp).
  static constexpr std::int64_t own_count() {
    if constexpr (requires { std::size(T::extensions); }) {
      return static_cast<std::int64_t>(std::size(T::extensions));
    } else {
      return 0;
    }
  }
  // The number of all extensions, T::extensions included.
  static constexpr std::int64_t count = [] {
    std::int64_t n = own_count();
    each([&n](const char*, const void*) { ++n; });
    return n;
  }();
  struct Ids {
    const char* id[count > 0 ? count : 1] = {};
  };
  static constexpr Ids ids = [] {
    Ids result;
    std::int64_t n = 0;
    each([&](const char* id, const void*) { result.id[n++] = id; });
    if constexpr (own_count() > 0) {
      for (const char* id : T::extensions) result.id[n++] = id;
    }
    return result;
  }();
};

}  // namespace sculpt::detail
