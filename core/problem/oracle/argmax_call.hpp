// argmax_call.hpp - one call of argmax of a component, without checks of its answer.
//
// Called by ComponentOracle, and by the test oracle.batch of check.
#pragma once

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

// Requires an answer that is cleared. Throws Failure and Cancelled as Component::call(). [any], one
// thread at a time for each session
inline void call_argmax(const Component& oracle, void* session, const sculpt_query& query,
                        Answer& answer) {
  const LentQuery lent(oracle, query);
  FilledLabels labels(oracle, answer.raw()->labels);
  oracle.call("argmax", query.example, [&](sculpt_error* error) {
    return oracle.api<sculpt_oracle_api>().argmax(session, lent.raw(), answer.raw(), error);
  });
  labels.take();
  lent.require_unchanged();
}

}  // namespace sculpt::core
