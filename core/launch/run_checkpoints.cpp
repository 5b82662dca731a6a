#include "launch/run_checkpoints.hpp"

#include <utility>

#include "base/failure.hpp"
#include "base/surroundings.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

RunCheckpoints::RunCheckpoints(std::filesystem::path folder, Json identity, double interval,
                               std::function<RunProgress()> get_progress,
                               std::unique_ptr<Checkpoint> resumed_checkpoint, Console& console,
                               bool writes)
    : folder_(std::move(folder)),
      identity_(std::move(identity)),
      interval_(interval),
      get_progress_(std::move(get_progress)),
      resumed_checkpoint_(std::move(resumed_checkpoint)),
      console_(console),
      writes_(writes) {}

bool RunCheckpoints::is_due() {
  if (!writes_) return false;
  const bool is_requested = consume_checkpoint_request();
  return is_requested || time_since_write_.seconds() >= interval_;
}

bool RunCheckpoints::is_due_within_pass() {
  if (!writes_) return false;
  return interval_ > 0 ? is_due() : consume_checkpoint_request();
}

void RunCheckpoints::write(std::int64_t reported_passes,
                           const std::function<void(StateWriter&)>& save) {
  if (!writes_) return;
  const RunProgress progress = get_progress_();
  Json header = {{"pass", reported_passes},
                 {"seconds", progress.seconds},
                 {"reading_seconds", progress.reading_seconds}};
  header.update(identity_);
  try {
    write_checkpoint(folder_, header, save);
    write_error_.clear();
  } catch (const Failure& failure) {
    // Warns once: a full disk stays full.
    if (failure.what() != write_error_) {
      console_.warn(failure.what() + std::string("; the run continues without this checkpoint"));
    }
    write_error_ = failure.what();
  }
  time_since_write_ = Stopwatch();
}

RunProgress progress_in(const Checkpoint& checkpoint) {
  const Json& header = checkpoint.header();
  const Json pass = header.value("pass", Json());
  constexpr std::uint64_t max_pass = std::uint64_t{1} << 53;  // small enough to be counted further
  bool is_valid = pass.is_number_unsigned() && pass.get<std::uint64_t>() <= max_pass;
  for (const char* key : {"seconds", "reading_seconds"}) {
    const Json seconds = header.value(key, Json());
    is_valid = is_valid && seconds.is_number() && seconds.get<double>() >= 0;
  }
  checkpoint.require(is_valid, "its header does not contain the progress of the run");
  return {pass.get<std::int64_t>(), header["seconds"].get<double>(),
          header["reading_seconds"].get<double>()};
}

}  // namespace sculpt::core
