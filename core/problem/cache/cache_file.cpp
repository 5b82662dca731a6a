#include "problem/cache/cache_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"
#include "base/file/stored_json.hpp"
#include "parallel/ranks/ranks.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

struct CachePrefix {
  char magic[8];
  std::uint32_t version;
  std::uint32_t byte_order;
  std::int64_t file_size;
  std::int64_t arrays_end;
  std::int64_t block_count;
  std::uint64_t tail_checksum;    // of all from arrays_end on
  std::uint64_t prefix_checksum;  // of all before
};

namespace {

constexpr char magic[8] = {'s', 'c', 'u', 'l', 'p', 't', 'C', '\n'};
constexpr std::uint32_t format_version = 1;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::int64_t arrays_begin = 4096;
constexpr std::int64_t alignment = 64;
constexpr std::int64_t block_size = std::int64_t{1} << 20;

std::uint64_t checksum(std::string_view bytes) {
  ContentHash hash;
  hash.add(bytes);
  return hash.value();
}

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::int64_t blocks_of(std::int64_t arrays_end) {
  return (arrays_end - arrays_begin + block_size - 1) / block_size;
}

// Reads exactly these bytes. errno is 0 if the file ends before.
bool read_at(int file, std::int64_t offset, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::pread(file, to, size, offset);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = 0;
    if (got <= 0) return false;
    to += got;
    offset += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// A file that somebody else can change might make this process read anything.
std::string obstacle_of_owner(const struct stat& status) {
  if (status.st_uid != ::geteuid() && status.st_uid != 0) return "it belongs to another user";
  constexpr mode_t others_write = S_IWGRP | S_IWOTH;
  return (status.st_mode & others_write) != 0 ? "other users may write to it" : "";
}

const std::string damaged = "it is damaged";
const std::string unreadable = "it cannot be read";

}  // namespace

CacheFileWriter::CacheFileWriter(const std::filesystem::path& path)
    : file_(path), size_(arrays_begin) {
  file_.write(std::string(static_cast<std::size_t>(arrays_begin), '\0'));
}

void CacheFileWriter::append(std::string_view bytes) {
  file_.write(bytes);
  size_ += static_cast<std::int64_t>(bytes.size());
  while (!bytes.empty()) {
    const auto room = static_cast<std::size_t>(block_size - in_block_);
    const std::string_view part = bytes.substr(0, room);
    block_->add(part);
    in_block_ += static_cast<std::int64_t>(part.size());
    bytes.remove_prefix(part.size());
    if (in_block_ == block_size) end_block();
  }
}

void CacheFileWriter::end_block() {
  checksums_.push_back(block_->value());
  block_.emplace();
  in_block_ = 0;
}

void CacheFileWriter::add(std::string_view bytes) {
  append(std::string(static_cast<std::size_t>((alignment - size_ % alignment) % alignment), '\0'));
  places_.push_back({size_, bytes.size()});
  append(bytes);
}

void CacheFileWriter::finish(Json header) {
  if (in_block_ > 0) end_block();
  header["arrays"] = std::move(places_);
  std::string tail(reinterpret_cast<const char*>(checksums_.data()),
                   checksums_.size() * sizeof(std::uint64_t));
  tail += header.dump(-1, ' ', false, Json::error_handler_t::replace);
  file_.write(tail);
  CachePrefix prefix = {};
  std::copy(std::begin(magic), std::end(magic), std::begin(prefix.magic));
  prefix.version = format_version;
  prefix.byte_order = byte_order;
  prefix.file_size = size_ + static_cast<std::int64_t>(tail.size());
  prefix.arrays_end = size_;
  prefix.block_count = static_cast<std::int64_t>(checksums_.size());
  prefix.tail_checksum = checksum(tail);
  prefix.prefix_checksum =
      checksum(bytes_of(prefix).substr(0, offsetof(CachePrefix, prefix_checksum)));
  file_.write_at(0, bytes_of(prefix));
  file_.put_in_place();
}

CacheFile::~CacheFile() {
  // munmap() takes no const pointer.
  if (memory_ != nullptr) ::munmap(const_cast<char*>(memory_), size_);
}

CacheFile::Opened CacheFile::open(const std::filesystem::path& path) {
  std::unique_ptr<CacheFile> cache(new CacheFile());
  cache->path_ = path;
  cache->file_ = FileDescriptor(::open(path.c_str(), O_RDONLY | no_link_flags));
  if (!cache->file_.is_open()) {
    if (errno == ENOENT) return {};
    return {nullptr, errno == ELOOP ? "it is a link" : unreadable + system_reason(errno)};
  }
  const int file = cache->file_.number();
  struct stat status = {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    return {nullptr, "it is no regular file"};
  }
  std::string obstacle = obstacle_of_owner(status);
  if (!obstacle.empty()) return {nullptr, std::move(obstacle)};
  CachePrefix prefix = {};
  cache->size_ = static_cast<std::size_t>(status.st_size);
  const bool is_whole = read_at(file, 0, reinterpret_cast<char*>(&prefix), sizeof prefix);
  obstacle = is_whole ? cache->read(prefix) : damaged;
  if (!obstacle.empty()) return {nullptr, std::move(obstacle)};
  return {std::move(cache), ""};
}

std::string CacheFile::read(const CachePrefix& prefix) {
  if (std::memcmp(prefix.magic, magic, sizeof magic) != 0) return "it is no cache of sculpt";
  if (prefix.byte_order != byte_order) return "a machine with another order of bytes made it";
  if (prefix.version != format_version) return "it has the format of another version of sculpt";
  const std::string_view bytes = bytes_of(prefix);
  if (prefix.prefix_checksum != checksum(bytes.substr(0, offsetof(CachePrefix, prefix_checksum)))) {
    return damaged;
  }
  if (prefix.file_size != static_cast<std::int64_t>(size_)) return "it is truncated";
  arrays_end_ = prefix.arrays_end;
  if (arrays_end_ < arrays_begin || arrays_end_ > prefix.file_size) return damaged;
  const auto tail_size = static_cast<std::size_t>(prefix.file_size - arrays_end_);
  const auto checksum_bytes = static_cast<std::size_t>(blocks_of(arrays_end_)) * 8;
  if (prefix.block_count != blocks_of(arrays_end_) || checksum_bytes > tail_size) return damaged;
  std::string tail(tail_size, '\0');
  if (!read_at(file_.number(), arrays_end_, tail.data(), tail.size())) return unreadable;
  if (checksum(tail) != prefix.tail_checksum) return damaged;
  checksums_.resize(static_cast<std::size_t>(prefix.block_count));
  if (checksum_bytes > 0) std::memcpy(checksums_.data(), tail.data(), checksum_bytes);
  header_ = parse_stored_json(std::string_view(tail).substr(checksum_bytes));
  return map();
}

std::string CacheFile::map() {
  if (!header_.is_object() || !header_.contains("arrays")) return damaged;
  void* const memory = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_.number(), 0);
  if (memory == MAP_FAILED) return "it cannot be mapped" + system_reason(errno);
  memory_ = static_cast<const char*>(memory);
  try {
    for (const Json& place : header_["arrays"]) {
      const auto begin = place.at(0).get<std::int64_t>();
      const auto size = place.at(1).get<std::int64_t>();
      const bool is_inside = begin >= arrays_begin && begin % alignment == 0 && size >= 0 &&
                             begin <= arrays_end_ && size <= arrays_end_ - begin;
      if (!is_inside) return damaged;
      arrays_.emplace_back(memory_ + begin, static_cast<std::size_t>(size));
    }
  } catch (const Json::exception&) {
    return damaged;
  }
  return "";
}

bool CacheFile::is_sound(std::int64_t block) const {
  const std::int64_t begin = arrays_begin + block * block_size;
  std::vector<char> bytes(static_cast<std::size_t>(std::min(block_size, arrays_end_ - begin)));
  return read_at(file_.number(), begin, bytes.data(), bytes.size()) &&
         checksum({bytes.data(), bytes.size()}) == checksums_[static_cast<std::size_t>(block)];
}

std::string CacheFile::verify(std::int64_t part, std::int64_t part_count, Workers& workers) const {
  std::vector<std::int64_t> blocks;  // a part of each array, because ranks use parts of each
  for (const std::span<const char> array : arrays_) {
    if (array.empty()) continue;
    const std::int64_t from = array.data() - memory_ - arrays_begin;
    const std::int64_t begin = from + begin_of_part(std::ssize(array), part_count, part);
    const std::int64_t end = from + begin_of_part(std::ssize(array), part_count, part + 1);
    // The first block may begin before the array. All others belong to the part they begin in.
    const std::int64_t first = from / block_size;
    if (part == 0 && (blocks.empty() || blocks.back() < first)) blocks.push_back(first);
    std::int64_t block = std::max(first + 1, (begin + block_size - 1) / block_size);
    for (; block * block_size < end; ++block) blocks.push_back(block);
  }
  std::atomic<bool> is_damaged = false;
  const auto count = static_cast<std::int64_t>(blocks.size());
  workers.run_ranges(count, 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t k = begin; k < end; ++k) {
      if (!is_sound(blocks[static_cast<std::size_t>(k)])) is_damaged = true;
    }
  });
  return is_damaged ? damaged : "";
}

}  // namespace sculpt::core
