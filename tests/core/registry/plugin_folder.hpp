// plugin_folder.hpp - a temporary folder of good and bad plugins, for the tests in this folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/refusal.hpp"
#include "core/scratch_folder.hpp"

namespace sculpt::core {

class PluginFolder : public test::ScratchFolder {
 public:
  std::filesystem::path at(const std::string& file) const { return path() / file; }

  // Copies a plugin that CMakeLists.txt builds. Returns the path of the copy.
  std::filesystem::path add(const std::string& plugin, const std::string& file) const {
    std::filesystem::copy_file(std::filesystem::path(SCULPT_TEST_PLUGINS) / (plugin + ".so"),
                               at(file));
    return at(file);
  }
  std::filesystem::path write(const std::string& file, const std::string& bytes) const {
    std::ofstream(at(file), std::ios::binary) << bytes;
    return at(file);
  }
};

inline std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// The text of a sidecar: a library with one component, a loss with this id.
inline std::string sidecar_text(const std::string& id) {
  return R"({"sculpt_sidecar":1,"abi":[0,1],"name":"test","version":"1.0.0",)"
         R"("license":"Apache-2.0","components":[{"id":")" +
         id + R"(","kind":"loss","version":"1.0.0","summary":"listed","traits":[],)" +
         R"("extensions":[],"parameters":[]}]})";
}

}  // namespace sculpt::core
