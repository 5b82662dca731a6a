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

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr std::string_view magic = "sculptc\n";
constexpr std::uint64_t prologue = magic.size() + sizeof(std::uint64_t);
constexpr int format_version = 7;
constexpr std::size_t buffer_size = std::size_t{1} << 20;
fs::path last_in(const fs::path& folder) {
  return folder / "last.sculpt";
}
fs::path previous_in(const fs::path& folder) {
  return folder / "previous.sculpt";
}

// Adds the bytes to the checksum and writes them in large pieces.
class Stream : public StateWriter {
 public:
  explicit Stream(DurableFile& file) : file_(file) { buffer_.reserve(buffer_size); }

  void write(std::string_view bytes) override {
    if (buffer_.size() + bytes.size() > buffer_size) flush();
    if (bytes.size() >= buffer_size) {
      pass_on(bytes);
    } else {
      buffer_.append(bytes);
    }
  }

  void end() {
    flush();
    put(hash_.value());
    file_.write(buffer_);
  }

 private:
  void flush() {
    pass_on(buffer_);
    buffer_.clear();
  }
  void pass_on(std::string_view bytes) {
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
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    throw system_failure(Exit::write, folder.string() + ": cannot be created", problem.value());
  }
  Json whole = {{"format", "sculpt checkpoint"}, {"version", format_version}};
  whole.update(header);
  const std::string text = whole.dump();
  DurableFile file(last_in(folder));
  Stream out(file);
  out.write(magic);
  out.put(static_cast<std::uint64_t>(text.size()));
  out.write(text);
  save(out);
  out.end();
  file.finish();
  fs::rename(last_in(folder), previous_in(folder), problem);  // there may be no last one
  file.put_in_place();
}

bool has_checkpoint(const fs::path& folder) {
  std::error_code problem;
  return fs::exists(last_in(folder), problem) || fs::exists(previous_in(folder), problem);
}

void drop_previous_checkpoint(const fs::path& folder) {
  std::error_code problem;
  fs::remove(previous_in(folder), problem);
}

Checkpoint::Checkpoint(fs::path path, std::string advice)
    : path_(std::move(path)), advice_(std::move(advice)) {
  // Before opening: opening a pipe would block until there is a writer.
  std::error_code problem;
  if (!fs::is_regular_file(path_, problem)) damaged("is not a regular file");
  file_ = open_file(path_, Exit::missing);
  const std::uint64_t size = check_size();
  check_sum(size);
  const auto header_size = get<std::uint64_t>();
  if (header_size > left_) damaged("is cut short");
  std::string text(static_cast<std::size_t>(header_size), '\0');
  read(text.data(), text.size());
  header_ = std::make_unique<Json>(parse_header(
      text, format_version, path_.string(), [this](const std::string& what) { damaged(what); }));
}

Checkpoint::~Checkpoint() = default;

void Checkpoint::damaged(const std::string& what) const {
  throw Failure(Exit::data, path_.string() + ": " + what);
}

// The size of the file without its checksum, after the magic is checked.
std::uint64_t Checkpoint::check_size() {
  file_.seekg(0, std::ios::end);
  const std::streamoff size = file_.tellg();
  file_.seekg(0);
  std::string first(magic.size(), '\0');
  if (!file_.read(first.data(), static_cast<std::streamsize>(first.size())) || first != magic) {
    damaged("is no checkpoint (its first bytes differ)");
  }
  const auto whole = static_cast<std::uint64_t>(size);
  if (whole < prologue + sizeof(std::uint64_t)) damaged("is cut short");
  return whole - sizeof(std::uint64_t);
}

// Leaves the file position after the magic.
void Checkpoint::check_sum(std::uint64_t size) {
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
  if (get<std::uint64_t>() != hash.value()) damaged("has a wrong checksum");
  file_.seekg(static_cast<std::streamoff>(magic.size()));
  left_ = size - magic.size();
}

void Checkpoint::read(char* room, std::size_t size) {
  require(size <= left_, "it ends too early");
  if (!file_.read(room, static_cast<std::streamsize>(size))) {
    throw Failure(Exit::missing, path_.string() + ": cannot be read");
  }
  left_ -= size;
}

void Checkpoint::refuse(const std::string& what) const {
  damaged("holds no state that this solver could have left: " + what + advice_);
}

std::unique_ptr<Checkpoint> open_checkpoint(const fs::path& folder, const std::string& advice,
                                            const std::function<void(const std::string&)>& warn) {
  std::optional<Failure> problem;
  for (const fs::path& path : {last_in(folder), previous_in(folder)}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    try {
      auto checkpoint = std::make_unique<Checkpoint>(path, advice);
      if (problem) warn(std::string(problem->what()) + "; going on from the one before");
      return checkpoint;
    } catch (const Failure& failure) {
      if (problem) {
        problem.emplace(failure.exit(), std::string(problem->what()) + "; " + failure.what());
      } else {
        problem = failure;
      }
    }
  }
  if (problem) throw Failure(problem->exit(), problem->what() + advice);
  return nullptr;
}

}  // namespace sculpt::core
