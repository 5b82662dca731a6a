#include "library/model.hpp"

#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/file/durable_file.hpp"
#include "command/inputs/loaded_model.hpp"
#include "library/session.hpp"

namespace sculpt::core {

std::unique_ptr<sculpt_model> model_of_bytes(std::string bytes, const std::filesystem::path& name) {
  auto model = std::make_unique<sculpt_model>();
  model->bytes = std::move(bytes);
  model->file = std::make_shared<const ModelFile>(name, model->bytes);
  model->header = model->file->header().dump();
  return model;
}

std::unique_ptr<sculpt_model> model_of_file(std::filesystem::path path) {
  std::string bytes = read_model_bytes(path);
  return model_of_bytes(std::move(bytes), path);
}

}  // namespace sculpt::core

using namespace sculpt::core;

sculpt_exit sculpt_model_open(const char* path, sculpt_model** model, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_model_open";
    require_pointer(model, function, "model");
    *model = nullptr;
    require_pointer(path, function, "path");
    *model = model_of_file(path).release();
    return Exit::reached;
  });
}

sculpt_exit sculpt_model_from_bytes(const void* bytes, std::int64_t size, sculpt_model** model,
                                    sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_model_from_bytes";
    require_pointer(model, function, "model");
    *model = nullptr;
    require_pointer(bytes, function, "bytes");
    if (size < 0) throw Failure(Exit::usage, std::string(function) + ": size is below 0");
    *model = model_of_bytes({static_cast<const char*>(bytes), static_cast<std::size_t>(size)},
                            "the bytes of a model")
                 .release();
    return Exit::reached;
  });
}

const void* sculpt_model_bytes(const sculpt_model* model, std::int64_t* size) {
  if (size != nullptr) *size = model == nullptr ? 0 : std::ssize(model->bytes);
  return model == nullptr ? nullptr : model->bytes.data();
}

sculpt_exit sculpt_model_save(const sculpt_model* model, const char* path,
                              sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_model_save";
    require_pointer(model, function, "the model");
    require_pointer(path, function, "path");
    const std::array<std::string_view, 1> parts{model->bytes};
    write_durably(path, parts);
    return Exit::reached;
  });
}

const char* sculpt_model_header(const sculpt_model* model) {
  return model == nullptr ? "" : model->header.c_str();
}

const double* sculpt_model_weights(const sculpt_model* model, std::int64_t* dimension) {
  if (dimension != nullptr) *dimension = model == nullptr ? 0 : std::ssize(model->file->weights());
  return model == nullptr ? nullptr : model->file->weights().data();
}

sculpt_exit sculpt_model_weight_names(sculpt_session* session, sculpt_model* model,
                                      const char** names, sculpt_failure** failure) {
  return guarded_call(failure, [&] {
    constexpr const char* function = "sculpt_model_weight_names";
    require_pointer(names, function, "names");
    *names = nullptr;
    require_pointer(model, function, "the model");
    SessionCall call(session, function);
    const std::lock_guard lock(model->mutex);
    if (model->names.empty()) {
      LoadedModel loaded(model->file, std::nullopt, 1, {}, PipeReading::whole,
                         Console::Prints::warnings);
      Problem& problem = loaded.problem();
      for (std::int64_t k = 0; k < problem.dimension(); ++k) {
        model->names += problem.features().weight_name(k) + "\n";
      }
    }
    *names = model->names.c_str();
    return Exit::reached;
  });
}

void sculpt_model_free(sculpt_model* model) {
  delete model;
}
