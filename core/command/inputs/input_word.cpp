#include "command/inputs/input_word.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "model/model_file.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::string_view library_ending = ".so";

bool has_entry(const fs::path& folder, const char* name) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(folder / name, ignored));
}

// The first bytes of a file. Fewer if it has fewer, or cannot be read.
std::string first_bytes_of(const fs::path& file) {
  constexpr std::size_t max_size = 4096;
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(max_size, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(max_size));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

// True if the text begins like an experiment: an object, perhaps after comments.
bool begins_as_object(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with("//")) return text.starts_with('{');
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
}

}  // namespace

InputKind input_kind(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) {
    const bool is_run = has_entry(path, "model.sculpt") || has_entry(path, "config.json");
    return is_run ? InputKind::run : InputKind::other;
  }
  // A pipe must not be opened: it would wait for a writer.
  if (!fs::is_regular_file(status)) return InputKind::other;
  if (path.extension() == ".sculpt") return InputKind::model;
  if (path.extension() == ".json") return InputKind::experiment;
  const std::string bytes = first_bytes_of(path);
  if (bytes.starts_with(model_magic)) return InputKind::model;
  if (bytes.starts_with("\x7f"
                        "ELF"sv))
    return InputKind::library;
  return begins_as_object(bytes) ? InputKind::experiment : InputKind::other;
}

const char* input_kind_text(InputKind kind) {
  constexpr std::array<const char*, 5> texts = {"a run folder", "a model", "an experiment",
                                                "a library", "another file"};
  return texts[static_cast<std::size_t>(kind)];
}

std::string library_of(const std::string& word) {
  const std::size_t hash = word.rfind(".so#");
  if (hash != std::string::npos) return word.substr(0, hash + library_ending.size());
  return word.ends_with(library_ending) ? word : "";
}

std::string component_of(const std::string& word) {
  const std::size_t library_size = library_of(word).size();
  return library_size == 0 || library_size == word.size() ? "" : word.substr(library_size + 1);
}

fs::path library_path(const Registry& registry, const std::string& word) {
  std::error_code ignored;
  const bool is_path = word.find('/') != std::string::npos;
  fs::path path = fs::absolute(word).lexically_normal();
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && (is_path || !fs::is_directory(status))) return path;
  if (is_path) {
    throw Failure(Exit::plugin, word + ": there is no such library; check the path");
  }
  if (const auto found = registry.find_file(word)) return *found;
  throw Failure(Exit::plugin, word + ": there is no such library here or on the search path; " +
                                  registry.searched_folders_text());
}

std::map<fs::path, std::string> libraries_with_name(Registry& registry, const std::string& name) {
  std::map<fs::path, std::string> words;
  for (const LibraryListing& library : registry.list()) {
    const std::string file = library.file.string();
    if (library.count(name) > 0) {
      words[library.file] = file + "#" + name;
    } else if (library.has_name(name)) {
      words[library.file] = file;
    }
  }
  return words;
}

std::string hidden_name_warning(const std::string& word, InputKind kind,
                                const std::vector<std::string>& others) {
  return word + ": is " + input_kind_text(kind) +
         " here, which is used; for the component or library with this name, write " +
         joined(others, " or ");
}

}  // namespace sculpt::core
