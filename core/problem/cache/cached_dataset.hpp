// cached_dataset.hpp - a dataset that comes from a cache: finds or makes the file, on all ranks.
//
// Called by Problem.
#pragma once

#include <sculpt/ext/draft/cached_arrays.h>

#include <memory>
#include <string>
#include <vector>

#include "parallel/ranks/ranks.hpp"
#include "problem/cache/data_cache.hpp"
#include "problem/components/dataset.hpp"
#include "problem/plugin/component.hpp"
#include "problem/plugin/component_spec.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_cached_arrays> {
  static constexpr const char* id = SCULPT_EXT_CACHED_ARRAYS;
  static constexpr std::size_t required_functions = 2;
};

// The cache of a dataset, mapped and compared with its checksums.
class CachedDataset {
 public:
  explicit CachedDataset(std::unique_ptr<CacheFile> file) : file_(std::move(file)) {}

  // The state to restore the dataset with. None: it has none.
  std::optional<std::string> state() const;
  // Makes the examples of a component that is created and restored, in place of load(), and logs
  // what it logged when the sources were read.
  void read_into(Component& dataset) const;
  // All labels of all truths of the split "train" are known.
  bool has_whole_truths() const { return file_->header().value("whole_truths", false); }

  const CacheFile& file() const { return *file_; }

 private:
  std::unique_ptr<CacheFile> file_;
};

// What a dataset is made of when there is no cache yet.
struct CacheSources {
  const ComponentSpec& dataset;
  const std::vector<SplitSource>& splits;
  std::string remedy;                            // for values that are too large (dataset_rows.hpp)
  std::optional<std::filesystem::path> storage;  // as in ProblemSpec
};

// Finds the cache, or makes it, with notes and warnings to the log. With ranks, a few steps: the
// first rank of each machine makes a file that is missing there. Each rank compares a part with its
// checksums. nullptr: the run goes on without a cache. Throws what is wrong with the data. [main]
std::unique_ptr<CachedDataset> find_or_make(DataCache& cache, const CacheSources& sources,
                                            Services& services, Ranks* ranks);

}  // namespace sculpt::core
