#include "run/content_hash.hpp"

#include <xxhash.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <vector>

#include "failure.hpp"

namespace sculpt::core {
namespace {

std::string text_of(XXH64_hash_t hash) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "xxh3:%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  return text_of(XXH3_64bits(bytes.data(), bytes.size()));
}

std::string file_hash(const std::string& path) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure(Exit::missing, path + ": cannot be opened; check the path");
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(),
                                                                              XXH3_freeState);
  XXH3_64bits_reset(state.get());
  std::vector<char> buffer(piece);
  while (file.read(buffer.data(), static_cast<std::streamsize>(piece)) || file.gcount() > 0) {
    XXH3_64bits_update(state.get(), buffer.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw Failure(Exit::missing, path + ": cannot be read");
  return text_of(XXH3_64bits_digest(state.get()));
}

}  // namespace sculpt::core
