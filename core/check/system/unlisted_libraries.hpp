// unlisted_libraries.hpp - lists what libraries without a sidecar file offer, without loading them
// into this process.
//
// Each is loaded in a process of its own. So a broken library ends only that process, and the host
// keeps its single thread. Used by `sculpt check` to find components by name.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>

#include "registry/listing.hpp"

namespace sculpt::core {

// Stores the result of each library, so each is loaded only once.
class UnlistedLibraries {
 public:
  // `limit`: the seconds that loading a library may take.
  explicit UnlistedLibraries(double limit) : limit_(limit) {}

  // Loads the library at the first call for it. Throws Failure(Exit::plugin) if it is refused, ends
  // its process or takes too long; also in later calls. Requires that this process has one thread.
  const LibraryListing& list(const std::filesystem::path& file);

 private:
  using Result = std::variant<LibraryListing, std::string>;  // or why it cannot be used
  Result load(const std::filesystem::path& file) const;

  double limit_;
  std::map<std::filesystem::path, Result> results_;
};

}  // namespace sculpt::core
