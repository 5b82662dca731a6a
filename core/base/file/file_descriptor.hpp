// file_descriptor.hpp - an open file that is written through system calls, so that errno is known.
//
// Used by DurableFile, and by run/ for the events.
#pragma once

#include <string_view>
#include <utility>

namespace sculpt::core {

// Owns a file descriptor. The functions return false and set errno if a call of the system fails.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, closed)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;

  bool is_open() const { return number_ != closed; }
  int number() const { return number_; }  // -1: closed
  // Returns the number and gives up the ownership.
  int release() { return std::exchange(number_, closed); }

  bool write(std::string_view bytes) const;  // all of them
  bool sync() const;                         // waits until every byte is on the disk
  bool close();

 private:
  static constexpr int closed = -1;
  int number_ = closed;
};

}  // namespace sculpt::core
