// model_file.hpp - model.sculpt: everything that prediction needs, in one file.
//
// Called by command, launch and sweep/runs.
//
//   bytes 0-7    "sculpt1\n"
//   bytes 8-15   length of the header, uint64
//   header       JSON, padded with spaces so that the arrays are aligned to 64 bytes
//   arrays       raw little-endian, at the offsets that the header names
//   last 8       XXH3 (64 bit) of all bytes before
//
// All integers are little-endian. The object "arrays" of the header maps a name to {"dtype",
// "shape", "offset"}: "weights" ("<f8", [dimension]) and "state.<kind>" ("|u1", [bytes]). Equal
// models have equal bytes: there are no times and no paths.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "linalg/vector.hpp"

namespace sculpt::core {

// The first bytes of every model file.
inline constexpr std::string_view model_magic = "sculpt1\n";

struct ModelParts {
  // The header without "format", "version" and "arrays".
  const nlohmann::ordered_json& header;
  const Vector& weights;
  const std::map<std::string, std::string>& states;  // kind of component -> its state
};

// Writes a model file. Throws Failure(Exit::write_failed).
void write_model(const std::filesystem::path& path, const ModelParts& parts);

// The bytes of a model file. `path`: the file, or a run folder with one; becomes the file. Throws
// Failure(Exit::missing).
std::string read_model_bytes(std::filesystem::path& path);

class ModelFile {
 public:
  // `path`: a model file or a run folder with one. Checks magic, lengths and checksum before it
  // allocates memory for them. Throws Failure: Exit::missing, or Exit::data if the file is damaged.
  explicit ModelFile(const std::filesystem::path& path);
  // The same for the bytes of a model file. `name`: in messages.
  ModelFile(const std::filesystem::path& name, std::string_view bytes);
  ~ModelFile();
  ModelFile(ModelFile&&) noexcept;

  const nlohmann::ordered_json& header() const;
  const Vector& weights() const { return weights_; }
  const std::map<std::string, std::string>& states() const { return states_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void read(std::string_view bytes);

  std::filesystem::path path_;
  std::unique_ptr<nlohmann::ordered_json> header_;
  Vector weights_;
  std::map<std::string, std::string> states_;
};

}  // namespace sculpt::core
