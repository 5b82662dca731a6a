#include "command/new/plugin_files.hpp"

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
  for (const TemplateFile& file : template_files()) {
    const std::size_t slash = file.path.find('/');
    if (slash == std::string_view::npos) continue;  // the page about the templates
    const std::string_view folder = file.path.substr(0, slash);
    const bool is_used = folder == kind.name || folder == kind.data_folder ||
                         folder == (is_c ? "project_c" : "project_cpp");
    const bool is_of_other_language =
        is_c ? file.path.ends_with(".cpp") : file.path.ends_with(".c") || file.path.ends_with(".h");
    if (!is_used || is_of_other_language) continue;
    files.push_back({with_name(file.path.substr(slash + 1)), with_name(file.text)});
  }
  return files;
}

}  // namespace sculpt::core
