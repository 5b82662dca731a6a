// literal_rows.hpp - arrays that are written in an experiment: {"train": {"arrays": {...}}}.
//
// Called by experiment.cpp. For small experiments that need no other file, such as those that
// `sculpt check` runs.
#pragma once

#include <memory>
#include <string>

#include "experiment/json_document.hpp"
#include "problem/components/memory_rows.hpp"

namespace sculpt::core {

// The keys are the fields of sculpt_memory_rows, as lists of numbers or names. The numbers of
// examples and sites follow from the lists. `name`: of the split. Throws Failure: Exit::config for
// unknown keys and wrong types, Exit::data as MemoryRows does.
std::shared_ptr<const MemoryRows> literal_rows(const JsonDocument& keys, const std::string& pointer,
                                               const std::string& name);

}  // namespace sculpt::core
