// fenced_pages.hpp - memory that ends at a fence: a page that cannot be accessed.
//
// A plugin that reads or writes after the end of such memory crashes there. The crash report then
// says what the memory holds (launch/crash_report.hpp). Used by ReadOnlyWeights and lent_array.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace sculpt::core {

class FencedPages {
 public:
  // At least `bytes` bytes, all 0 and writable. `name`: what they hold, for crash reports. It must
  // live until the process ends. Throws std::bad_alloc.
  FencedPages(std::size_t bytes, const char* name);
  ~FencedPages();
  FencedPages(const FencedPages&) = delete;
  FencedPages& operator=(const FencedPages&) = delete;

  char* fence() const { return pages_ + size_; }  // the first byte that cannot be accessed
  std::size_t size() const { return size_; }      // bytes before the fence
  void set_name(const char* name);

  // Allows writing, or only reading. Throws Failure(Exit::internal) if the system refuses.
  void allow_writing();
  void allow_only_reading();

  // What a crash at an address means: `before` + `name` + `after`.
  struct Fault {
    const char* before;
    const char* name;
    const char* after;
  };
  // Returns nothing if the address belongs to no FencedPages of the process. Knows at most 1024 of
  // them. [signal handler]
  static std::optional<Fault> fault_at(const void* address);

 private:
  struct Entry;  // of the list that fault_at() reads
  void set_rights(int rights);

  std::size_t size_;
  char* pages_ = nullptr;
  Entry* entry_ = nullptr;  // nullptr: the list is full
};

}  // namespace sculpt::core
