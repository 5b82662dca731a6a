#include "command/new/plugin_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "command/new/plugin_name.hpp"
#include "command/new/template_file.hpp"

namespace sculpt::core {
namespace {

using Replacement = std::pair<std::string, std::string>;

std::string upper_case(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

// Replaces all in one pass, because a name may contain what is replaced: my_loss_2.
std::string replaced(std::string_view text, const std::vector<Replacement>& replacements) {
  std::string result;
  while (!text.empty()) {
    const Replacement* found = nullptr;
    for (const Replacement& replacement : replacements) {
      if (text.starts_with(replacement.first)) found = &replacement;
    }
    result += found != nullptr ? found->second : std::string(text.substr(0, 1));
    text.remove_prefix(found != nullptr ? found->first.size() : 1);
  }
  return result;
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The words of a source, each with the position behind it.
struct SourceWord {
  std::string_view text;
  std::size_t end;
};
std::vector<SourceWord> source_words(std::string_view source) {
  std::vector<SourceWord> words;
  for (std::size_t k = 0; k < source.size(); ++k) {
    if (!is_word_character(source[k])) continue;
    const std::size_t begin = k;
    while (k < source.size() && is_word_character(source[k])) ++k;
    words.push_back({source.substr(begin, k - begin), k});
  }
  return words;
}

// True if the source declares a type, or has a function in C, with this name.
bool declares(std::string_view source, std::string_view name) {
  constexpr std::array<std::string_view, 4> keywords = {"class", "struct", "enum", "using"};
  const std::vector<SourceWord> words = source_words(source);
  for (std::size_t k = 1; k < words.size(); ++k) {
    if (words[k].text != name) continue;
    const std::size_t end = words[k].end;
    const bool is_function = name[0] >= 'a' && end < source.size() && source[end] == '(';
    const bool is_type =
        std::find(keywords.begin(), keywords.end(), words[k - 1].text) != keywords.end();
    if (is_function || is_type) return true;
  }
  return false;
}

bool is_source(std::string_view path) {
  return path.ends_with(".cpp") || path.ends_with(".c") || path.ends_with(".h");
}

// Refuses a name if one of the identifiers made of it, such as MyTask or my_task_bind, is one that
// the template declares already.
void require_new_identifiers(const std::vector<TemplateFile>& files, const std::string& name,
                             const std::string& placeholder,
                             const std::vector<Replacement>& replacements) {
  for (const TemplateFile& file : files) {
    for (const SourceWord& word : source_words(file.text)) {
      const std::string identifier = replaced(word.text, replacements);
      // The name alone is no identifier, but a word of texts and names of files.
      if (identifier == word.text || word.text == placeholder) continue;
      const bool is_taken =
          identifier == "Session" ||  // the SDK looks for this name in every class
          std::any_of(files.begin(), files.end(),
                      [&](const TemplateFile& other) { return declares(other.text, identifier); });
      if (is_taken) {
        refuse_name(name, "makes the identifier " + identifier +
                              ", which the code of the template needs; choose another one, such "
                              "as my_" +
                              name);
      }
    }
  }
}

}  // namespace

std::vector<NewFile> plugin_files(const PluginKind& kind, bool is_c, const std::string& name) {
  const std::string placeholder = std::string("my_") + kind.name;
  const std::vector<Replacement> replacements = {
      {"my_plugin", name},
      {placeholder, name},
      {class_name_of(placeholder), class_name_of(name)},
      {upper_case(placeholder), upper_case(name)}};  // of include guards
  const auto with_name = [&](std::string_view text) { return replaced(text, replacements); };
  std::vector<NewFile> files;
  std::vector<TemplateFile> sources;
  for (const TemplateFile& file : template_files()) {
    const std::size_t slash = file.path.find('/');
    if (slash == std::string_view::npos) continue;  // the page about the templates
    const std::string_view folder = file.path.substr(0, slash);
    const bool is_used = folder == kind.name || folder == kind.data_folder ||
                         folder == (is_c ? "project_c" : "project_cpp");
    const bool is_of_other_language =
        is_c ? file.path.ends_with(".cpp") : file.path.ends_with(".c") || file.path.ends_with(".h");
    if (!is_used || is_of_other_language) continue;
    if (is_source(file.path)) sources.push_back(file);
    files.push_back({with_name(file.path.substr(slash + 1)), with_name(file.text)});
  }
  require_new_identifiers(sources, name, placeholder, replacements);
  return files;
}

}  // namespace sculpt::core
