// Memory for small pieces in files: no piece overlaps another, freed ones are used again, and large
// ones have files of their own.

#include "base/memory/mapped_memory.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory_resource>
#include <random>
#include <thread>
#include <vector>

#include "base/failure.hpp"

using namespace sculpt::core;

namespace {

struct Piece {
  unsigned char* bytes;
  std::size_t size;
  std::size_t alignment;
  unsigned char mark;
};

bool is_whole(const Piece& piece) {
  for (std::size_t k = 0; k < piece.size; ++k) {
    if (piece.bytes[k] != piece.mark) return false;
  }
  return reinterpret_cast<std::uintptr_t>(piece.bytes) % piece.alignment == 0;
}

// Takes and frees pieces in a random order. Returns true if each had its bytes when it was freed.
bool keeps_pieces(MappedMemory& memory, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Piece> pieces;
  bool is_right = true;
  const auto free_one = [&] {
    const std::size_t k = random() % pieces.size();
    is_right = is_right && is_whole(pieces[k]);
    memory.deallocate(pieces[k].bytes, pieces[k].size, pieces[k].alignment);
    pieces[k] = pieces.back();
    pieces.pop_back();
  };
  for (int step = 0; step < 3000; ++step) {
    if (pieces.size() > 100) free_one();
    const std::size_t size = 1 + random() % (step % 50 == 0 ? 3'000'000 : 5'000);
    const std::size_t alignment = std::size_t{1} << random() % 5;
    auto* const bytes = static_cast<unsigned char*>(memory.allocate(size, alignment));
    const auto mark = static_cast<unsigned char>(random());
    std::memset(bytes, mark, size);
    pieces.push_back({bytes, size, alignment, mark});
  }
  while (!pieces.empty()) free_one();
  return is_right;
}

}  // namespace

TEST_CASE("threads: pieces in files do not overlap, and freed ones make room for others") {
  FileStorage storage(storage_folder());
  {
    MappedMemory memory(storage);
    CHECK(keeps_pieces(memory, 1));
    const std::int64_t bytes = storage.bytes();
    CHECK(bytes > 0);
    bool is_right = false;
    std::thread other([&] { is_right = keeps_pieces(memory, 2); });
    CHECK(keeps_pieces(memory, 3));
    other.join();
    CHECK(is_right);
    for (unsigned seed = 4; seed < 8; ++seed) CHECK(keeps_pieces(memory, seed));
    CHECK(storage.bytes() < 4 * bytes);  // without reuse: 6 times
  }
}

TEST_CASE("a large piece in a file ends with its file") {
  FileStorage storage(storage_folder());
  MappedMemory memory(storage);
  const std::int64_t before = storage.bytes();
  void* const piece = memory.allocate(MappedMemory::min_own_file, 64);
  CHECK(storage.bytes() == before + static_cast<std::int64_t>(MappedMemory::min_own_file));
  memory.deallocate(piece, MappedMemory::min_own_file, 64);
  CHECK(storage.bytes() == before);
}

TEST_CASE("memory in a folder that takes no files says so") {
  FileStorage storage("/proc");
  const auto use = [&storage] {
    MappedMemory memory(storage);
    std::pmr::vector<int>(10, &memory);
  };
  CHECK_THROWS_AS(use(), Failure);
}
