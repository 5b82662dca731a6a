// oracle_tables.hpp - the draft extensions of ProgramOracle: expectation, k_best, sample. Used by
// oracle.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>

#include "../cpp/own_extensions.hpp"
#include "../ext/draft/expectation.h"
#include "../ext/draft/k_best.h"
#include "../ext/draft/sample.h"

namespace sculpt::program {

template <class Oracle>
inline constexpr sculpt_ext_expectation expectation_table{
    [](void* session, const sculpt_query* query, double* log_z, double scale,
       sculpt_accumulator* accumulator, sculpt_error* error) {
      return guarded(error, "expectation", [&] {
        Sum sum(accumulator, scale);
        *log_z = session_of<Oracle>(session).mean(Query(*query), sum);
      });
    },
    [](void* session, const sculpt_query* query, sculpt_weights v, double scale,
       sculpt_accumulator* accumulator, sculpt_error* error) {
      return guarded(error, "covariance_times", [&] {
        Sum sum(accumulator, scale);
        session_of<Oracle>(session).covariance_times(Query(*query), Weights(v), sum);
      });
    }};

template <class Oracle>
inline constexpr sculpt_ext_k_best k_best_table{
    [](void* session, const sculpt_query* query, sculpt_error* error) {
      return guarded(error, "k_best",
                     [&] { session_of<Oracle>(session).begin_k_best(Query(*query)); });
    },
    [](void* session, sculpt_answer* out, sculpt_error* error) {
      return guarded(error, "k_best", [&] {
        Answer answer(out);
        session_of<Oracle>(session).next_best(answer);
      });
    }};

template <class Oracle>
inline constexpr sculpt_ext_sample sample_table{
    [](void* session, const sculpt_query* query, double* log_z, sculpt_error* error) {
      return guarded(error, "sample",
                     [&] { *log_z = session_of<Oracle>(session).begin_sample(Query(*query)); });
    },
    [](void* session, std::uint64_t seed, sculpt_label_buffer* out, sculpt_error* error) {
      return guarded(error, "sample", [&] {
        LabelOutput labels(out);
        session_of<Oracle>(session).draw(seed, labels);
      });
    }};

// Returns the table of one of these extensions, or nullptr.
template <class Oracle>
const void* table_of(const char* id) {
  if (std::strcmp(id, SCULPT_EXT_EXPECTATION) == 0) return &expectation_table<Oracle>;
  if (std::strcmp(id, SCULPT_EXT_K_BEST) == 0) return &k_best_table<Oracle>;
  if (std::strcmp(id, SCULPT_EXT_SAMPLE) == 0) return &sample_table<Oracle>;
  return nullptr;
}

}  // namespace sculpt::program
