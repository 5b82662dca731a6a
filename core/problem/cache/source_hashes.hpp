// source_hashes.hpp - the hashes of the files that data are read from, without reading the files
// again at each start.
//
// A record file keeps the hash of each file with its stamp: size, times, inode, device. As long as
// the stamp is the same, so is the content. A file that was changed within the last seconds may
// change again without a new stamp, because times are coarse. So its hash is not recorded: git
// calls such an entry racy. The time of the last change of the inode (ctime) is part of the stamp,
// because copies may keep the time of the content (mtime).
//
// Held by DataCache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

namespace sculpt::core {

// What the system says of a regular file. Times in nanoseconds since 1970.
struct FileStamp {
  std::int64_t size = 0;
  std::int64_t modified = 0;
  std::int64_t changed = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;

  bool operator==(const FileStamp&) const = default;
  // Nothing changed the file in the two seconds before `now`, nor after it.
  bool is_settled(std::int64_t now) const;
};

// None: there is no such file, or it is no regular file.
std::optional<FileStamp> stamp_of(const std::string& path);

class SourceHashes {
 public:
  // `record`: its path.
  explicit SourceHashes(std::filesystem::path record) : record_(std::move(record)) { reload(); }

  // Takes from the record what it says of files that were not read here. A record that is damaged
  // costs only time.
  void reload();

  // The hash of the content, as file_hash() gives it. Reads the file only if its stamp is not that
  // of the record or of the last call. Throws as file_hash().
  std::string hash(const std::string& path, const std::string& advice = "; check the path");
  // True if the file is still as it was when hash() was called, by its stamp, and by its content if
  // it was changed shortly before. Requires hash().
  bool is_unchanged(const std::string& path);
  // From now on hash() returns what it returned last.
  void keep() { is_kept_ = true; }
  // Writes the record, if it says something new. Throws Failure(Exit::write_failed).
  void save();

  // How many files were read so far.
  std::int64_t files_read() const { return files_read_; }

 private:
  struct Entry {
    FileStamp stamp;
    std::string hash;
    bool is_settled = false;  // the stamp stands for the content
  };
  std::optional<Entry> read(const std::string& path, const std::string& advice);

  std::filesystem::path record_;
  std::map<std::string, Entry> entries_;  // by path
  bool is_kept_ = false;
  bool has_news_ = false;
  std::int64_t files_read_ = 0;
};

}  // namespace sculpt::core
