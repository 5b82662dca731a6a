#include "registry/library.hpp"

#include <boost/dll/shared_library.hpp>
#include <cerrno>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"
#include "base/fork_safe_mutex.hpp"
#include "base/open_calls.hpp"
#include "base/text/message_text.hpp"
#include "registry/catalogue_check.hpp"
#include "registry/elf_image.hpp"

namespace sculpt::core {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& fault) {
  throw Failure(Exit::plugin, "the plugin " + file.string() + " " + fault);
}

// The message of the dynamic loader, without the text that Boost.DLL adds.
std::string linker_text(const std::string& boost_text) {
  const std::string prefix = "dlerror system message: ";
  const std::size_t begin = boost_text.find(prefix);
  const std::size_t end = boost_text.rfind("): ");
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    return boost_text;
  }
  return boost_text.substr(begin + prefix.size(), end - begin - prefix.size());
}

// Never destroyed: destroying the handle would unload the library.
boost::dll::shared_library& open_library(const std::filesystem::path& file) {
  static auto& handles = *new std::vector<std::unique_ptr<boost::dll::shared_library>>;
  try {
    handles.push_back(std::make_unique<boost::dll::shared_library>(
        boost::dll::fs::path(file.string()),
        boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local));
  } catch (const std::exception& error) {
    const std::string text = linker_text(error.what());
    for (const int error_number : {ENOMEM, EMFILE, ENFILE}) {
      if (text.find(std::strerror(error_number)) == std::string::npos) continue;
      throw system_failure(Exit::plugin, "the plugin " + file.string() + " cannot be loaded",
                           error_number);
    }
    refuse(file, "cannot be loaded: " + text);
  }
  return *handles.back();
}

// The name of the library for crash reports; never freed.
const char* permanent_name(const std::filesystem::path& file) {
  static auto& names = *new std::list<std::string>;
  names.push_back(printable(file.filename().string()));
  return names.back().c_str();
}

// Checks and loads the file, and returns its checked catalogue.
const sculpt_plugin* read_catalogue(const std::filesystem::path& file) {
  if (const std::string fault = elf_fault(file); !fault.empty()) refuse(file, fault);
  const CallScope scope({permanent_name(file), "its loading", -1});
  const boost::dll::shared_library& handle = open_library(file);
  if (!handle.has("sculpt_entry")) {
    refuse(file, "has no function sculpt_entry: it is not a sculpt plugin, or it hides the symbol");
  }
  const auto& entry = handle.get<const sculpt_plugin*(sculpt_version)>("sculpt_entry");
  const sculpt_plugin* const catalogue = entry({SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR});
  if (const std::string fault = catalogue_fault(catalogue); !fault.empty()) refuse(file, fault);
  return catalogue;
}

}  // namespace

const Library& Library::load(const std::filesystem::path& file) {
  static auto& loaded = *new std::map<std::filesystem::path, std::unique_ptr<const Library>>;
  const std::lock_guard lock(fork_safe_mutex<Library>());
  std::unique_ptr<const Library>& library = loaded[file.lexically_normal()];
  if (!library) library.reset(new Library(file, read_catalogue(file)));
  return *library;
}

Library Library::lent(const sculpt_plugin* catalogue) {
  const bool has_name = catalogue != nullptr && SCULPT_HAS(catalogue, sculpt_plugin, name) &&
                        catalogue->name != nullptr;
  const std::string name = has_name ? printable(catalogue->name) : "";
  if (const std::string fault = catalogue_fault(catalogue); !fault.empty()) {
    throw Failure(Exit::plugin,
                  "the catalogue " + (name.empty() ? "" : name + " ") + "of the caller " + fault);
  }
  return {name, catalogue};
}

Library::Library(std::filesystem::path file, const sculpt_plugin* catalogue)
    : file_(std::move(file)), catalogue_(catalogue) {
  for (std::int64_t k = 0; k < catalogue->component_count; ++k) {
    const sculpt_component* const component = catalogue->components[k];
    if (!kind_name(component->kind).empty()) components_.push_back(component);
  }
}

}  // namespace sculpt::core
