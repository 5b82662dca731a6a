// replaced_file.hpp - files that several processes may write at once, each of them whole or not at
// all.
//
// Called by problem/cache. A DurableFile is for files that one process writes: its unfinished file
// has a fixed name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/file/file_descriptor.hpp"

namespace sculpt::core {

// A new file that put_in_place() gives its name. Until then it has no name, or on file systems
// without such files a name of its own. Every function throws Failure(Exit::write_failed) if a call
// of the system fails.
class ReplacedFile {
 public:
  explicit ReplacedFile(std::filesystem::path path);
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;
  ~ReplacedFile();

  void write(std::string_view bytes);  // at the end
  void write_at(std::int64_t offset, std::string_view bytes);
  // Waits until every byte is on the disk, and replaces the file PATH. The last call.
  void put_in_place();

 private:
  void throw_unless(bool succeeded) const;
  // Gives a file without a name one that nobody else uses.
  void name_file();

  std::filesystem::path path_;
  std::string unfinished_;  // its name; "": none
  FileDescriptor file_;
};

}  // namespace sculpt::core
