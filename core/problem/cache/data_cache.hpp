// data_cache.hpp - the cache of the data of an experiment: the file that holds the arrays of its
// dataset, and when that file may be used.
//
// The name of the file follows from the dataset, its parameters and the paths of its sources. So a
// cache replaces one that is outdated. Its identity has all that decides its content: hashes of the
// sources and of the library, the parameters, the state that the dataset began with, and versions.
// A file with another identity is made anew.
//
// Nothing here ends a run: without a cache the dataset loads its sources.
//
// Made by launch/. Held by ProblemSpec and Training.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "problem/cache/cache_file.hpp"
#include "problem/cache/source_hashes.hpp"

namespace sculpt::core {

class DataCache {
 public:
  struct Place {
    std::filesystem::path folder;
    std::string name;  // of the file, without its end
  };
  // What decides about the content, without the hashes of the sources.
  struct Content {
    nlohmann::ordered_json identity;
    std::vector<std::string> sources;  // paths of all files that the dataset reads
  };
  DataCache(const Place& place, Content content);

  static constexpr const char* file_end = ".sculpt-cache";

  // The hash of a file, as file_hash() gives it; read only if it may have changed. Once open() or
  // make() has found a file, the hash of a source is that of the data in it.
  std::string hash(const std::string& path, const std::string& advice);

  // Maps the file, if it has this identity. nullptr: obstacle() says why; "": there is no file.
  // Does not compare the arrays with their checksums: see CacheFile::verify(). Throws Failure if a
  // source cannot be read.
  std::unique_ptr<CacheFile> open();
  const std::string& obstacle() const { return obstacle_; }

  // Makes the file: fill(writer) adds the arrays and returns the rest of the header. Throws Failure
  // of the system, and what `fill` throws. Refuses sources that change meanwhile
  // (Exit::write_failed).
  using Fill = std::function<nlohmann::ordered_json(CacheFileWriter&)>;
  void make(const Fill& fill);

  // From now on the hashes of the sources are those of the data that are used.
  void keep_hashes() { hashes_.keep(); }
  // Writes the hashes and stamps of the sources, for the next run. A failure costs only time.
  void save_hashes();

  const std::filesystem::path& path() const { return path_; }
  std::int64_t files_read() const { return hashes_.files_read(); }

 private:
  nlohmann::ordered_json whole_identity();

  std::filesystem::path path_;
  Content content_;
  SourceHashes hashes_;
  std::string obstacle_;
};

}  // namespace sculpt::core
