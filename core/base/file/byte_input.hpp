// byte_input.hpp - blocks of bytes from a file, from standard input or from memory. Packed bytes
// (gzip, zstd) are unpacked.
//
// The first bytes tell whether and how the rest is packed, never the name. Reads in blocks, so a
// pipe gives its first bytes at once and no input is held as a whole. Called by source_reader.hpp.
// One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace sculpt::core {

class ByteInput {
 public:
  virtual ~ByteInput() = default;

  // Returns the next bytes, less than 1 GB, lent until the next call. Empty at the end. Throws
  // Failure, Cancelled.
  virtual std::string_view read() = 0;
  // True if read() returns within so many milliseconds. False if that is not known.
  virtual bool is_ready(int milliseconds) {
    static_cast<void>(milliseconds);
    return false;
  }
};

// The bytes of a file as they are, or of standard input for the path "-". Throws
// Failure(Exit::missing, "PATH: ...") if it cannot be opened or read, Exit::memory if there are too
// many open files. `cancelled` is asked while the call waits for a pipe; it may be empty.
std::unique_ptr<ByteInput> open_file_bytes(const std::string& path,
                                           std::function<bool()> cancelled = {});

// The bytes of memory, without a copy. `bytes` must outlive the input.
std::unique_ptr<ByteInput> open_memory_bytes(std::string_view bytes);

// Unpacks the input if it is packed. Throws Failure(Exit::data, "PATH: ...") if the packed bytes
// are damaged or end too early. `path` is for messages. The first read() finds out the format, so
// opening waits for no byte of a pipe.
std::unique_ptr<ByteInput> unpacked(std::unique_ptr<ByteInput> input, const std::string& path);

}  // namespace sculpt::core
