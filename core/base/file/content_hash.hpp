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
  std::uint64_t value() const;
  std::string text() const;  // "xxh3:" and 16 hexadecimal digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// ContentHash::text() of the bytes.
std::string content_hash(std::string_view bytes);

// The same for a file. Throws Failure(Exit::missing) if it cannot be read.
std::string file_hash(const std::string& path);

}  // namespace sculpt::core
