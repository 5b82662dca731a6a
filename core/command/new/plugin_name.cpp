#include "command/new/plugin_name.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "base/failure.hpp"
#include "experiment/kernel_keys.hpp"
#include "solver/catalogue/solver_list.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t longest_name = 64;

// The keywords of C and C++ in small letters, up to C23 and C++20.
constexpr std::array keywords = {"alignas",
                                 "alignof",
                                 "and",
                                 "and_eq",
                                 "asm",
                                 "auto",
                                 "bitand",
                                 "bitor",
                                 "bool",
                                 "break",
                                 "case",
                                 "catch",
                                 "char",
                                 "char16_t",
                                 "char32_t",
                                 "char8_t",
                                 "class",
                                 "co_await",
                                 "co_return",
                                 "co_yield",
                                 "compl",
                                 "concept",
                                 "const",
                                 "const_cast",
                                 "consteval",
                                 "constexpr",
                                 "constinit",
                                 "continue",
                                 "decltype",
                                 "default",
                                 "delete",
                                 "do",
                                 "double",
                                 "dynamic_cast",
                                 "else",
                                 "enum",
                                 "explicit",
                                 "export",
                                 "extern",
                                 "false",
                                 "float",
                                 "for",
                                 "friend",
                                 "goto",
                                 "if",
                                 "inline",
                                 "int",
                                 "long",
                                 "mutable",
                                 "namespace",
                                 "new",
                                 "noexcept",
                                 "not",
                                 "not_eq",
                                 "nullptr",
                                 "operator",
                                 "or",
                                 "or_eq",
                                 "private",
                                 "protected",
                                 "public",
                                 "register",
                                 "reinterpret_cast",
                                 "requires",
                                 "restrict",
                                 "return",
                                 "short",
                                 "signed",
                                 "sizeof",
                                 "static",
                                 "static_assert",
                                 "static_cast",
                                 "struct",
                                 "switch",
                                 "template",
                                 "this",
                                 "thread_local",
                                 "throw",
                                 "true",
                                 "try",
                                 "typedef",
                                 "typeid",
                                 "typename",
                                 "typeof",
                                 "typeof_unqual",
                                 "union",
                                 "unsigned",
                                 "using",
                                 "virtual",
                                 "void",
                                 "volatile",
                                 "wchar_t",
                                 "while",
                                 "xor",
                                 "xor_eq"};

// CMake reserves these names of targets.
constexpr std::array cmake_targets = {"all",        "clean",         "depend",  "edit_cache",
                                      "help",       "install",       "package", "package_source",
                                      "preinstall", "rebuild_cache", "test"};

template <std::size_t size>
bool is_among(const std::array<const char*, size>& words, std::string_view name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

}  // namespace

void refuse_name(const std::string& name, const std::string& reason) {
  throw Failure(Exit::usage, "the name '" + name + "' " + reason);
}

void require_plugin_name(const std::string& name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  const bool is_word = !name.empty() && name[0] >= 'a' && name[0] <= 'z' &&
                       std::all_of(name.begin(), name.end(), is_allowed);
  if (!is_word) {
    refuse_name(name,
                "is no name of a plugin; use small letters, digits and _, with a letter first, "
                "such as my_tagger");
  }
  if (name.size() > longest_name) {
    refuse_name(name, "is too long; use at most " + std::to_string(longest_name) + " characters");
  }
  if (name.find("__") != std::string::npos || name.back() == '_') {
    refuse_name(name, "has a _ at its end or twice in a row; use single ones between words");
  }
  if (is_among(keywords, name)) {
    refuse_name(name, "is a keyword of C or C++; choose another one, such as my_" + name);
  }
  if (is_among(cmake_targets, name)) {
    refuse_name(name, "is a target that CMake reserves; choose another one, such as my_" + name);
  }
  if (name.starts_with("sculpt")) {
    refuse_name(name, "begins with sculpt, as the names of the SDK do; choose another one");
  }
}

void require_free_name(Registry& registry, const std::string& name) {
  std::string owner;
  for (const LibraryListing& library : registry.list()) {
    if (owner.empty() && (library.has_name(name) || library.count(name) > 0)) {
      owner = library.file.string();
    }
  }
  const bool is_of_host = find_solver(name) != nullptr || belongs_to_host(name);
  if (owner.empty() && is_of_host) owner = "this program";
  if (owner.empty()) return;
  refuse_name(name, "is already used by " + owner +
                        ", and experiments could not tell the two apart; choose another one");
}

std::string class_name_of(const std::string& name) {
  std::string result;
  bool begins_word = true;
  for (const char c : name) {
    const bool is_first = begins_word;
    begins_word = c == '_';
    if (begins_word) continue;
    result += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
  }
  // Names without a small letter may be macros: NAN, EOF.
  const bool has_small_letter =
      std::any_of(result.begin(), result.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (has_small_letter) return result;
  for (std::size_t k = 1; k < result.size(); ++k) {
    result[k] = static_cast<char>(std::tolower(static_cast<unsigned char>(result[k])));
  }
  return result;
}

}  // namespace sculpt::core
