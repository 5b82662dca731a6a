// cache_file.hpp - the file that holds the arrays of a dataset, and maps them.
//
//   prefix      56 bytes: magic, version, a number that shows the order of bytes, sizes, checksums
//   arrays      from byte 4096 on, each at a multiple of 64
//   checksums   of each block of the arrays (1 MiB), 8 bytes each
//   header      JSON: the identity, the places of the arrays, what was logged
//
// The prefix has a checksum of itself, and one of all behind the arrays. So a file that is
// truncated, or half of another one, is found when it is opened. The arrays are compared with their
// checksums by verify(), before they are used.
//
// Held by DataCache, which says when a file is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file/content_hash.hpp"
#include "base/file/file_descriptor.hpp"
#include "base/file/replaced_file.hpp"
#include "parallel/workers.hpp"

namespace sculpt::core {

// Writes a file, array by array. Throws Failure(Exit::write_failed). Without finish() there is no
// file.
class CacheFileWriter {
 public:
  explicit CacheFileWriter(const std::filesystem::path& path);

  // Arrays are numbered in the order of the calls.
  void add(std::string_view bytes);
  // `header`: an object, to which "arrays" is added.
  void finish(nlohmann::ordered_json header);

 private:
  void append(std::string_view bytes);
  void end_block();

  ReplacedFile file_;
  std::int64_t size_;          // so far
  std::int64_t in_block_ = 0;  // bytes of the block that is not full yet
  std::optional<ContentHash> block_{std::in_place};
  std::vector<std::uint64_t> checksums_;                             // of the full blocks
  nlohmann::ordered_json places_ = nlohmann::ordered_json::array();  // [[offset, size], ...]
};

struct CachePrefix;

// A file as it is mapped, read-only.
class CacheFile {
 public:
  CacheFile(const CacheFile&) = delete;
  CacheFile& operator=(const CacheFile&) = delete;
  ~CacheFile();

  // The file, or why it cannot be used, as the end of a sentence: "it is damaged". "": there is
  // none. Reads the prefix and what is behind the arrays.
  struct Opened {
    std::unique_ptr<CacheFile> file;  // nullptr: it cannot be used
    std::string obstacle;
  };
  static Opened open(const std::filesystem::path& path);

  const nlohmann::ordered_json& header() const { return header_; }
  // The arrays, in the order in which they were written. They live as long as this object.
  const std::vector<std::span<const char>>& arrays() const { return arrays_; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(size_); }
  const std::filesystem::path& path() const { return path_; }

  // Compares part `part` of `part_count` of each array with its checksums. Reads this part only,
  // and not through the mapping. Returns what is wrong, as above, "": nothing. [main]
  std::string verify(std::int64_t part, std::int64_t part_count, Workers& workers) const;

 private:
  CacheFile() = default;
  // What is wrong, or "".
  std::string read(const CachePrefix& prefix);
  std::string map();
  bool is_sound(std::int64_t block) const;

  std::filesystem::path path_;
  FileDescriptor file_;
  std::size_t size_ = 0;
  const char* memory_ = nullptr;  // [size_]
  nlohmann::ordered_json header_;
  std::vector<std::uint64_t> checksums_;
  std::int64_t arrays_end_ = 0;
  std::vector<std::span<const char>> arrays_;
};

}  // namespace sculpt::core
