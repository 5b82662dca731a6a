// forged_run.hpp - run folders that somebody changed, with checksums that are right again.
//
// For the tests of verify; files are read and written by the host's own code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace sculpt::test {

// Changes the header and the weights of the model in a run folder.
void forge_model(
    const std::filesystem::path& run,
    const std::function<void(nlohmann::ordered_json& header, std::vector<double>& weights)>& forge);

// What the last checkpoint of a run says of a plane (a, b).
struct SavedPlane {
  double alpha;
  double b;
};

// Changes the plane of the largest alpha; returns its example. Requires a run of n_slack.
std::int64_t forge_heaviest_plane(const std::filesystem::path& run,
                                  const std::function<void(SavedPlane&)>& forge);

}  // namespace sculpt::test
