// forged_run.hpp - changes files of a run folder and corrects their checksums.
//
// For the tests of verify. The host's own code reads and writes the files.
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

// The values of a plane (a, b) in the last checkpoint of a run.
struct SavedPlane {
  double alpha;
  double b;
};

// Changes the last byte of the support atoms of the model.
void forge_support_atom(const std::filesystem::path& run);

// Changes the plane with the largest alpha and returns its example. Requires a run of n_slack. With
// a kernel the dataset must have no other split than "train".
std::int64_t forge_heaviest_plane(const std::filesystem::path& run,
                                  const std::function<void(SavedPlane&)>& forge);

}  // namespace sculpt::test
