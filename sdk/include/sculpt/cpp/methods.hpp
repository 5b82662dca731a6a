// methods.hpp - the methods and lists of component classes, with their signatures.
//
// SPDX-License-Identifier: Apache-2.0
//
// A row is: the kinds of components that use the method, where it is a member (find_method.hpp),
// and its signature. A new method needs a row here and its name in Names. Without the name no class
// compiles, and without the row the SDK cannot call the method. What the methods do is in
// extensions.hpp and kinds.hpp.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "find_method.hpp"
#include "frontiers.hpp"
#include "refs.hpp"

namespace sculpt {

class Batch;
class Cut;
class KeptAtoms;
struct LogZ;
struct OutputShape;
struct RowBlocks;
class SiteStore;
class Source;
class StateReader;
class StateWriter;
class Visit;

namespace detail {

// The names that the SDK looks for.
struct Names {
  // clang-format off
  int Session;  // NOLINT(readability-identifier-naming): of a class
  int drafts, experiments, extensions, parameters, takes_other_features, takes_other_losses;
  int bind, check_bindings, extension, restore, save, seal;
  int count, example_weight, load, place, scaled_rows, split, truth;
  int feature_count, feature_name, sites, state_count, state_name, variable_count;
  int format, parse, item_of_label, items, edge_kind_count, edge_kind_name, edge_kinds;
  int dimension, features, output_shape;
  int row_blocks, weight_name, weight_column, bounds_weights, weight_bounds, weight_groups;
  int factor_classes, factor_graph, potentials, pullback;
  int offers_scores, score_columns, score_name, score_rows, score_rule, write_scores;
  int loss, add_factor_loss, factor_demands;
  int counts, loss_of_counts, count_slopes, add_factor_counts, count_demands;
  int metrics, sum_count, add_metrics, finish_metrics;
  int argmax, argmax_batch, solve, demands, complete, enumerate, cut, relaxes;
  int begin_frontier, frontier_slice, frontier_output, offers_frontier, frontier_demands;
  int mean, covariance_times, begin_k_best, next_best, begin_sample, draw;
  int claims, rows, diagonal, write_atom, keep, kept_rows;
  int explicit_width, explicit_name, explicit_row;
  // clang-format on
};
template <class T>
struct WithNames : T, Names {};

namespace kind_sets {
inline constexpr std::uint32_t dataset = bit_of(SCULPT_KIND_DATASET);
inline constexpr std::uint32_t features = bit_of(SCULPT_KIND_FEATURES);
inline constexpr std::uint32_t loss = bit_of(SCULPT_KIND_LOSS);
inline constexpr std::uint32_t oracle = bit_of(SCULPT_KIND_ORACLE);
inline constexpr std::uint32_t map_solver = bit_of(SCULPT_KIND_MAP_SOLVER);
inline constexpr std::uint32_t kernel = bit_of(SCULPT_KIND_KERNEL);
inline constexpr std::uint32_t dataset_or_features = dataset | features;
inline constexpr std::uint32_t dataset_or_loss = dataset | loss;
inline constexpr std::uint32_t features_or_oracle = features | oracle;
inline constexpr std::uint32_t oracle_or_map_solver = oracle | map_solver;
inline constexpr std::uint32_t any = ~std::uint32_t{0};
}  // namespace kind_sets

// The words of the messages.
#define SCULPT_WORDS_OF_dataset "a dataset"
#define SCULPT_WORDS_OF_features "features"
#define SCULPT_WORDS_OF_loss "a loss"
#define SCULPT_WORDS_OF_oracle "an oracle"
#define SCULPT_WORDS_OF_map_solver "a map_solver"
#define SCULPT_WORDS_OF_kernel "a kernel"
#define SCULPT_WORDS_OF_dataset_or_features "a dataset or features"
#define SCULPT_WORDS_OF_dataset_or_loss "a dataset or loss"
#define SCULPT_WORDS_OF_features_or_oracle "features or an oracle"
#define SCULPT_WORDS_OF_oracle_or_map_solver "an oracle or map_solver"
#define SCULPT_WORDS_OF_any "a component"
#define SCULPT_PLACE_OF_object "a public method of the class: "
#define SCULPT_PLACE_OF_mutable_object "a public method of the class: "
#define SCULPT_PLACE_OF_worker "a public method, const or of the Session: "
#define SCULPT_PLACE_OF_session "a public method of the Session: "
#define SCULPT_PLACE_OF_const_session SCULPT_PLACE_OF_session
#define SCULPT_END_OF_object " const"
#define SCULPT_END_OF_mutable_object ""
#define SCULPT_END_OF_worker ""
#define SCULPT_END_OF_session ""
#define SCULPT_END_OF_const_session " const"

// Defines is_named<T>(): whether T has a member with this name, public or not.
#define SCULPT_IS_NAMED(NAME)           \
  template <class T>                    \
  static constexpr bool is_named() {    \
    if constexpr (std::is_final_v<T>) { \
      return requires {                 \
        &T::NAME;                       \
      };                                \
    } else {                            \
      return !requires {                \
        &WithNames<T>::NAME;            \
      };                                \
    }                                   \
  }

// The members of the type of a method.
#define SCULPT_METHOD_BODY(KINDS, PLACE, RESULT, NAME, PARAMETERS)                            \
  using Signature = RESULT PARAMETERS;                                                        \
  static constexpr ::sculpt::detail::Where where = ::sculpt::detail::Where::PLACE;            \
  SCULPT_IS_NAMED(NAME)                                                                       \
  template <class C, class... A>                                                              \
  static auto call(C& c, A&&... a)->decltype(c.NAME(std::forward<A>(a)...));                  \
  template <class T, ::sculpt::detail::Finding finding>                                       \
  static constexpr bool check() {                                                             \
    static_assert(                                                                            \
        finding != ::sculpt::detail::Finding::misfit,                                         \
        "`" #NAME "` of " SCULPT_WORDS_OF_##KINDS " must be " SCULPT_PLACE_OF_##PLACE #RESULT \
        " " #NAME #PARAMETERS SCULPT_END_OF_##PLACE "; rename it if it is something else");   \
    static_assert(finding != ::sculpt::detail::Finding::missing,                              \
                  "`" #NAME "` of " SCULPT_WORDS_OF_##KINDS                                   \
                  " is missing, " SCULPT_PLACE_OF_##PLACE #RESULT                             \
                  " " #NAME #PARAMETERS SCULPT_END_OF_##PLACE);                               \
    return finding == ::sculpt::detail::Finding::fits;                                        \
  }                                                                                           \
  template <class T>                                                                          \
  static constexpr void refuse_kind() {                                                       \
    static_assert(sizeof(T) == 0, "`" #NAME "` is a method of " SCULPT_WORDS_OF_##KINDS       \
                  ", but SCULPT_PLUGIN lists this class as no such component");               \
  }

// A method, as the type method::TAG. TAG is its name, or another word if two kinds use one name.
#define SCULPT_METHOD_AS(TAG, KINDS, PLACE, RESULT, NAME, PARAMETERS) \
  struct TAG {                                                        \
    SCULPT_METHOD_BODY(KINDS, PLACE, RESULT, NAME, PARAMETERS)        \
  };
#define SCULPT_METHOD(KINDS, PLACE, RESULT, NAME, PARAMETERS) \
  SCULPT_METHOD_AS(NAME, KINDS, PLACE, RESULT, NAME, PARAMETERS)

namespace method {
// clang-format off

// Every kind.
SCULPT_METHOD(any, mutable_object, void, bind, (const Bindings& bindings))
SCULPT_METHOD(any, mutable_object, void, seal, ())
SCULPT_METHOD(any, object, void, save, (StateWriter& out))
SCULPT_METHOD(any, mutable_object, void, restore, (StateReader& in))
SCULPT_METHOD(any, object, const void*, extension, (const char* id))
SCULPT_METHOD(oracle, object, void, check_bindings, (const Bindings& bindings))

// Datasets.
SCULPT_METHOD(dataset, mutable_object, void, load, (std::string_view split, const Source& source))
SCULPT_METHOD(dataset, object, std::int64_t, count, ())
SCULPT_METHOD(dataset, object, Range, split, (std::string_view name))
SCULPT_METHOD(dataset, object, Labels, truth, (std::int64_t example))
SCULPT_METHOD(dataset, object, std::string, place, (std::int64_t example))
SCULPT_METHOD(dataset, object, double, example_weight, (std::int64_t example))
SCULPT_METHOD(dataset, mutable_object, SiteStore&, scaled_rows, ())
SCULPT_METHOD(dataset, object, void, format, (std::int64_t example, Labels y, ByteOutput& out))
SCULPT_METHOD(dataset, object, void, parse, (std::int64_t example, std::string_view text, LabelOutput& out))
SCULPT_METHOD(dataset, object, std::int64_t, feature_count, ())
SCULPT_METHOD(dataset, object, std::int32_t, state_count, ())
SCULPT_METHOD(dataset, object, std::int64_t, variable_count, ())
SCULPT_METHOD(dataset, object, sculpt_sites, sites, (std::int64_t example))
SCULPT_METHOD(dataset, object, void, state_name, (std::int32_t state, ByteOutput& out))
SCULPT_METHOD(dataset, object, void, feature_name, (std::int64_t feature, ByteOutput& out))
SCULPT_METHOD(dataset, object, void, items, (std::int64_t example, Labels y, std::vector<std::int64_t>& items))
SCULPT_METHOD(dataset, object, std::int64_t, item_of_label, (std::int64_t example, std::int64_t variable, std::int32_t state))
SCULPT_METHOD(dataset, object, std::int32_t, edge_kind_count, ())
SCULPT_METHOD(dataset, object, void, edge_kind_name, (std::int32_t kind, ByteOutput& out))
SCULPT_METHOD(dataset, object, const std::int32_t*, edge_kinds, (std::int64_t example))

// Features.
SCULPT_METHOD(features, object, std::int64_t, dimension, ())
SCULPT_METHOD(features, worker, void, features, (std::int64_t example, Labels y, Sum& sum))
SCULPT_METHOD(dataset_or_features, object, OutputShape, output_shape, (std::int64_t example))
SCULPT_METHOD(features, object, void, weight_name, (std::int64_t weight, ByteOutput& out))
SCULPT_METHOD(features, object, std::int64_t, weight_column, (std::int64_t weight))
SCULPT_METHOD(features, object, RowBlocks, row_blocks, ())
SCULPT_METHOD(features, object, bool, bounds_weights, ())
SCULPT_METHOD(features, object, void, weight_bounds, (std::span<std::uint8_t> nonnegative))
SCULPT_METHOD(features, object, void, weight_groups, (std::span<std::int32_t> group))
SCULPT_METHOD(features, object, std::uint32_t, factor_classes, ())
SCULPT_METHOD(features, worker, const sculpt_factor_graph&, factor_graph, (std::int64_t example))
SCULPT_METHOD(features, worker, void, potentials, (std::int64_t example, Weights w, double* theta))
SCULPT_METHOD(features, worker, void, pullback, (std::int64_t example, const double* mu, Sum& sum))
SCULPT_METHOD(features, object, bool, offers_scores, ())
SCULPT_METHOD(features, object, std::uint32_t, score_rule, ())
SCULPT_METHOD(features, object, std::int64_t, score_columns, ())
SCULPT_METHOD(features, object, void, score_name, (std::int64_t column, ByteOutput& out))
SCULPT_METHOD(features, object, std::int64_t, score_rows, (std::int64_t example))
SCULPT_METHOD(features, object, void, write_scores, (std::int64_t example, Weights w, std::span<double> scores))

// Losses.
SCULPT_METHOD_AS(plain_loss, loss, worker, double, loss, (Labels truth, Labels guess))
SCULPT_METHOD_AS(loss_of_example, loss, worker, double, loss, (std::int64_t example, Labels truth, Labels guess))
SCULPT_METHOD(loss, object, std::uint32_t, factor_demands, ())
SCULPT_METHOD(loss, worker, void, add_factor_loss, (std::int64_t example, const sculpt_factor_graph& graph, Labels truth, double scale, double* theta, double& constant))
SCULPT_METHOD(loss, worker, double, loss_of_counts, (std::int64_t example, Labels truth, std::span<const std::int64_t> counts))
SCULPT_METHOD(loss, worker, double, count_slopes, (std::int64_t example, Labels truth, std::span<double> slope))
SCULPT_METHOD(loss, object, std::uint32_t, count_demands, ())
SCULPT_METHOD(loss, worker, void, add_factor_counts, (std::int64_t example, const sculpt_factor_graph& graph, Labels truth, std::span<std::int32_t* const> tables))
SCULPT_METHOD(dataset_or_loss, worker, void, add_metrics, (std::int64_t example, Labels truth, Labels guess, std::span<double> sums))
SCULPT_METHOD(dataset_or_loss, object, void, finish_metrics, (std::span<const double> sums, std::span<double> values))

// Oracles and map_solvers.
SCULPT_METHOD(oracle, worker, void, argmax, (const Query& query, Answer& answer))
SCULPT_METHOD(oracle, worker, void, argmax_batch, (Batch& batch))
SCULPT_METHOD(map_solver, worker, void, solve, (const MapQuery& query, Answer& answer))
SCULPT_METHOD(map_solver, object, std::uint32_t, demands, ())
SCULPT_METHOD_AS(sets_of_demands, map_solver, object, std::span<const std::uint32_t>, demands, ())
SCULPT_METHOD(map_solver, object, std::uint32_t, frontier_demands, ())
SCULPT_METHOD(oracle, worker, void, complete, (const Query& query, Answer& answer))
SCULPT_METHOD(features_or_oracle, worker, std::int64_t, enumerate, (std::int64_t example, std::int64_t limit, const Visit& visit))
SCULPT_METHOD(oracle, worker, void, cut, (const Query& query, Sum& psi, Cut& out))
SCULPT_METHOD_AS(map_cut, map_solver, worker, void, cut, (const MapQuery& query, std::span<double> mu, Cut& out))
SCULPT_METHOD(oracle_or_map_solver, object, bool, relaxes, ())
SCULPT_METHOD(oracle_or_map_solver, session, void, begin_frontier, (const FrontierQuery& query, FrontierShape& shape))
SCULPT_METHOD(oracle_or_map_solver, session, void, frontier_slice, (std::int64_t first, std::span<double> scores))
SCULPT_METHOD(oracle_or_map_solver, session, void, frontier_output, (CountVector counts, LabelOutput& out))
SCULPT_METHOD(oracle_or_map_solver, object, bool, offers_frontier, ())

// Distributions of oracles and map_solvers.
SCULPT_METHOD(oracle, worker, LogZ, mean, (const Query& query, Sum& sum))
SCULPT_METHOD(oracle, worker, void, covariance_times, (const Query& query, Weights v, Sum& sum))
SCULPT_METHOD(oracle, worker, void, begin_k_best, (const Query& query))
SCULPT_METHOD(oracle, worker, double, begin_sample, (const Query& query))
SCULPT_METHOD_AS(map_mean, map_solver, worker, LogZ, mean, (const MapQuery& query, double* mu))
SCULPT_METHOD_AS(map_covariance_times, map_solver, worker, void, covariance_times, (const MapQuery& query, const double* direction, double* out))
SCULPT_METHOD_AS(begin_map_k_best, map_solver, worker, void, begin_k_best, (const MapQuery& query))
SCULPT_METHOD_AS(begin_map_sample, map_solver, worker, double, begin_sample, (const MapQuery& query))
SCULPT_METHOD(oracle_or_map_solver, worker, void, next_best, (Answer& answer))
SCULPT_METHOD(oracle_or_map_solver, worker, void, draw, (std::uint64_t seed, LabelOutput& out))

// Kernels.
SCULPT_METHOD(kernel, object, std::uint32_t, claims, ())
SCULPT_METHOD(kernel, worker, void, rows, (std::span<const std::int64_t> atoms, std::span<const std::int64_t> others, std::span<double> out))
SCULPT_METHOD(kernel, worker, void, diagonal, (std::span<const std::int64_t> atoms, std::span<double> out))
SCULPT_METHOD(kernel, object, void, write_atom, (std::int64_t atom, ByteOutput& out))
SCULPT_METHOD(kernel, mutable_object, void, keep, (const KeptAtoms& atoms))
SCULPT_METHOD(kernel, worker, void, kept_rows, (std::span<const std::int64_t> atoms, Range kept, std::span<double> out))
SCULPT_METHOD(kernel, object, std::int64_t, explicit_width, ())
SCULPT_METHOD(kernel, object, void, explicit_name, (std::int64_t column, ByteOutput& out))
SCULPT_METHOD(kernel, object, void, explicit_row, (std::int64_t atom, Sum& sum))

// clang-format on
}  // namespace method

}  // namespace detail
}  // namespace sculpt
