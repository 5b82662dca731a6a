#include "run/checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/file_header.hpp"
#include "base/file/open_file.hpp"
#include "base/file/plain_file.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::string_view magic = "sculptc\n";
constexpr std::uint64_t prologue = magic.size() + sizeof(std::uint64_t);
constexpr int format_version = 10;
constexpr std::size_t buffer_size = std::size_t{1} << 20;
fs::path last_path(const fs::path& folder) {
  return folder / "last.sculpt";
}
fs::path previous_path(const fs::path& folder) {
  return folder / "previous.sculpt";
}

// Adds the bytes to the checksum and writes them in blocks of `buffer_size`.
class HashedWriter : public StateWriter {
 public:
  explicit HashedWriter(DurableFile& file) : file_(file) { buffer_.reserve(buffer_size); }

  void write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() > buffer_size) flush();
    if (bytes.size() >= buffer_size) {
      write_through(bytes);
    } else {
      buffer_.append(bytes);
    }
  }

  void write_checksum() {
    flush();
    put(hash_.value());
    file_.write(buffer_);
  }

 private:
  void flush() {
    write_through(buffer_);
    buffer_.clear();
  }
  void write_through(std::string_view bytes) {
    hash_.add(bytes);
    file_.write(bytes);
  }

  DurableFile& file_;
  ContentHash hash_;
  std::string buffer_;
};

}  // namespace

void write_checkpoint(const fs::path& folder, const Json& header,
                      const std::function<void(StateWriter&)>& save) {
  require_plain_folder(folder);
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    throw system_failure(Exit::write_failed, folder.string() + ": cannot be created",
                         problem.value());
  }
  Json full_header = {{"format", "sculpt checkpoint"}, {"version", format_version}};
  full_header.update(header);
  const std::string text = full_header.dump();
  DurableFile file(last_path(folder));
  HashedWriter out(file);
  out.write(magic);
  out.put(static_cast<std::uint64_t>(text.size()));
  out.write(text);
  save(out);
  out.write_checksum();
  file.finish();
  fs::rename(last_path(folder), previous_path(folder), problem);  // there may be no last one
  file.put_in_place();
}

bool has_checkpoint(const fs::path& folder) {
  std::error_code problem;
  return fs::exists(last_path(folder), problem) || fs::exists(previous_path(folder), problem);
}

void drop_previous_checkpoint(const fs::path& folder) {
  std::error_code problem;
  fs::remove(previous_path(folder), problem);
}

Checkpoint::Checkpoint(fs::path path, std::string advice)
    : path_(std::move(path)), advice_(std::move(advice)) {
  // Before opening: opening a pipe would block until there is a writer.
  std::error_code problem;
  if (!fs::is_regular_file(path_, problem)) refuse_damaged("is not a regular file");
  file_ = open_file(path_, Exit::missing);
  const std::uint64_t size = check_magic();
  verify_checksum(size);
  const auto header_size = get<std::uint64_t>();
  if (header_size > left_) refuse_damaged("is cut short");
  std::string text(static_cast<std::size_t>(header_size), '\0');
  read(text.data(), text.size());
  header_ = std::make_unique<Json>(
      parse_header(text, format_version, path_.string(),
                   [this](const std::string& what) { refuse_damaged(what); }));
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::refuse_damaged(const std::string& what) const {
  throw Failure(Exit::data, path_.string() + ": " + what);
}

// Checks the magic. Returns the size of the file without its checksum.
std::uint64_t Checkpoint::check_magic() {
  file_.seekg(0, std::ios::end);
  const std::streamoff size = file_.tellg();
  file_.seekg(0);
  std::string first_bytes(magic.size(), '\0');
  file_.read(first_bytes.data(), static_cast<std::streamsize>(first_bytes.size()));
  if (!file_ || first_bytes != magic) {
    refuse_damaged("is not a checkpoint (its first bytes differ)");
  }
  const auto file_size = static_cast<std::uint64_t>(size);
  if (file_size < prologue + sizeof(std::uint64_t)) refuse_damaged("is cut short");
  return file_size - sizeof(std::uint64_t);
}

// Leaves the file position after the magic.
void Checkpoint::verify_checksum(std::uint64_t size) {
  ContentHash hash;
  std::string buffer(buffer_size, '\0');
  file_.seekg(0);
  left_ = size + sizeof(std::uint64_t);
  while (left_ > sizeof(std::uint64_t)) {
    const auto piece = static_cast<std::size_t>(
        std::min<std::uint64_t>(buffer.size(), left_ - sizeof(std::uint64_t)));
    read(buffer.data(), piece);
    hash.add({buffer.data(), piece});
  }
  if (get<std::uint64_t>() != hash.value()) refuse_damaged("has a wrong checksum");
  file_.seekg(static_cast<std::streamoff>(magic.size()));
  left_ = size - magic.size();
}

void Checkpoint::read(char* buffer, std::size_t size) {
  require(size <= left_, "it ends too early");
  if (!file_.read(buffer, static_cast<std::streamsize>(size))) {
    throw Failure(Exit::missing, path_.string() + ": cannot be read");
  }
  left_ -= size;
}

void Checkpoint::refuse(const std::string& what) const {
  refuse_damaged("does not contain a valid state of this solver: " + what + advice_);
}

std::unique_ptr<Checkpoint> open_checkpoint(const fs::path& folder, const std::string& advice,
                                            const std::function<void(const std::string&)>& warn) {
  std::optional<Failure> damage;
  for (const fs::path& path : {last_path(folder), previous_path(folder)}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    try {
      auto checkpoint = std::make_unique<Checkpoint>(path, advice);
      if (damage) warn(std::string(damage->what()) + "; using the previous checkpoint");
      return checkpoint;
    } catch (const Failure& failure) {
      if (failure.ends_process()) throw;  // the file may be in order
      if (damage) {
        damage = failure.with_text(std::string(damage->what()) + "; " + failure.what());
      } else {
        damage = failure;
      }
    }
  }
  if (damage) throw damage->with_text(damage->what() + advice);
  return nullptr;
}

}  // namespace sculpt::core
