// check_subject.hpp - what `sculpt check` is asked about: an experiment, or a bare library.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "check/check_run.hpp"
#include "experiment/json_document.hpp"
#include "experiment/overrides.hpp"

namespace sculpt::core {

// The library that a word names, absolute: a shared library by its path, a bare file name on the
// search path, either with "#" and the name of a component of it, or such a name alone, which one
// library must have. Nothing when it is meant as the file of an experiment. Throws Failure.
std::optional<std::filesystem::path> library_named(const std::string& word);

// The file of the experiment that a word names: itself, or that of a run folder or its model.
std::string experiment_file(const std::string& word);

// The experiment of a file, changed by the overrides.
CheckSubject file_subject(const JsonDocument& document, const std::vector<Override>& overrides);

// The number-th tiny experiment that a library carries. Its components are looked for beside the
// library first.
CheckSubject carried_subject(const std::filesystem::path& library, const std::string& text,
                             std::size_t number);

}  // namespace sculpt::core
