#include "random_topics.hpp"

namespace plugin_test {

std::string RandomTopic::file() const {
  std::string text = "topic t\n";
  int number = 0;
  for (const Document& document : documents) {
    text += "document d" + std::to_string(++number) + " |";
    for (const std::string& subtopic : document.subtopics) text += " " + subtopic;
    text += " |";
    for (const auto& [word, count] : document.words) {
      text += " " + word + ":" + std::to_string(count);
    }
    text += "\n";
  }
  return text;
}

RandomTopic draw_topic(Random& random, int documents) {
  RandomTopic topic;
  topic.documents.resize(static_cast<std::size_t>(documents));
  for (RandomTopic::Document& document : topic.documents) {
    for (const char* subtopic : {"p", "q", "r", "s"}) {
      if (draw(random, 0, 2) == 0) document.subtopics.insert(subtopic);
    }
    for (int word = draw(random, 0, 5); word > 0; --word) {
      ++document.words["w" + std::to_string(draw(random, 1, 8))];
    }
  }
  topic.documents[0].subtopics.insert("p");  // a truth needs a subtopic
  return topic;
}

BoundTopic::BoundTopic(const RandomTopic& topic, const nlohmann::json& dataset,
                       const nlohmann::json& features, const std::string& oracle_name,
                       const nlohmann::json& oracle_parameters)
    : bound("diversity#topics", dataset, topic.file(), "diversity#coverage", features),
      loss("diversity#subtopics"),
      oracle("diversity#" + oracle_name, oracle_parameters) {
  loss.bind(&bound.dataset, &bound.features);
  loss.seal();
  oracle.bind(&bound.dataset, &bound.features, &loss);
  oracle.seal();
}

std::vector<Outputs> all_choices_of(std::int32_t documents, std::int32_t size) {
  if (size == 0) return {{}};
  std::vector<Outputs> all;
  for (std::int32_t last = size - 1; last < documents; ++last) {
    for (Outputs y : all_choices_of(last, size - 1)) {
      y.push_back(last);
      all.push_back(y);
    }
  }
  return all;
}

int covered_weight(const RandomTopic& topic, const Outputs& y, bool uniform) {
  std::set<std::string> covered;
  for (const std::int32_t d : y) {
    const auto& document = topic.documents[static_cast<std::size_t>(d)];
    covered.insert(document.subtopics.begin(), document.subtopics.end());
  }
  int weight = 0;
  for (const std::string& one : covered) {
    for (const RandomTopic::Document& document : topic.documents) {
      if (!uniform && document.subtopics.contains(one)) ++weight;
    }
  }
  return uniform ? static_cast<int>(covered.size()) : weight;
}

std::vector<double> psi_by_words(const RandomTopic& topic, const Outputs& y,
                                 const std::vector<double>& frequency,
                                 const std::vector<int>& counts, bool normalize) {
  std::set<std::string> words;
  for (const auto& document : topic.documents) {
    for (const auto& entry : document.words) words.insert(entry.first);
  }
  std::vector<double> psi;
  for (const int least : counts) {
    const auto covers = [&](const RandomTopic::Document& document, const std::string& word) {
      const auto found = document.words.find(word);
      return found != document.words.end() && found->second >= least;
    };
    std::vector<double> bins(frequency.size() + 1, 0.0);
    for (const std::string& word : words) {
      double having = 0;
      for (const auto& document : topic.documents) having += covers(document, word) ? 1 : 0;
      bool covered = false;
      for (const std::int32_t d : y) {
        covered = covered || covers(topic.documents[static_cast<std::size_t>(d)], word);
      }
      if (!covered) continue;
      std::size_t bin = 0;
      for (const double end : frequency) {
        bin += having / static_cast<double>(topic.documents.size()) >= end ? 1 : 0;
      }
      bins[bin] += normalize ? 1 / static_cast<double>(words.size()) : 1;
    }
    psi.insert(psi.end(), bins.begin(), bins.end());
  }
  return psi;
}

}  // namespace plugin_test
