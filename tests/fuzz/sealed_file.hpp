// sealed_file.hpp - a model or a checkpoint in memory, with a path and a checksum that is right.
//
// Its bytes come from a fuzzer, which would not find the checksum: every change would end there.
#pragma once

#include <string>
#include <string_view>

namespace sculpt::core::fuzz {

// Input that begins with `magic` is the whole file but for its checksum. Else it is a header, a NUL
// byte and what stands behind the header; the header is padded with blanks to whole kilobytes, so
// that the offsets of arrays stay right while it changes.
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
