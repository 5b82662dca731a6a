// call_with_accumulator.hpp - calls a plugin function that writes a feature vector into an
// accumulator of the host.
//
// Called by Features, the oracles and their expectations.
#pragma once

#include "problem/plugin/answer_buffers.hpp"
#include "problem/plugin/component.hpp"

namespace sculpt::core {

// Clears `scratch` and calls write(accumulator, error), which returns a status. Throws
// Failure(Exit::plugin) for indices out of range, and Failure(exit_for_values) for values that are
// not finite, before any other error. [worker]
template <class Write>
void call_with_accumulator(const Component& component, const char* function, std::int64_t example,
                           Exit exit_for_values, SparseAccumulator& scratch, const Write& write) {
  scratch.clear();
  ErrorBuffer error;
  const sculpt_status status = component.run_in_call_scope(
      function, example, [&] { return write(scratch.raw(), error.raw()); });
  const SparseAccumulator::Fault fault = scratch.first_fault();
  if (!fault.text.empty()) {
    component.refuse(fault.may_come_from_data ? exit_for_values : Exit::plugin, example,
                     fault.text);
  }
  if (status != SCULPT_OK) component.fail(status, error.text(), example);
}

}  // namespace sculpt::core
