// random_topics.hpp - small topics with words and subtopics, their outputs, and the subtopics and
// words that an output covers, computed with sets of names.
//
// Used by the tests of diversity.
#pragma once

#include "bound_features.hpp"
#include "oracle_calls.hpp"

#include <set>

namespace plugin_test {

struct RandomTopic {
  struct Document {
    std::set<std::string> subtopics;
    std::map<std::string, int> words;  // word: number of times
  };
  std::vector<Document> documents;
  std::string file() const;
};
// Few words and subtopics, so that values tie. A document may have no words or no subtopics.
RandomTopic draw_topic(Random& random, int documents);

// The topic, with features, the loss and an oracle bound to it.
struct BoundTopic {
  BoundTopic(const RandomTopic& topic, const nlohmann::json& dataset,
             const nlohmann::json& features, const std::string& oracle_name,
             const nlohmann::json& oracle_parameters = nlohmann::json::object());
  BoundFeatures bound;
  LiveComponent loss;
  LiveComponent oracle;
};

// All choices of `size` documents among `documents`, each in ascending order.
std::vector<Outputs> all_choices_of(std::int32_t documents, std::int32_t size);

// The weight of the subtopics that y covers. A subtopic weighs the number of its documents, or 1 if
// `uniform`.
int covered_weight(const RandomTopic& topic, const Outputs& y, bool uniform);

// psi word by word: [level][bin]. The bins end at these shares of the candidates.
std::vector<double> psi_by_words(const RandomTopic& topic, const Outputs& y,
                                 const std::vector<double>& frequency,
                                 const std::vector<int>& counts, bool normalize);

}  // namespace plugin_test
