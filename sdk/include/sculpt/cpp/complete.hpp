// complete.hpp - for oracles that find the best output that agrees with a partial truth.
//
// SPDX-License-Identifier: Apache-2.0
//
//   void complete(const Query& query, Answer& answer)     [worker], const or of Session
//
// query.truth is partial: -1 leaves a label free. ext/complete.h defines the answer. Used by
// offered.hpp; extensions.hpp lists the methods.
#pragma once

#include <algorithm>

#include "extensions.hpp"

namespace sculpt {

// True if y has as many labels as the partial truth, and the same ones wherever that is not -1.
inline bool agrees(Labels y, Labels partial_truth) {
  return std::equal(
      y.begin(), y.end(), partial_truth.begin(), partial_truth.end(),
      [](std::int32_t label, std::int32_t given) { return given < 0 || label == given; });
}

namespace detail {

struct Completion : Extension<kind_sets::oracle, Methods<method::complete>> {
  template <class T>
  static constexpr sculpt_ext_complete table{
      [](void* session, const sculpt_query* query, sculpt_answer* out, sculpt_error* error) {
        return guarded(error, "complete", [&] {
          if (query->truth.data == nullptr || query->loss_weight != 0) {
            throw Error(SCULPT_E_INVALID, "complete() needs a truth and loss_weight 0");
          }
          Answer answer(out);
          worker_of<method::complete, T>(session).complete(Query(*query), answer);
        });
      }};
};

}  // namespace detail
}  // namespace sculpt
