// input_word.hpp - what a word of the command line means, if it may be a path or a name.
//
// Called by describe and check. A word with a slash is a path. Without one it may be the name of a
// component, and of something else in the working directory, such as a folder of sources. So a file
// or folder without a slash counts only if its content is what the command needs.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "registry/registry.hpp"

namespace sculpt::core {

// What a path leads to. `run`: a folder with a model or a config. `other`: nothing, or a file or
// folder that no command reads.
enum class InputKind { run, model, experiment, library, other };

// Goes by the content. The endings .sculpt and .json of a file decide before its content.
InputKind input_kind(const std::filesystem::path& path);

// The name of the kind, with an article: "a run folder".
const char* input_kind_text(InputKind kind);

// "file.so#name" without "#name". Empty if the word names no library.
std::string library_of(const std::string& word);
// The part after "#"; empty if there is none.
std::string component_of(const std::string& word);

// The absolute path of a library: a path, or the name of a file in the working directory or on the
// search path. `word`: ends with ".so". Throws Failure(Exit::plugin) if there is none.
std::filesystem::path library_path(const Registry& registry, const std::string& word);

// The libraries that have this name, or a component with it. The value is the word that names only
// this one: "/path/file.so#name", or "/path/file.so" for the name of the library.
std::map<std::filesystem::path, std::string> libraries_with_name(Registry& registry,
                                                                 const std::string& name);

// The warning that a word means a file or folder here, although components have the name, too.
// `others`: the words for these.
std::string hidden_name_warning(const std::string& word, InputKind kind,
                                const std::vector<std::string>& others);

}  // namespace sculpt::core
