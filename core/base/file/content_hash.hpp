// content_hash.hpp - XXH3 (64 bit): the hash that stands for a data file in models and run folders,
// and the checksum at the end of models and checkpoints.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sculpt::core {

// Of bytes that come piece by piece.
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

// The same of a file. Throws Failure(Exit::missing) when it cannot be read.
std::string file_hash(const std::string& path);

}  // namespace sculpt::core
