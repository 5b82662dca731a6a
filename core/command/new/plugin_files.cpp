#include "command/new/plugin_files.hpp"

#include <string_view>

#include "command/new/plugin_name.hpp"
#include "command/new/template_file.hpp"

namespace sculpt::core {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace

std::vector<NewFile> plugin_files(const PluginKind& kind, bool is_c, const std::string& name) {
  const std::string placeholder = std::string("my_") + kind.name;
  const auto with_name = [&](std::string_view text) {
    std::string result = replaced(std::string(text), "my_plugin", name);
    result = replaced(std::move(result), placeholder, name);
    return replaced(std::move(result), class_name_of(placeholder), class_name_of(name));
  };
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
