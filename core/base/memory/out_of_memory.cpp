#include "base/memory/out_of_memory.hpp"

#include <limits>

#include "base/current_activity.hpp"
#include "base/memory/free_memory.hpp"
#include "base/memory/process_memory.hpp"

namespace sculpt::core {
namespace {

// The advice depends on what took the memory.
std::string advice() {
  if (current_activity.pass > 0) {
    return "\n  to use less memory: " + current_activity.memory_advice +
           "; fewer --threads\n  if the oracle takes much memory; or more memory (ulimit -v, the "
           "limit of the container)";
  }
  return "\n  to use less memory: a part of the data, fewer weights (the largest index of a "
         "feature counts),\n  fewer --threads; or more memory (ulimit -v, the limit of the "
         "container)";
}

std::string memory_figures() {
  const ProcessMemory memory = process_memory();
  const AddressSpace space = address_space();
  std::string text = "the process had " + memory_text(memory.peak) + " at most";
  if (space.limit < std::numeric_limits<std::int64_t>::max()) {
    text += ", ulimit -v allows " + memory_text(space.limit);
  }
  return text;
}

}  // namespace

Failure out_of_memory(const std::string& what, const std::string& more_advice) {
  const std::string activity = activity_text();
  const char* const preposition = current_activity.pass > 0 ? " in " : " while ";
  const std::string where = activity.empty() ? "" : preposition + activity;
  return {Exit::memory, what + where + "; " + memory_figures(), advice() + more_advice};
}

Failure with_memory_figures(const Failure& failure) {
  if (failure.exit_code() != Exit::memory || !failure.advice().empty()) return failure;
  return out_of_memory(failure.what());
}

}  // namespace sculpt::core
