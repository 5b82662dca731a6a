// out_of_memory.hpp - what the host says when memory has run out.
//
//   sculpt: out of memory in pass 3; the process had 1234 MB at most, ulimit -v allows 1500 MB
//     to need less: ...
//
// Called by main(), by train, which knows of the checkpoint, and in the processes of check. Exit
// code 71.
#pragma once

#include <string>

#include "base/failure.hpp"

namespace sculpt::core {

// `what`: "out of memory", or what a component says of it. The figures are those of the process,
// the place is that of phase.hpp; a whole failure with its advice, to which `further` lines belong.
Failure out_of_memory(const std::string& what, const std::string& further = "");

// The same for what has failed for want of memory; any other failure as it is, and one that has
// been through here.
Failure with_memory_figures(const Failure& failure);

}  // namespace sculpt::core
