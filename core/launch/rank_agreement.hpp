// rank_agreement.hpp - before the first pass, all ranks must have the same run: version, settings,
// data, plugins, and what the components learned from the data.
//
// Called by train; by predict, evaluate and verify for what they read. Files and libraries come
// from the disks of several machines, which may differ.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "parallel/ranks/ranks.hpp"

namespace sculpt::core {

// Compares the identities of all ranks, objects of values or of further objects. Throws on all
// ranks: RankFailure with the first rank that differs from rank 0, its host, and what differs.
// Exit::data if it is below "data", Exit::plugin below "libraries", else Exit::config.
void require_one_run(Ranks& ranks, const nlohmann::ordered_json& identity);

// The path and the values of the first difference: "data/train is 12ab.., and 34cd.. on rank 0".
// "": none.
std::string first_difference(const nlohmann::ordered_json& own,
                             const nlohmann::ordered_json& first);

}  // namespace sculpt::core
