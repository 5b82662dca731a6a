// memory_state.hpp - a state stream in memory, for tests of classes with save() and load().
#pragma once

#include <string>

#include "base/file/memory_state_reader.hpp"

namespace sculpt::core::test {

using MemoryReader = MemoryStateReader;

// Returns the bytes that an object saves.
template <class Object>
std::string saved(const Object& object) {
  StateBuffer buffer;
  object.save(buffer);
  return std::string(buffer.bytes());
}

}  // namespace sculpt::core::test
