// subject_finder.hpp - what `sculpt check` is asked about: an experiment, or a bare library.
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

// The file of the experiment that a word names: itself, or that of a run folder or its model.
std::string experiment_file(const std::string& word);
// What reports call that experiment: the name of the run folder, also for a config.json, else of
// the file without its end.
std::string experiment_title(const std::string& word);

// Finds what words and names mean. No library is loaded in this process for it; those on the search
// path that cannot be listed are warned of, once each.
class SubjectFinder {
 public:
  // `limit`: the seconds that a library may take to be listed.
  explicit SubjectFinder(double limit) : bare_(limit) {}
  SubjectFinder(const SubjectFinder&) = delete;
  SubjectFinder& operator=(const SubjectFinder&) = delete;

  // The library that a word names, absolute: a shared library by its path, a bare file name on the
  // search path, either with "#" and the name of a component of it, or such a name or that of a
  // library alone, which must mean one library. Nothing when it is meant as the file of an
  // experiment. Throws Failure.
  std::optional<std::filesystem::path> library_named(const std::string& word);

  // The experiment of a file, changed by the overrides. `title`: what reports call it. The finder
  // has to outlive it; throws Failure.
  CheckSubject file_subject(const JsonDocument& document, const std::vector<Override>& overrides,
                            const std::string& title);

  // The number-th tiny experiment that a library carries. Its components are looked for beside the
  // library first. The finder has to outlive it.
  CheckSubject carried_subject(const std::filesystem::path& library, const std::string& text,
                               std::size_t number);

 private:
  Registry::Settings with_care(Registry::Settings settings);
  std::optional<std::filesystem::path> library_at(const std::string& word);
  std::filesystem::path library_file(const std::string& word);
  LibraryListing listing_of(const std::filesystem::path& library);

  UnlistedLibraries bare_;
  std::set<std::string> warned_;
};

}  // namespace sculpt::core
