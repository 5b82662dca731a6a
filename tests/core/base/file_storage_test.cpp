// Memory in files.
#include "base/memory/file_storage.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"

using namespace sculpt::core;
using sculpt::core::test::ScratchFolder;

TEST_CASE("memory in files is zero, can be written, and leaves no file behind") {
  const ScratchFolder folder;
  FileStorage storage(folder.path());
  auto* const bytes = static_cast<char*>(storage.allocate(5'000'001));
  CHECK(bytes[0] == 0);
  CHECK(bytes[5'000'000] == 0);
  std::memset(bytes, 7, 5'000'001);
  void* const other = storage.allocate(1);
  CHECK(storage.bytes() == 5'000'002);
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(bytes[4'999'999] == 7);
  CHECK(storage.release(other));
  CHECK_FALSE(storage.release(other));
  CHECK_FALSE(storage.release(&storage));
  CHECK(storage.bytes() == 5'000'001);
}

TEST_CASE("a folder in which no file can be made is named, with what to do") {
  const Refusal refusal = refusal_of([] { FileStorage("/proc/no/folder").allocate(10); });
  CHECK(refusal.exit == Exit::cannot_create);
  CHECK(refusal.text.find("/proc/no/folder") != std::string::npos);
  CHECK(refusal.text.find("TMPDIR") != std::string::npos);
}

TEST_CASE("an array larger than the disk is refused before it is written") {
  const ScratchFolder folder;
  FileStorage storage(folder.path());
  const Refusal refusal = refusal_of([&] { storage.allocate(std::int64_t{1} << 56); });
  CHECK(refusal.exit == Exit::write_failed);
  CHECK(refusal.text.find("has no room for 72057594037927936 bytes") != std::string::npos);
  CHECK(storage.bytes() == 0);
}
