// stored_json.hpp - JSON that is read back from files of runs, sweeps and plugins.
//
// Such a file may be damaged, or made by someone who means harm. Its JSON may have any values.
// Called by all folders that read such files. Experiments are read by experiment/ instead.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/failure.hpp"

namespace sculpt::core {

// The value of a JSON text. Discarded (is_discarded()) if it is no JSON, or has more than 100
// levels. So code that walks the value cannot overflow the stack.
nlohmann::ordered_json parse_stored_json(std::string_view text);

// The JSON object in a file. null if the file does not exist or has no object. Throws Failure(exit)
// if it cannot be opened.
nlohmann::ordered_json read_stored_object(const std::filesystem::path& path, Exit exit);

// Returns the result of `read`, which reads values of the file `path`. If a value is missing or has
// the wrong type, throws Failure(Exit::data), with `advice` at the end: "; what to do".
template <class Function>
auto read_stored_values(const std::filesystem::path& path, const std::string& advice,
                        Function&& read) {
  try {
    return read();
  } catch (const nlohmann::ordered_json::exception&) {
    throw Failure(Exit::data, path.string() +
                                  ": a value in it is missing or has the wrong type; the file is "
                                  "damaged" +
                                  advice);
  }
}

}  // namespace sculpt::core
