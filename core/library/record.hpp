// record.hpp - reads the records of callers (sculpt/host/api.h): a field that a shorter record
// lacks has the value 0.
//
// Called by all functions of this folder that take a record.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/failure.hpp"
#include "library/guarded_call.hpp"

namespace sculpt::core {

// Returns a complete copy of the record. Throws Failure(Exit::usage) if it is NULL, or if its
// struct_size is none.
template <class Record>
Record complete_record(const Record* record, const char* function, const char* argument) {
  require_pointer(record, function, argument);
  const std::uint32_t size = record->struct_size;
  constexpr std::size_t most = 4096;  // larger than any record of later versions
  if (size < 2 * sizeof(std::uint32_t) || size > most) {
    throw Failure(Exit::usage, std::string(function) + ": " + argument + "->struct_size is " +
                                   std::to_string(size) + "; set it to the sizeof of the record (" +
                                   std::to_string(sizeof(Record)) + ")");
  }
  Record complete;
  std::memset(static_cast<void*>(&complete), 0, sizeof complete);
  std::memcpy(static_cast<void*>(&complete), record, std::min<std::size_t>(size, sizeof complete));
  complete.struct_size = static_cast<std::uint32_t>(sizeof complete);
  return complete;
}

// The same, but NULL stands for a record of zeros.
template <class Record>
Record record_or_zeros(const Record* record, const char* function, const char* argument) {
  return record == nullptr ? Record{} : complete_record(record, function, argument);
}

// Writes the fields of `complete` that the caller's record has. Its struct_size stays.
template <class Record>
void fill_record(const Record& complete, Record* record) {
  const std::uint32_t size = record->struct_size;
  std::memcpy(static_cast<void*>(record), &complete, std::min<std::size_t>(size, sizeof complete));
  record->struct_size = size;
}

// Sets the fields of an output record to 0, so that a failed call leaves no old pointers. Throws as
// complete_record().
template <class Record>
void clear_record(Record* record, const char* function, const char* argument) {
  complete_record(record, function, argument);
  fill_record(Record{}, record);
}

}  // namespace sculpt::core
