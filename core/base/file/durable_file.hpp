// durable_file.hpp - files that are there whole or not at all.
//
// Used for models, configs, checkpoints and whatever else a reader may find after a crash.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace sculpt::core {

// A file that is written piece by piece beside its place, as PATH.partial, and then put there.
// Every function throws Failure(Exit::write); one that was not put in place leaves nothing.
class DurableFile {
 public:
  explicit DurableFile(std::filesystem::path path);
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;
  ~DurableFile();

  void write(std::string_view bytes);
  void finish();  // it is on the disk, every byte of it
  // Renames it over what was there. Requires finish().
  void put_in_place();

 private:
  void require(bool done) const;

  std::filesystem::path path_;
  std::filesystem::path partial_;
  int descriptor_;  // -1: closed
  bool in_place_ = false;
};

// All of it: `parts` one after the other.
void write_durably(const std::filesystem::path& path, std::span<const std::string_view> parts);

}  // namespace sculpt::core
