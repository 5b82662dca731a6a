// map_distribution.hpp - the draft extensions map-expectation, map-k-best and map-sample, for
// map_solvers that sum over all assignments, list the k best, or draw samples.
//
// SPDX-License-Identifier: Apache-2.0
//
// A map_solver class T has a Session with
//   double mean(const MapQuery&, double* mu)      log Z; mu[theta_size] = E[z]
//   void covariance_times(const MapQuery&, const double* direction, double* out)
//   void begin_k_best(const MapQuery&);   void next_best(Answer&)
//   double begin_sample(const MapQuery&);  void draw(std::uint64_t seed, LabelOutput&)
// and, with SCULPT_EXT_MAP_EXPECTATION, SCULPT_EXT_MAP_K_BEST and SCULPT_EXT_MAP_SAMPLE among its
// `extensions`,
//   const void* extension(const char* id) const { return sculpt::map_distribution_of<T>(id); }
// Not part of sculpt.hpp while the extensions are drafts.
#pragma once

#include <cstring>

#include "../ext/draft/expectation.h"
#include "../ext/draft/k_best.h"
#include "../ext/draft/sample.h"
#include "own_extensions.hpp"

namespace sculpt {

template <class T>
inline constexpr sculpt_ext_map_expectation map_expectation_table{
    [](void* session, const sculpt_map_query* query, double* log_z, double* mu,
       sculpt_error* error) {
      return guarded(error, "expectation",
                     [&] { *log_z = session_of<T>(session).mean(MapQuery(*query), mu); });
    },
    [](void* session, const sculpt_map_query* query, const double* direction, double* out,
       sculpt_error* error) {
      return guarded(error, "covariance_times", [&] {
        session_of<T>(session).covariance_times(MapQuery(*query), direction, out);
      });
    }};

template <class T>
inline constexpr sculpt_ext_map_k_best map_k_best_table{
    [](void* session, const sculpt_map_query* query, sculpt_error* error) {
      return guarded(error, "k_best",
                     [&] { session_of<T>(session).begin_k_best(MapQuery(*query)); });
    },
    [](void* session, sculpt_answer* out, sculpt_error* error) {
      return guarded(error, "k_best", [&] {
        Answer answer(out);
        session_of<T>(session).next_best(answer);
      });
    }};

template <class T>
inline constexpr sculpt_ext_map_sample map_sample_table{
    [](void* session, const sculpt_map_query* query, double* log_z, sculpt_error* error) {
      return guarded(error, "sample",
                     [&] { *log_z = session_of<T>(session).begin_sample(MapQuery(*query)); });
    },
    [](void* session, std::uint64_t seed, sculpt_label_buffer* out, sculpt_error* error) {
      return guarded(error, "sample", [&] {
        LabelOutput labels(out);
        session_of<T>(session).draw(seed, labels);
      });
    }};

template <class T>
const void* map_distribution_of(const char* id) {
  if (std::strcmp(id, SCULPT_EXT_MAP_EXPECTATION) == 0) return &map_expectation_table<T>;
  if (std::strcmp(id, SCULPT_EXT_MAP_K_BEST) == 0) return &map_k_best_table<T>;
  if (std::strcmp(id, SCULPT_EXT_MAP_SAMPLE) == 0) return &map_sample_table<T>;
  return nullptr;
}

}  // namespace sculpt
