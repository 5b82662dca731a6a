// durable_file.hpp - files that are written completely or not at all.
//
// Called by model/, run/ and sweep/runs, for all files that may be read after a crash.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/file/file_descriptor.hpp"

namespace sculpt::core {

// A file that is first written as PATH.partial, and then renamed to PATH. Every function throws
// Failure(Exit::write_failed) if a call of the system fails. Without put_in_place() the partial
// file is removed.
class DurableFile {
 public:
  explicit DurableFile(std::filesystem::path path);
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile();

  void write(std::string_view bytes);
  void finish();  // waits until every byte is on the disk
  // Renames it to PATH and replaces an old file. Requires finish().
  void put_in_place();

 private:
  // Throws Failure(Exit::write_failed) with the text of errno, unless the call succeeded.
  void throw_unless(bool succeeded) const;

  std::filesystem::path path_;
  std::filesystem::path partial_;
  FileDescriptor file_;
  bool is_in_place_ = false;
};

// Writes a whole file: `parts` one after the other.
void write_durably(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace sculpt::core
