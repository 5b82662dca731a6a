// example_places.hpp - the file and the line of each example.
//
// SPDX-License-Identifier: Apache-2.0
//
// For datasets that offer ext/draft/place.h with a method `std::string place(example) const`. A
// SiteStore contains one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stored_array.hpp"

namespace sculpt {

class ExamplePlaces {
 public:
  // The examples added next are in this file.
  void begin_file(std::string path) { files_.push_back({std::move(path), lines_.size()}); }
  // The next example begins in this line, counted from 1. 0 means unknown.
  void add(std::int64_t line) { lines_.own().push_back(line); }

  // All of it, for a cache (cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    std::vector<std::string> paths;
    std::vector<std::size_t> begins;
    for (const File& file : files_) {
      paths.push_back(file.path);
      begins.push_back(file.begin);
    }
    cache(paths, begins, lines_);
    files_.clear();
    for (std::size_t k = 0; k < paths.size(); ++k) files_.push_back({paths[k], begins[k]});
  }

  // Returns "train.txt:17", or "" if the place is unknown.
  std::string of(std::int64_t example) const {
    const auto i = static_cast<std::size_t>(example);
    if (example < 0 || i >= lines_.size() || lines_[i] == 0) return "";
    const File* file = nullptr;
    for (const File& candidate : files_) {
      if (candidate.begin <= i) file = &candidate;
    }
    if (file == nullptr || file->path.empty()) return "";
    return file->path + ":" + std::to_string(lines_[i]);
  }

 private:
  struct File {
    std::string path;
    std::size_t begin;  // its first example
  };
  std::vector<File> files_;
  StoredArray<std::int64_t> lines_;  // [examples]
};

}  // namespace sculpt
