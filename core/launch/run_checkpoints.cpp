#include "launch/run_checkpoints.hpp"

#include <utility>

#include "base/failure.hpp"
#include "launch/stop_signal.hpp"

namespace sculpt::core {

using Json = nlohmann::ordered_json;

RunCheckpoints::RunCheckpoints(std::filesystem::path folder, Json identity, double every,
                               std::function<RunProgress()> so_far,
                               std::unique_ptr<Checkpoint> earlier, Console& console)
    : folder_(std::move(folder)),
      identity_(std::move(identity)),
      every_(every),
      so_far_(std::move(so_far)),
      earlier_(std::move(earlier)),
      console_(console) {}

bool RunCheckpoints::due() {
  const bool asked = take_checkpoint_request();
  return asked || since_last_.seconds() >= every_;
}

bool RunCheckpoints::due_within_pass() {
  return every_ > 0 ? due() : take_checkpoint_request();
}

void RunCheckpoints::write(std::int64_t reported, const std::function<void(StateWriter&)>& save) {
  const RunProgress so_far = so_far_();
  Json header = {
      {"pass", reported}, {"seconds", so_far.seconds}, {"reading_seconds", so_far.reading}};
  header.update(identity_);
  try {
    write_checkpoint(folder_, header, save);
    refusal_.clear();
  } catch (const Failure& failure) {
    // Warns once: a full disk stays full.
    if (failure.what() != refusal_) {
      console_.warn(failure.what() + std::string("; the run goes on without this checkpoint"));
    }
    refusal_ = failure.what();
  }
  since_last_ = Stopwatch();
}

RunProgress progress_in(const Checkpoint& checkpoint) {
  const Json& header = checkpoint.header();
  const Json pass = header.value("pass", Json());
  bool sound = pass.is_number_integer() && pass.get<std::int64_t>() >= 0;
  for (const char* key : {"seconds", "reading_seconds"}) {
    const Json seconds = header.value(key, Json());
    sound = sound && seconds.is_number() && seconds.get<double>() >= 0;
  }
  checkpoint.require(sound, "it does not say how far the run was");
  return {pass.get<std::int64_t>(), header["seconds"].get<double>(),
          header["reading_seconds"].get<double>()};
}

}  // namespace sculpt::core
