#include "base/file/content_hash.hpp"

#include <xxhash.h>

#include <array>
#include <cstdio>
#include <vector>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {

struct ContentHash::State {
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> xxh3{XXH3_createState(),
                                                                       XXH3_freeState};
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(state_->xxh3.get());
}

ContentHash::~ContentHash() = default;

void ContentHash::add(std::string_view bytes) {
  XXH3_64bits_update(state_->xxh3.get(), bytes.data(), bytes.size());
}

std::uint64_t ContentHash::value() const {
  return XXH3_64bits_digest(state_->xxh3.get());
}

std::string ContentHash::text() const {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "xxh3:%016llx", static_cast<unsigned long long>(value()));
  return text.data();
}

std::string hash_text(std::string_view bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.text();
}

std::string file_hash(const std::string& path, const std::string& advice) {
  constexpr std::size_t chunk_size = std::size_t{1} << 20;
  std::ifstream file = open_file(path, Exit::missing, advice);
  ContentHash hash;
  std::vector<char> buffer(chunk_size);
  while (file.read(buffer.data(), static_cast<std::streamsize>(chunk_size)) || file.gcount() > 0) {
    hash.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (file.bad()) {
    throw Failure(Exit::missing,
                  path + ": cannot be read to its end; check the disk and the permissions");
  }
  return hash.text();
}

}  // namespace sculpt::core
