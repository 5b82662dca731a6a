// made_up_words.hpp - an experiment without data files for the micro-benchmarks. A word is about as
// large as one of ocr_small.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "experiment/json_document.hpp"

namespace sculpt::core::bench {

constexpr int letters_of_word = 8;
constexpr int pixels_of_letter = 128;

// Returns words of eight letters, in which each letter from a to z occurs. A quarter of the pixels
// is set.
inline std::string made_up_words() {
  std::mt19937 random(1);
  std::string rows;
  for (int letter = 0; letter < 26 || letter % letters_of_word != 0; ++letter) {
    const int position = letter % letters_of_word;
    rows += std::to_string(letter / letters_of_word) + " 0 " + std::to_string(position) + ' ';
    rows += static_cast<char>('a' + letter % 26);
    rows += position + 1 < letters_of_word ? " 1 " : " 0 ";
    for (int pixel = 0; pixel < pixels_of_letter; ++pixel) rows += random() % 4 == 0 ? '1' : '0';
    rows += '\n';
  }
  return rows;
}

inline JsonDocument made_up_experiment() {
  const nlohmann::ordered_json experiment = {
      {"name", "made_up_words"},
      {"dataset", {{"use", "letters"}, {"train", {{"text", made_up_words()}}}}},
      {"features", {{"use", "chain"}, {"bias", true}, {"start_end", false}}},
      {"loss", "hamming"},
      {"oracle", "viterbi"},
      {"solver", {{"use", "n_slack"}, {"C", 100}}}};
  return JsonDocument::parse(experiment.dump(), {"made_up_words", ""});
}

}  // namespace sculpt::core::bench
