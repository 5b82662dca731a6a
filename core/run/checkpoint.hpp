// checkpoint.hpp - the state of a solver on disk, to resume from.
//
//   bytes 0-7    "sculptc\n"
//   bytes 8-15   length of the header, uint64
//   header       JSON: "format", "version", and the identity of the run that wrote it
//   state        what the solver saved (state_stream.hpp)
//   last 8       XXH3 (64 bit) of all bytes before
//
// All integers are little-endian. A folder keeps the last two checkpoints, last.sculpt and
// previous.sculpt. Each of them is complete at any moment. Called by train. verify reads them too.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/file/state_stream.hpp"

namespace sculpt::core {

// Writes last.sculpt. Makes the folder if necessary, and renames the last checkpoint to the
// previous one. Streams: needs no memory for what `save` writes. Throws
// Failure: Exit::write_failed, or Exit::cannot_create for a link. If it throws, the last checkpoint
// is kept, possibly under the name of the previous one.
void write_checkpoint(const std::filesystem::path& folder, const nlohmann::ordered_json& header,
                      const std::function<void(StateWriter&)>& save);

// True if there is a checkpoint, damaged or not.
bool has_checkpoint(const std::filesystem::path& folder);

// Removes the previous checkpoint. Called once the run has ended and its model is written.
void drop_previous_checkpoint(const std::filesystem::path& folder);

// The state after the header of a checkpoint with a valid checksum.
class Checkpoint final : public StateReader {
 public:
  // Throws Failure: Exit::data if it is damaged, Exit::missing if it cannot be read. `advice`:
  // added to messages; what to do if the state cannot be used.
  explicit Checkpoint(std::filesystem::path path, std::string advice = "");
  ~Checkpoint() override;

  const nlohmann::ordered_json& header() const { return *header_; }
  const std::filesystem::path& path() const { return path_; }

  // Reads the next `size` bytes of the state.
  void read(char* buffer, std::size_t size) override;
  // The bytes of the state that are not read yet.
  std::uint64_t bytes_left() const override { return left_; }
  // Throws Failure(Exit::data) with `what` and the advice.
  [[noreturn]] void refuse(const std::string& what) const override;

 private:
  std::uint64_t check_magic();
  void verify_checksum(std::uint64_t size);
  [[noreturn]] void refuse_damaged(const std::string& what) const;

  std::filesystem::path path_;
  std::string advice_;
  std::ifstream file_;
  std::unique_ptr<nlohmann::ordered_json> header_;
  std::uint64_t left_ = 0;
};

// The last checkpoint. If it is damaged, calls `warn` and returns the previous one. nullptr if
// there is none. Throws Failure(Exit::data), followed by `advice`, if there are checkpoints but all
// are damaged.
std::unique_ptr<Checkpoint> open_checkpoint(const std::filesystem::path& folder,
                                            const std::string& advice,
                                            const std::function<void(const std::string&)>& warn);

}  // namespace sculpt::core
