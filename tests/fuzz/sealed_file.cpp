#include "sealed_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "base/file/content_hash.hpp"
#include "contract.hpp"

namespace sculpt::core::fuzz {
namespace {

constexpr std::size_t header_step = 1024;

void append(std::string& bytes, std::uint64_t number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

}  // namespace

std::string sealed(std::string_view magic, std::string_view input) {
  std::string bytes(input);
  if (!input.starts_with(magic)) {
    const Parts parts = split_at(input, std::string_view("\0", 1));
    std::string header(parts.first);
    const std::size_t prologue = magic.size() + sizeof(std::uint64_t);
    const std::size_t steps = (prologue + header.size() + header_step - 1) / header_step;
    header.resize(steps * header_step - prologue, ' ');
    bytes = magic;
    append(bytes, header.size());
    bytes += header;
    bytes += parts.rest;
  }
  ContentHash hash;
  hash.add(bytes);
  append(bytes, hash.value());
  return bytes;
}

MemoryFile::MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
  const auto size = static_cast<ssize_t>(bytes.size());
  if (descriptor_ < 0 || ::write(descriptor_, bytes.data(), bytes.size()) != size) std::abort();
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

std::string MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

}  // namespace sculpt::core::fuzz
