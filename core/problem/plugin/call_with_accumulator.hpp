// call_with_accumulator.hpp - calls a plugin function that writes a feature vector into an
// accumulator of the host.
//
// Called by Features, the oracles and their expectations.
#pragma once

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// Clears `scratch` and calls write(accumulator, error), which returns a status. Throws
// Failure(exit) for indices out of range and for values that are not finite, before any other
// error. [worker]
template <class Write>
void call_with_accumulator(const Component& component, const char* function, std::int64_t example,
                           Exit exit, SparseAccumulator& scratch, const Write& write) {
  scratch.clear();
  ErrorBuffer error;
  const sculpt_status status = component.run_in_call_scope(
      function, example, [&] { return write(scratch.raw(), error.raw()); });
  const std::string fault = scratch.fault();
  if (!fault.empty()) component.refuse(exit, example, fault);
  if (status != SCULPT_OK) component.fail(status, error.text(), example);
}

}  // namespace sculpt::core
