// refusals.hpp - the messages with which components refuse data and parameters. Used by the tests
// of datasets, grammars and taxonomies.
#pragma once

#include <doctest/doctest.h>

#include "live_component.hpp"

namespace plugin_test {

// The message with which call() is refused, or "accepted".
template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const CallFailed& failure) {
    return failure.what();
  }
  return "accepted";
}

// The same. Checks that a refusal has this status.
template <class Call>
std::string refusal_of(sculpt_status status, const Call& call) {
  return refusal_of([&] {
    try {
      call();
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == status);
      throw;
    }
  });
}

// Loads `text` as the split train; or as the split test, after `train`, if that is not empty.
inline std::string refused_data(const std::string& dataset_name, const std::string& text,
                                const std::string& train = "",
                                const nlohmann::json& parameters = nlohmann::json::object()) {
  LiveComponent dataset(dataset_name, parameters, SCULPT_KIND_DATASET);
  return refusal_of(SCULPT_E_DATA, [&] {
    if (!train.empty()) dataset.load("train", train);
    dataset.load(train.empty() ? "train" : "test", text);
  });
}

// The dataset pairs_fasta; any status.
inline std::string refused_pairs(const std::string& text,
                                 const nlohmann::json& parameters = nlohmann::json::object()) {
  return refusal_of(
      [&] { LiveComponent("alignment#pairs_fasta", parameters).load("train", text); });
}

// The dataset conll.
inline std::string refused_conll_parameters(const nlohmann::json& parameters) {
  return refusal_of(SCULPT_E_PARAMETER, [&] { LiveComponent dataset("conll", parameters); });
}

// Whether the message has this part. Prints the message if not.
inline bool contains(const std::string& message, const std::string& part) {
  const bool found = message.find(part) != std::string::npos;
  if (!found) MESSAGE(message);
  return found;
}

}  // namespace plugin_test
