// checkpoint.hpp - the state of a solver on disk, to go on from.
//
//   bytes 0-7    "sculptc\n"
//   bytes 8-15   length of the header, uint64
//   header       JSON: "format", "version", and what the run that wrote it says of itself
//   state        what the solver saved (state_stream.hpp)
//   last 8       XXH3 (64 bit) of all bytes before
//
// All integers little-endian. A folder keeps the last two, last.sculpt and previous.sculpt, each
// whole at any moment. Called by train; read by verify, too.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/file/state_stream.hpp"

namespace sculpt::core {

// Makes the folder if need be, and room for this one by renaming the last to the previous. Streams:
// needs no memory for what `save` writes. Throws Failure(Exit::write), and then the last one stays,
// at worst under the name of the previous.
void write_checkpoint(const std::filesystem::path& folder, const nlohmann::ordered_json& header,
                      const std::function<void(StateWriter&)>& save);

// Whether there is one, damaged or not.
bool has_checkpoint(const std::filesystem::path& folder);

// Removes the previous one.
void drop_previous_checkpoint(const std::filesystem::path& folder);

// The state behind the header of a checkpoint whose checksum is right.
class Checkpoint final : public StateReader {
 public:
  // Throws Failure(Exit::data), or Exit::missing when it cannot be read. `advice`: what to do where
  // its state is of no use, to be added to a sentence.
  explicit Checkpoint(std::filesystem::path path, std::string advice = "");
  ~Checkpoint() override;

  const nlohmann::ordered_json& header() const { return *header_; }
  const std::filesystem::path& path() const { return path_; }

  void read(char* room, std::size_t size) override;
  std::uint64_t left() const override { return left_; }
  [[noreturn]] void refuse(const std::string& what) const override;

 private:
  std::uint64_t check_size();
  void check_sum(std::uint64_t size);
  [[noreturn]] void damaged(const std::string& what) const;

  std::filesystem::path path_;
  std::string advice_;
  std::ifstream file_;
  std::unique_ptr<nlohmann::ordered_json> header_;
  std::uint64_t left_ = 0;
};

// The last one, or where that is damaged the previous one, of which `warn` hears. nullptr: there is
// none. Throws Failure(Exit::data) when none of those there is whole, with `advice` behind it.
std::unique_ptr<Checkpoint> open_checkpoint(const std::filesystem::path& folder,
                                            const std::string& advice,
                                            const std::function<void(const std::string&)>& warn);

}  // namespace sculpt::core
