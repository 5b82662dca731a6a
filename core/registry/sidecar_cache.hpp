// sidecar_cache.hpp - sidecars that this process has read, so that each search for a plugin does
// not parse all of them again.
//
// Called by read_sidecar(). A program that predicts row by row searches as often. [any]
#pragma once

#include <filesystem>
#include <functional>

#include "registry/listing.hpp"

namespace sculpt::core {

// What `read` returned for this file, or calls it. A file with another size, time or inode is read
// again. Throws what `read` throws.
LibraryListing cached_sidecar(const std::filesystem::path& sidecar,
                              const std::function<LibraryListing()>& read);

}  // namespace sculpt::core
