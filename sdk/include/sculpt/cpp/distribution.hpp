// distribution.hpp - the draft extensions of oracles and map_solvers that sum over all outputs,
// list the k best, or draw samples: Expectation, KBest, Sample.
//
// SPDX-License-Identifier: Apache-2.0
//
//   using drafts = sculpt::Drafts<sculpt::Expectation, sculpt::KBest, sculpt::Sample>;
//
// lists those that a class offers, by these methods, const or of its Session:
//
//   an oracle                                          a map_solver
//   double mean(const Query&, Sum&)                    double mean(const MapQuery&, double* mu)
//   void covariance_times(const Query&, Weights v,     void covariance_times(const MapQuery&,
//                         Sum&)                            const double* direction, double* out)
//   void begin_k_best(const Query&)                    void begin_k_best(const MapQuery&)
//   void next_best(Answer&)                            the same
//   double begin_sample(const Query&)                  double begin_sample(const MapQuery&)
//   void draw(std::uint64_t seed, LabelOutput&)        the same
//
// mean() returns log Z and adds E[psi] to the sum, or sets mu[theta_size] = E[z]. The headers in
// ext/draft define the rest. Not part of sculpt.hpp while the extensions are drafts.
#pragma once

#include "../ext/draft/expectation.h"
#include "../ext/draft/k_best.h"
#include "../ext/draft/sample.h"
#include "drafts.hpp"

namespace sculpt {

namespace detail {

template <>
inline constexpr const char* extension_id<sculpt_ext_expectation> = SCULPT_EXT_EXPECTATION;
template <>
inline constexpr const char* extension_id<sculpt_ext_k_best> = SCULPT_EXT_K_BEST;
template <>
inline constexpr const char* extension_id<sculpt_ext_sample> = SCULPT_EXT_SAMPLE;
template <>
inline constexpr const char* extension_id<sculpt_ext_map_expectation> = SCULPT_EXT_MAP_EXPECTATION;
template <>
inline constexpr const char* extension_id<sculpt_ext_map_k_best> = SCULPT_EXT_MAP_K_BEST;
template <>
inline constexpr const char* extension_id<sculpt_ext_map_sample> = SCULPT_EXT_MAP_SAMPLE;

struct OracleExpectation
    : Extension<kind_sets::oracle, Methods<method::mean, method::covariance_times>> {
  template <class T>
  static constexpr sculpt_ext_expectation table{
      [](void* session, const sculpt_query* query, double* log_z, double scale,
         sculpt_accumulator* accumulator, sculpt_error* error) {
        return guarded(error, "expectation", [&] {
          Sum sum(accumulator, scale);
          *log_z = worker_of<method::mean, T>(session).mean(Query(*query), sum);
        });
      },
      [](void* session, const sculpt_query* query, sculpt_weights v, double scale,
         sculpt_accumulator* accumulator, sculpt_error* error) {
        return guarded(error, "covariance_times", [&] {
          Sum sum(accumulator, scale);
          worker_of<method::covariance_times, T>(session).covariance_times(Query(*query),
                                                                           Weights(v), sum);
        });
      }};
};
struct MapExpectation
    : Extension<kind_sets::map_solver, Methods<method::map_mean, method::map_covariance_times>> {
  template <class T>
  static constexpr sculpt_ext_map_expectation table{
      [](void* session, const sculpt_map_query* query, double* log_z, double* mu,
         sculpt_error* error) {
        return guarded(error, "expectation", [&] {
          *log_z = worker_of<method::map_mean, T>(session).mean(MapQuery(*query), mu);
        });
      },
      [](void* session, const sculpt_map_query* query, const double* direction, double* out,
         sculpt_error* error) {
        return guarded(error, "covariance_times", [&] {
          worker_of<method::map_covariance_times, T>(session).covariance_times(MapQuery(*query),
                                                                               direction, out);
        });
      }};
};

// The k best and draws are the same for both kinds, except for the type of the query.
template <std::uint32_t kind_set, class Table, class Begin, class RawQuery, class TypedQuery>
struct KBestBy : Extension<kind_set, Methods<Begin, method::next_best>> {
  template <class T>
  static constexpr Table table{[](void* session, const RawQuery* query, sculpt_error* error) {
                                 return guarded(error, "k_best", [&] {
                                   worker_of<Begin, T>(session).begin_k_best(TypedQuery(*query));
                                 });
                               },
                               [](void* session, sculpt_answer* out, sculpt_error* error) {
                                 return guarded(error, "k_best", [&] {
                                   Answer answer(out);
                                   worker_of<method::next_best, T>(session).next_best(answer);
                                 });
                               }};
};
using OracleKBest =
    KBestBy<kind_sets::oracle, sculpt_ext_k_best, method::begin_k_best, sculpt_query, Query>;
using MapKBest = KBestBy<kind_sets::map_solver, sculpt_ext_map_k_best, method::begin_map_k_best,
                         sculpt_map_query, MapQuery>;

template <std::uint32_t kind_set, class Table, class Begin, class RawQuery, class TypedQuery>
struct SampleBy : Extension<kind_set, Methods<Begin, method::draw>> {
  template <class T>
  static constexpr Table table{
      [](void* session, const RawQuery* query, double* log_z, sculpt_error* error) {
        return guarded(error, "sample", [&] {
          *log_z = worker_of<Begin, T>(session).begin_sample(TypedQuery(*query));
        });
      },
      [](void* session, std::uint64_t seed, sculpt_label_buffer* out, sculpt_error* error) {
        return guarded(error, "sample", [&] {
          LabelOutput labels(out);
          worker_of<method::draw, T>(session).draw(seed, labels);
        });
      }};
};
using OracleSample =
    SampleBy<kind_sets::oracle, sculpt_ext_sample, method::begin_sample, sculpt_query, Query>;
using MapSample = SampleBy<kind_sets::map_solver, sculpt_ext_map_sample, method::begin_map_sample,
                           sculpt_map_query, MapQuery>;

// The extension of an oracle or of a map_solver, or void.
template <std::uint32_t kind, class OfOracle, class OfMapSolver>
using OfKind =
    std::conditional_t<kind == SCULPT_KIND_ORACLE, OfOracle,
                       std::conditional_t<kind == SCULPT_KIND_MAP_SOLVER, OfMapSolver, void>>;

}  // namespace detail

struct Expectation {
  template <std::uint32_t kind>
  using Of = detail::OfKind<kind, detail::OracleExpectation, detail::MapExpectation>;
};
struct KBest {
  template <std::uint32_t kind>
  using Of = detail::OfKind<kind, detail::OracleKBest, detail::MapKBest>;
};
struct Sample {
  template <std::uint32_t kind>
  using Of = detail::OfKind<kind, detail::OracleSample, detail::MapSample>;
};

}  // namespace sculpt
