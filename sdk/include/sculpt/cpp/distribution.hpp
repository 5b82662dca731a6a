// distribution.hpp - oracles and map_solvers that sum over all outputs, list the k best, or draw
// samples: ext/expectation.h, ext/k_best.h, ext/sample.h.
//
// SPDX-License-Identifier: Apache-2.0
//
//   an oracle                                          a map_solver
//   LogZ mean(const Query&, Sum&)                      LogZ mean(const MapQuery&, double* mu)
//   void covariance_times(const Query&, Weights v,     void covariance_times(const MapQuery&,
//                         Sum&)                            const double* direction, double* out)
//   void begin_k_best(const Query&)                    void begin_k_best(const MapQuery&)
//   void next_best(Answer&)                            the same
//   double begin_sample(const Query&)                  double begin_sample(const MapQuery&)
//   void draw(std::uint64_t seed, LabelOutput&)        the same
//
// All are [worker], const or of the Session. mean() adds E[psi] to the sum, or sets mu[theta_size]
// = E[z]. It may return a double: an exact log Z. Used by offered.hpp.
//
// Other classes may use the names `mean` and `draw` for something else. The wrapper takes such a
// method for one of these if its signature fits, or if the class has `covariance_times` or
// `begin_sample`.
#pragma once

#include "../ext/expectation.h"
#include "../ext/k_best.h"
#include "../ext/sample.h"
#include "extensions.hpp"

namespace sculpt {

// log Z of a query: exact up to rounding, or an approximation.
struct LogZ {
  double value;
  bool is_exact = true;

  // NOLINTNEXTLINE(google-explicit-constructor): most methods return a number
  constexpr LogZ(double exact_value) : value(exact_value) {}
  static constexpr LogZ approximate(double value) {
    LogZ log_z(value);
    log_z.is_exact = false;
    return log_z;
  }
};

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

inline void set_log_z(const LogZ& log_z, sculpt_log_z* out) {
  out->value = log_z.value;
  out->flags = log_z.is_exact ? SCULPT_LOG_Z_EXACT : 0;
}

// An extension of two methods. `Common` has a name that classes use for other things, too.
template <std::uint32_t kind_set, class Common, class Distinct>
struct DistributionBy : Extension<kind_set, Methods<Common, Distinct>> {
  static constexpr std::uint32_t kinds_with_methods = kind_sets::any;
  template <class T>
  static constexpr bool is_offered() {
    if constexpr (find_method<Common, T>() != Finding::fits &&
                  find_method<Distinct, T>() == Finding::absent) {
      return false;
    } else {
      return offers_each<T>(Methods<Common, Distinct>());
    }
  }
};

struct OracleExpectation
    : DistributionBy<kind_sets::oracle, method::mean, method::covariance_times> {
  template <class T>
  static constexpr sculpt_ext_expectation table{
      [](void* session, const sculpt_query* query, sculpt_log_z* log_z, double scale,
         sculpt_accumulator* accumulator, sculpt_error* error) {
        return guarded(error, "expectation", [&] {
          Sum sum(accumulator, scale);
          set_log_z(worker_of<method::mean, T>(session).mean(Query(*query), sum), log_z);
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
    : DistributionBy<kind_sets::map_solver, method::map_mean, method::map_covariance_times> {
  template <class T>
  static constexpr sculpt_ext_map_expectation table{
      [](void* session, const sculpt_map_query* query, sculpt_log_z* log_z, double* mu,
         sculpt_error* error) {
        return guarded(error, "expectation", [&] {
          set_log_z(worker_of<method::map_mean, T>(session).mean(MapQuery(*query), mu), log_z);
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
  static constexpr std::uint32_t kinds_with_methods = kind_sets::oracle_or_map_solver;
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
struct SampleBy : DistributionBy<kind_set, method::draw, Begin> {
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

}  // namespace detail
}  // namespace sculpt
