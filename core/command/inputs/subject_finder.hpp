// subject_finder.hpp - finds the subject of `sculpt check`: an experiment or a library.
//
// Called by check.cpp.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/check_run.hpp"
#include "check/system/unlisted_libraries.hpp"
#include "experiment/json_document.hpp"
#include "experiment/overrides.hpp"
#include "registry/registry.hpp"

namespace sculpt::core {

// The experiment file for a word: the file itself, or config.json of a run folder or of the folder
// of a model.
std::string experiment_file(const std::string& word);
// The name of that experiment in reports. It is the name of the run folder, also for a config.json,
// else the file name without its extension.
std::string experiment_title(const std::string& word);

// Finds what words and names mean. Loads no library in this process. Warns once for each library on
// the search path that cannot be listed.
class SubjectFinder {
 public:
  // `limit`: the time in seconds in which a library must be listed.
  explicit SubjectFinder(double limit) : unlisted_libraries_(limit) {}
  SubjectFinder(const SubjectFinder&) = delete;
  SubjectFinder& operator=(const SubjectFinder&) = delete;

  // The library that a word names, as an absolute path. A word can be the path of a shared library,
  // or a bare file name on the search path. Both can end with "#" and the name of one of its
  // components. A word can also be the name of a component or a library, if exactly one library
  // matches. Empty if the word names the file of an experiment. Throws Failure.
  std::optional<std::filesystem::path> find_library(const std::string& word);

  // The experiment of a file, with the overrides applied. `title`: its name in reports. The finder
  // must outlive the result. Throws Failure.
  CheckSubject experiment_subject(const JsonDocument& document,
                                  const std::vector<Override>& overrides, const std::string& title);

  // One of the tiny experiments inside a library; `position` counts from 0. Looks for its
  // components in the folder of the library first. The finder must outlive the result.
  CheckSubject embedded_subject(const std::filesystem::path& library, const std::string& text,
                                std::size_t position);

 private:
  // Settings that list libraries without a sidecar in processes of their own, and warn once.
  Registry::Settings safe_settings(Registry::Settings settings);
  // find_library() for a word without "#component".
  std::optional<std::filesystem::path> find_plain_library(const std::string& word);
  static std::optional<std::filesystem::path> find_named_library(Registry& registry,
                                                                 const std::string& name);
  LibraryListing listing_of(const std::filesystem::path& library);

  UnlistedLibraries unlisted_libraries_;
  std::set<std::string> printed_warnings_;
};

}  // namespace sculpt::core
