// unlisted_libraries.hpp - what libraries without a sidecar offer, found without loading them here.
//
// Each is loaded in a process of its own: one that is broken breaks that alone, and one that starts
// threads leaves the host its one thread. Used by `sculpt check` to find components by name.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <variant>

#include "registry/listing.hpp"

namespace sculpt::core {

class UnlistedLibraries {
 public:
  // `limit`: the seconds that loading one may take.
  explicit UnlistedLibraries(double limit) : limit_(limit) {}

  // Loads it the first time it is asked for. Throws Failure(Exit::plugin), then and later, when it
  // is refused, ends its process, or takes too long. Requires that this process has one thread.
  const LibraryListing& list(const std::filesystem::path& file);

 private:
  using Known = std::variant<LibraryListing, std::string>;  // or why it cannot be used
  Known load(const std::filesystem::path& file) const;

  double limit_;
  std::map<std::filesystem::path, Known> known_;
};

}  // namespace sculpt::core
