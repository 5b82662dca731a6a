// model.hpp - a model in memory, for the C API.
#pragma once

#include <sculpt/host/model.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "model/model_file.hpp"

struct sculpt_model {
  std::string bytes;  // of the model file
  std::shared_ptr<const sculpt::core::ModelFile> file;
  std::string header;  // JSON
  std::mutex mutex;    // of `names`
  std::string names;   // of the weights, once they were asked for
};

namespace sculpt::core {

// `bytes`: of a model file. `name`: in messages. Throws Failure(Exit::data).
std::unique_ptr<sculpt_model> model_of_bytes(std::string bytes, const std::filesystem::path& name);
// `path`: a model file or a run folder. Throws Failure: Exit::missing, Exit::data.
std::unique_ptr<sculpt_model> model_of_file(std::filesystem::path path);

}  // namespace sculpt::core
