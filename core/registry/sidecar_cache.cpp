#include "registry/sidecar_cache.hpp"

#include <pthread.h>
#include <sys/stat.h>

#include <map>
#include <mutex>
#include <tuple>

namespace sculpt::core {
namespace {

// Equal stamps: the file is the same.
using Stamp = std::tuple<dev_t, ino_t, off_t, std::int64_t, std::int64_t>;

struct Cache {
  std::mutex mutex;
  std::map<std::filesystem::path, std::pair<Stamp, LibraryListing>> read;
};

// Never destroyed, as threads may search while the process exits. A child process must not inherit
// it locked by another thread of its parent.
Cache& cache() {
  static auto& known = *new Cache;
  static const int registered = pthread_atfork(
      [] { cache().mutex.lock(); }, [] { cache().mutex.unlock(); }, [] { cache().mutex.unlock(); });
  static_cast<void>(registered);
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
  Cache& known = cache();
  {
    const std::lock_guard lock(known.mutex);
    const auto found = known.read.find(sidecar);
    if (found != known.read.end() && found->second.first == *stamp) return found->second.second;
  }
  LibraryListing listing = read();
  const std::lock_guard lock(known.mutex);
  known.read.insert_or_assign(sidecar, std::pair(*stamp, listing));
  return listing;
}

}  // namespace sculpt::core
