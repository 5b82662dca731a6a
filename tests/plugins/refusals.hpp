// refusals.hpp - what components say when they refuse what they are given. Used by the tests of
// datasets, grammars and taxonomies.
#pragma once

#include <doctest/doctest.h>

#include "live_component.hpp"

namespace plugin_test {

// What the component says that refuses call(); "accepted" when none does.
template <class Call>
std::string refusal_of(const Call& call) {
  try {
    call();
  } catch (const CallFailed& failure) {
    return failure.what();
  }
  return "accepted";
}

// The same, of calls that are refused with this status.
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

// Of the data that a dataset loads as the split train, or as test behind those in `train`.
inline std::string refused_data(const std::string& dataset_name, const std::string& text,
                                const std::string& train = "",
                                const nlohmann::json& parameters = nlohmann::json::object()) {
  LiveComponent dataset(dataset_name, parameters, SCULPT_KIND_DATASET);
  return refusal_of(SCULPT_E_DATA, [&] {
    if (!train.empty()) dataset.load("train", train);
    dataset.load(train.empty() ? "train" : "test", text);
  });
}

// Of the dataset pairs_fasta, whatever it is that it refuses.
inline std::string refused_pairs(const std::string& text,
                                 const nlohmann::json& parameters = nlohmann::json::object()) {
  return refusal_of(
      [&] { LiveComponent("alignment#pairs_fasta", parameters).load("train", text); });
}

// Of the dataset conll.
inline std::string refused_conll_parameters(const nlohmann::json& parameters) {
  return refusal_of(SCULPT_E_PARAMETER, [&] { LiveComponent dataset("conll", parameters); });
}

// Whether the message has this part; it is shown if not.
inline bool says(const std::string& message, const std::string& part) {
  const bool found = message.find(part) != std::string::npos;
  if (!found) MESSAGE(message);
  return found;
}

}  // namespace plugin_test
