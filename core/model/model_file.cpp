#include "model/model_file.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/failure.hpp"
#include "base/file/content_hash.hpp"
#include "base/file/durable_file.hpp"
#include "base/file/file_header.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "models are little-endian");

constexpr std::size_t prologue_size = model_magic.size() + sizeof(std::uint64_t);
constexpr std::size_t alignment = 64;
constexpr int format_version = 1;

std::size_t aligned(std::size_t size) {
  return (size + alignment - 1) / alignment * alignment;
}

std::string_view bytes_of(const std::uint64_t& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}
std::string_view bytes_of(const Vector& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

// Computes the offsets of the arrays after a header of `header_size` bytes. Returns the end of the
// last array.
std::size_t place_arrays(Json& header, const ModelParts& parts, std::size_t header_size) {
  Json& arrays = header["arrays"] = Json::object();
  std::size_t offset = prologue_size + header_size;
  auto add_entry = [&](const std::string& name, const char* dtype, std::size_t count,
                       std::size_t bytes) {
    arrays[name] = {{"dtype", dtype}, {"shape", {count}}, {"offset", offset}};
    offset += aligned(bytes);
  };
  add_entry("weights", "<f8", parts.weights.size(), bytes_of(parts.weights).size());
  for (const auto& [kind, state] : parts.states) {
    add_entry("state." + kind, "|u1", state.size(), state.size());
  }
  return offset;
}

[[noreturn]] void refuse_damaged(const std::filesystem::path& path, const std::string& fault) {
  throw Failure(Exit::data, path.string() + ": " + fault + "; train again or use another copy");
}

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream file = open_file(path, Exit::missing, "; give a model file or a run folder");
  file.seekg(0, std::ios::end);
  const std::streamoff size = file.tellg();
  if (size < 0) throw Failure(Exit::missing, path.string() + ": cannot be read; check the disk");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
    throw Failure(Exit::missing, path.string() + ": cannot be read to its end; check the disk");
  }
  return bytes;
}

// The header, after magic, length and checksum are checked.
Json checked_header(const std::filesystem::path& path, std::string_view bytes) {
  if (!bytes.starts_with(model_magic)) {
    throw Failure(Exit::data, path.string() + ": is not a sculpt model (its first bytes differ)");
  }
  if (bytes.size() < prologue_size + sizeof(std::uint64_t)) refuse_damaged(path, "is cut short");
  std::uint64_t header_size = 0;
  std::uint64_t checksum = 0;
  const std::size_t end = bytes.size() - sizeof checksum;
  std::memcpy(&header_size, bytes.data() + model_magic.size(), sizeof header_size);
  std::memcpy(&checksum, bytes.data() + end, sizeof checksum);
  if (header_size > end - prologue_size) refuse_damaged(path, "is cut short");
  ContentHash hash;
  hash.add(bytes.substr(0, end));
  if (hash.value() != checksum) refuse_damaged(path, "has a wrong checksum");
  return parse_header(bytes.substr(prologue_size, header_size), format_version, path.string(),
                      [&path](const std::string& fault) { refuse_damaged(path, fault); });
}

// The bytes of one array. The numbers of the header are not trusted. `bytes_left`: the bytes that
// are left for arrays. Arrays do not overlap, so a small file cannot name the same bytes a million
// times.
std::string_view array_bytes(const std::filesystem::path& path, std::string_view bytes,
                             const Json& entry, const char* dtype, std::size_t item_size,
                             std::size_t& bytes_left) {
  const auto has = [&entry](const char* key) { return entry.is_object() && entry.contains(key); };
  const bool is_valid = has("dtype") && entry["dtype"] == dtype && has("offset") &&
                        entry["offset"].is_number_unsigned() && has("shape") &&
                        entry["shape"].is_array() && entry["shape"].size() == 1 &&
                        entry["shape"][0].is_number_unsigned();
  if (!is_valid) refuse_damaged(path, "has a malformed table of arrays");
  const auto offset = entry["offset"].get<std::uint64_t>();
  const auto count = entry["shape"][0].get<std::uint64_t>();
  const std::size_t end = bytes.size() - sizeof(std::uint64_t);
  if (offset > end || count > (end - offset) / item_size) {
    refuse_damaged(path, "names arrays beyond its end");
  }
  const std::size_t size = count * item_size;
  if (size > bytes_left) refuse_damaged(path, "names arrays that overlap");
  bytes_left -= size;
  return bytes.substr(offset, size);
}

}  // namespace

void write_model(const std::filesystem::path& path, const ModelParts& parts) {
  Json header = {{"format", "sculpt model"}, {"version", format_version}};
  header.update(parts.header);
  // The offsets depend on the length of the header, which depends on the digits of the offsets. So
  // leave room for the longest offsets, then pad.
  place_arrays(header, parts, 0);
  const std::size_t reserved_digits = 20 * (parts.states.size() + 1);
  const std::size_t header_size =
      aligned(prologue_size + header.dump().size() + reserved_digits) - prologue_size;
  place_arrays(header, parts, header_size);
  std::string text = header.dump();
  text.resize(header_size, ' ');

  const std::uint64_t size = header_size;
  const std::string padding(alignment, '\0');
  std::vector<std::string_view> pieces{model_magic, bytes_of(size), text};
  auto add_array = [&](std::string_view bytes) {
    pieces.push_back(bytes);
    pieces.push_back(std::string_view(padding).substr(0, aligned(bytes.size()) - bytes.size()));
  };
  add_array(bytes_of(parts.weights));
  for (const auto& [kind, state] : parts.states) add_array(state);

  ContentHash hash;
  for (const std::string_view piece : pieces) hash.add(piece);
  const std::uint64_t checksum = hash.value();
  pieces.push_back(bytes_of(checksum));
  write_durably(path, pieces);
}

std::string read_model_bytes(std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) path /= "model.sculpt";
  if (!std::filesystem::exists(path)) {
    const std::filesystem::path replaced = path.parent_path() / "replaced" / path.filename();
    throw Failure(
        Exit::missing,
        path.string() +
            ": there is no model; give a model file or the folder of a finished run (finish a "
            "stopped run with train --resume)" +
            (std::filesystem::exists(replaced) ? ". The previous model is " + replaced.string()
                                               : std::string()));
  }
  return read_whole(path);
}

ModelFile::ModelFile(const std::filesystem::path& path) : path_(path) {
  const std::string bytes = read_model_bytes(path_);
  read(bytes);
}

ModelFile::ModelFile(const std::filesystem::path& name, std::string_view bytes) : path_(name) {
  read(bytes);
}

void ModelFile::read(std::string_view bytes) {
  header_ = std::make_unique<Json>(checked_header(path_, bytes));
  const Json& arrays = (*header_)["arrays"];
  if (!arrays.is_object() || !arrays.contains("weights")) refuse_damaged(path_, "has no weights");
  std::size_t bytes_left = bytes.size();
  for (const auto& [name, entry] : arrays.items()) {
    if (name == "weights") {
      const std::string_view raw =
          array_bytes(path_, bytes, entry, "<f8", sizeof(double), bytes_left);
      weights_.resize(raw.size() / sizeof(double));
      if (!raw.empty()) std::memcpy(weights_.data(), raw.data(), raw.size());
    } else if (name.rfind("state.", 0) == 0) {
      states_[name.substr(6)] = array_bytes(path_, bytes, entry, "|u1", 1, bytes_left);
    }
  }
  for (const double weight : weights_) {
    if (!std::isfinite(weight)) refuse_damaged(path_, "has weights that are not finite");
  }
}

ModelFile::~ModelFile() = default;
ModelFile::ModelFile(ModelFile&&) noexcept = default;

const nlohmann::ordered_json& ModelFile::header() const {
  return *header_;
}

}  // namespace sculpt::core
