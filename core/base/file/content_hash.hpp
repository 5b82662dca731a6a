// content_hash.hpp - XXH3 (64 bit). It identifies data files in models and run folders, and is the
// checksum at the end of models and checkpoints.
//
// Called by model/, run/, launch/ and the warm start of command/training.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sculpt::core {

// The hash of bytes that are added piece by piece.
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  void add(std::string_view bytes);
  std::uint64_t value() const;  // of the bytes added so far
  std::string text() const;     // "xxh3:" and 16 hexadecimal digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns the hash of the bytes as text: "xxh3:" and 16 hexadecimal digits.
std::string hash_text(std::string_view bytes);

// Returns the hash of the content of a file, in the same form. `advice`: "; " and what to do if the
// file does not exist. Throws Failure(Exit::missing) if the path is not that of a regular file, or
// if the file cannot be read.
std::string file_hash(const std::string& path, const std::string& advice = "; check the path");

}  // namespace sculpt::core
