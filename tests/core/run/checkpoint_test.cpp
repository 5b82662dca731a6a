// Checkpoint files: written and read, and replaced by the previous one if damaged.

#include "run/checkpoint.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"

using namespace sculpt::core;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A folder for checkpoints. The first write() creates it.
struct Folder {
  void write(int pass, std::size_t numbers = 3) const {
    write_checkpoint(path, {{"pass", pass}}, [numbers](StateWriter& out) {
      out.put(std::int64_t{7});
      out.put_array(std::vector<double>(numbers, 0.1));
    });
  }
  std::string bytes(const char* name) const {
    std::ifstream file(path / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  void replace(const char* name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
  }
  std::unique_ptr<Checkpoint> open() {
    warnings.clear();
    return open_checkpoint(path, "; what to do",
                           [this](const std::string& text) { warnings.push_back(text); });
  }

  test::ScratchFolder root;
  fs::path path = root.path() / "checkpoints";
  std::vector<std::string> warnings;
};

}  // namespace

TEST_CASE("a checkpoint returns its header and state, and the previous checkpoint is kept") {
  Folder folder;
  CHECK_FALSE(has_checkpoint(folder.path));
  CHECK(folder.open() == nullptr);
  folder.write(1);
  CHECK(has_checkpoint(folder.path));
  folder.write(2, 300000);  // takes several writes
  const auto checkpoint = folder.open();
  REQUIRE(checkpoint != nullptr);
  CHECK(folder.warnings.empty());
  CHECK(checkpoint->header()["pass"] == 2);
  CHECK(checkpoint->get_count() == 7);
  std::vector<double> numbers;
  checkpoint->get_array(numbers);
  CHECK(numbers == std::vector<double>(300000, 0.1));
  CHECK(checkpoint->bytes_left() == 0);
  CHECK(refusal_of([&] { checkpoint->get<double>(); }).says("ends too early"));
  CHECK(Checkpoint(folder.path / "previous.sculpt").header()["pass"] == 1);
  CHECK_FALSE(fs::exists(folder.path / "last.sculpt.partial"));
  drop_previous_checkpoint(folder.path);
  CHECK_FALSE(fs::exists(folder.path / "previous.sculpt"));
}

TEST_CASE("a failed write leaves the existing checkpoint unchanged") {
  Folder folder;
  folder.write(1);
  CHECK_THROWS_AS(write_checkpoint(folder.path, {{"pass", 2}},
                                   [](StateWriter&) { throw Failure(Exit::write_failed, "full"); }),
                  Failure);
  CHECK(folder.open()->header()["pass"] == 1);
  CHECK_FALSE(fs::exists(folder.path / "last.sculpt.partial"));
}

TEST_CASE("the previous checkpoint is used if the last one is damaged, too short or missing") {
  Folder folder;
  folder.write(1);
  folder.write(2);
  const std::string good = folder.bytes("last.sculpt");
  for (std::size_t k = 0; k < good.size(); ++k) {
    CAPTURE(k);
    std::string damaged = good;
    damaged[k] = static_cast<char>(damaged[k] ^ 1);
    folder.replace("last.sculpt", damaged);
    const auto checkpoint = folder.open();
    CHECK(checkpoint->header()["pass"] == 1);
    REQUIRE(folder.warnings.size() == 1);
    CHECK(folder.warnings[0].find("last.sculpt: ") != std::string::npos);
    folder.replace("last.sculpt", good.substr(0, k));
    CHECK(folder.open()->header()["pass"] == 1);
  }
  fs::remove(folder.path / "last.sculpt");  // killed between two renames
  CHECK(folder.open()->header()["pass"] == 1);
  CHECK(folder.warnings.empty());
}

TEST_CASE("if all checkpoints are damaged, the refusal says what is wrong with each") {
  Folder folder;
  folder.write(1);
  std::string bytes = folder.bytes("last.sculpt");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  folder.replace("last.sculpt", bytes);
  folder.replace("previous.sculpt", "");
  const Refusal refusal = refusal_of([&] { folder.open(); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("; what to do"));
  CHECK(refusal.says("last.sculpt: has a wrong checksum"));
  CHECK(refusal.says("previous.sculpt: is not a checkpoint"));
}

TEST_CASE("a checkpoint with impossible lengths is refused before memory is allocated") {
  Folder folder;
  folder.write(1);
  const std::string good = folder.bytes("last.sculpt");
  for (const std::size_t top_byte : {std::size_t{15}, good.size() - 8 - 3 * 8 - 1}) {
    std::string changed = good;
    changed[top_byte] = 127;
    folder.replace("last.sculpt", changed);
    CHECK(refusal_of([&] { folder.open(); }).exit == Exit::data);  // the checksum
  }
  write_checkpoint(folder.path, {{"pass", 1}},
                   [](StateWriter& out) { out.put(~std::uint64_t{0}); });
  const auto checkpoint = folder.open();
  std::vector<double> numbers;
  const Refusal refusal = refusal_of([&] { checkpoint->get_array(numbers); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("longer than what is left"));
}
