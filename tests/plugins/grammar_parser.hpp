// grammar_parser.hpp - the dataset trees, the features grammar, and one oracle for each loss.
// Used by the tests of grammar.
#pragma once

#include "oracle_calls.hpp"

#include <map>

namespace plugin_test {

inline const nlohmann::json every_anchor = {"first_word", "last_word", "length", "split_words"};

// Loads `text`, and `test` if there is any, and binds the features, the losses and one oracle for
// each loss.
struct Parser {
  Parser(const std::string& text, const nlohmann::json& dataset_parameters,
         const nlohmann::json& parameters, const std::string& test = "")
      : dataset("grammar#trees", dataset_parameters),
        features("grammar", parameters, SCULPT_KIND_FEATURES) {
    dataset.load("train", text);
    if (!test.empty()) dataset.load("test", test);
    features.bind(&dataset);
    features.seal();
    for (const char* name : {"zero_one", "item_losses#f1", "item_losses#difference"}) {
      const std::string key(name);
      const std::string id = key.substr(key.find('#') + 1);
      LiveComponent& loss = losses.try_emplace(id, name).first->second;
      loss.bind(&dataset, &features);
      LiveComponent& oracle =
          oracles.try_emplace(id, "grammar", nlohmann::json::object(), SCULPT_KIND_ORACLE)
              .first->second;
      oracle.bind(&dataset, &features, &loss);
    }
  }
  const LiveComponent& oracle(const std::string& loss = "zero_one") const {
    return oracles.at(loss);
  }

  LiveComponent dataset;
  LiveComponent features;
  std::map<std::string, LiveComponent> losses;
  std::map<std::string, LiveComponent> oracles;
};

inline nlohmann::json word_parameters(const nlohmann::json& more = nlohmann::json::object()) {
  nlohmann::json parameters = {{"terminals", "words"}, {"rare", 0}};
  parameters.update(more);
  return parameters;
}

// A query without a truth, with all weights 0.
inline OracleQuery unlabelled(const Parser& parser, std::int64_t example) {
  OracleQuery query{
      example, std::vector<double>(static_cast<std::size_t>(dimension(parser.features)), 0.0), {}};
  query.labelled = false;
  return query;
}

}  // namespace plugin_test
