// content_hash.hpp - the hash that stands for a data file in models and run folders.
#pragma once

#include <string>
#include <string_view>

namespace sculpt::core {

// "xxh3:" and 16 hexadecimal digits: XXH3 (64 bit) of the bytes.
std::string content_hash(std::string_view bytes);

// The same of a file. Throws Failure(Exit::missing) when it cannot be read.
std::string file_hash(const std::string& path);

}  // namespace sculpt::core
