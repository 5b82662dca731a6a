// complete.hpp - for oracles that find the best output that agrees with a partial truth.
//
// SPDX-License-Identifier: Apache-2.0
//
//   void complete(const Query& query, Answer& answer)     [worker], const or of Session
//
// query.truth is partial: -1 leaves a label free. ext/complete.h defines the answer. Used by
// worker_extensions.hpp; extensions.hpp lists the methods.
#pragma once

#include <algorithm>

#include "../ext/complete.h"
#include "extensions.hpp"

namespace sculpt {

// True if y has as many labels as the partial truth, and the same ones wherever that is not -1.
inline bool agrees(Labels y, Labels partial_truth) {
  return std::equal(
      y.begin(), y.end(), partial_truth.begin(), partial_truth.end(),
      [](std::int32_t label, std::int32_t given) { return given < 0 || label == given; });
}

namespace detail {

template <class W>
concept CompleteWorker = requires(W& w, const Query& query, Answer& answer) {
  w.complete(query, answer);
};
template <class T>
concept OffersComplete = worker_has<T, decltype([](CompleteWorker auto&) {})>();
// A method with this name but another signature would silently offer nothing.
template <class T>
concept MisdeclaresComplete =
    !OffersComplete<T> && (
                              requires { &T::complete; } || requires { &T::Session::complete; });
template <class T>
inline constexpr sculpt_ext_complete complete_table{
    [](void* session, const sculpt_query* query, sculpt_answer* out, sculpt_error* error) {
      return guarded(error, "complete", [&] {
        if (query->truth.data == nullptr || query->loss_weight != 0) {
          throw Error(SCULPT_E_INVALID, "complete() needs a truth and loss_weight 0");
        }
        Answer answer(out);
        on_worker<T>(session, [&](CompleteWorker auto& w) { w.complete(Query(*query), answer); });
      });
    }};

}  // namespace detail
}  // namespace sculpt
