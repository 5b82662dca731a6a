// sealed_file.hpp - a model or a checkpoint in memory, with a path and a right checksum.
//
// The fuzzer makes the bytes but cannot find the checksum. Without a right one the host would
// refuse every input at once. Called by the targets for models and checkpoints.
#pragma once

#include <string>
#include <string_view>

namespace sculpt::core::fuzz {

// Input that begins with `magic` is the whole file without its checksum. Other input is a header, a
// NUL byte and the rest of the file. The header is padded with blanks to whole kilobytes, so the
// offsets of arrays stay right when it changes.
std::string sealed(std::string_view magic, std::string_view input);

// Holds bytes under a path that any reader can open.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const;

 private:
  int descriptor_;
};

}  // namespace sculpt::core::fuzz
