#include "registry/sidecar_cache.hpp"

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <tuple>

#include "base/fork_safe_mutex.hpp"

namespace sculpt::core {
namespace {

// Equal stamps: the file is the same.
using Stamp = std::tuple<dev_t, ino_t, off_t, std::int64_t, std::int64_t>;

using Known = std::map<std::filesystem::path, std::pair<Stamp, LibraryListing>>;

// Guarded by fork_safe_mutex<Known>(). Never destroyed, as threads may search while the process
// exits.
Known& known_sidecars() {
  static auto& known = *new Known;
  return known;
}

std::optional<Stamp> stamp_of(const std::filesystem::path& file) {
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return Stamp{status.st_dev, status.st_ino, status.st_size,
               std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
               std::int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec};
}

}  // namespace

LibraryListing cached_sidecar(const std::filesystem::path& sidecar,
                              const std::function<LibraryListing()>& read) {
  const std::optional<Stamp> stamp = stamp_of(sidecar);
  if (!stamp) return read();
  {
    const std::lock_guard lock(fork_safe_mutex<Known>());
    const auto found = known_sidecars().find(sidecar);
    if (found != known_sidecars().end() && found->second.first == *stamp) {
      return found->second.second;
    }
  }
  LibraryListing listing = read();
  const std::lock_guard lock(fork_safe_mutex<Known>());
  known_sidecars().insert_or_assign(sidecar, std::pair(*stamp, listing));
  return listing;
}

}  // namespace sculpt::core
