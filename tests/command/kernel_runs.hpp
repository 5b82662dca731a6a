// kernel_runs.hpp - small experiments that train with a kernel in almost no time.
//
// Used by the tests of kernels and of loo. All data are drawn from fixed seeds.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "command/host_process.hpp"

namespace sculpt::test {

// [rows][columns] normal numbers.
inline std::vector<std::vector<double>> random_rows(int rows, int columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<double>> out;
  for (int i = 0; i < rows; ++i) {
    std::vector<double> row;
    for (int j = 0; j < columns; ++j) {
      double sum = -6;  // of twelve uniform numbers: nearly normal, the same with every library
      for (int k = 0; k < 12; ++k) sum += static_cast<double>(random() % 1000000) / 1e6;
      row.push_back(sum);
    }
    out.push_back(row);
  }
  return out;
}

inline std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// "1:0.5 2:-1"
inline std::string svmlight(const std::vector<double>& row) {
  std::string text;
  for (std::size_t j = 0; j < row.size(); ++j) {
    text += " " + std::to_string(j + 1) + ":" + number(row[j]);
  }
  return text;
}

// Row i has class 1 + i mod 3, which some columns show.
inline std::vector<std::vector<double>> class_rows(int rows = 36) {
  std::vector<std::vector<double>> out = random_rows(rows, 3, 5);
  for (std::size_t i = 0; i < out.size(); ++i) out[i][i % 3] += 1.5;
  return out;
}

// The products of which (1 + <a, b>)^2 is a sum: 1, sqrt(2) a_i, a_i^2 and sqrt(2) a_i a_j.
inline std::vector<std::vector<double>> quadratic_rows(
    const std::vector<std::vector<double>>& rows) {
  std::vector<std::vector<double>> out;
  for (const std::vector<double>& a : rows) {
    std::vector<double> row{1};
    for (std::size_t i = 0; i < a.size(); ++i) {
      row.push_back(std::sqrt(2) * a[i]);
      row.push_back(a[i] * a[i]);
      for (std::size_t j = 0; j < i; ++j) row.push_back(std::sqrt(2) * a[i] * a[j]);
    }
    out.push_back(row);
  }
  return out;
}

inline std::string class_text(const std::vector<std::vector<double>>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += std::to_string(1 + i % 3) + svmlight(rows[i]) + "\n";
  }
  return text;
}

inline Json experiment_of(const std::string& dataset, const std::string& text, Json features,
                          const std::string& loss, const std::string& oracle) {
  return {{"name", "small"},
          {"dataset", {{"use", dataset}, {"train", {{"text", text}}}}},
          {"features", std::move(features)},
          {"loss", loss},
          {"oracle", oracle},
          {"solver", {{"use", "n_slack"}, {"C", 20}, {"relative_gap", 1e-7}}}};
}

inline Json multiclass_experiment() {
  return experiment_of("svmlight", class_text(class_rows()), "multiclass", "zero_one", "viterbi");
}

// Words of two to five letters, or of this length.
inline Json chain_experiment(int fixed_length = 0) {
  std::string text;
  std::mt19937_64 random(9);
  for (int word = 0; word < 14; ++word) {
    const int drawn = 2 + static_cast<int>(random() % 4);
    const int length = fixed_length > 0 ? fixed_length : drawn;
    for (int t = 0; t < length; ++t) {
      const int label = static_cast<int>(random() % 3);
      text += std::to_string(word) + " 0 " + std::to_string(t) + " " +
              static_cast<char>('a' + label) + (t + 1 < length ? " 1" : " 0");
      for (int input = 0; input < 4; ++input) {
        text += (input == label) != (random() % 4 == 0) ? " 1" : " 0";
      }
      text += "\n";
    }
  }
  return experiment_of("letters", text, "chain", "hamming", "viterbi");
}

inline Json multilabel_experiment() {
  std::string text;
  const auto rows = random_rows(24, 3, 6);
  for (const std::vector<double>& row : rows) {
    text += row[0] > 0 ? (row[1] > 0.3 ? "1,2" : "1") : (row[2] > 0 ? "2,3" : "3");
    text += svmlight(row) + "\n";
  }
  return experiment_of("mlsvml", text, "multilabel", "hamming", "enumerate");
}

inline Json contingency_experiment() {
  std::string text;
  for (const std::vector<double>& row : random_rows(40, 3, 7)) {
    text += (row[0] + 0.5 * row[1] > 0 ? "1" : "-1") + svmlight({row[1], row[2], row[0]}) + "\n";
  }
  return experiment_of("svmlight_set", text, "contingency", "error_rate", "contingency");
}

// Documents of four items. Pairs are the same if the items have the same parity, mostly shown by
// the first columns.
inline Json clustering_experiment() {
  std::string text;
  const auto rows = random_rows(60, 3, 10);
  std::size_t row = 0;
  for (int document = 0; document < 10; ++document) {
    for (int i = 0; i < 4; ++i) {
      for (int j = i + 1; j < 4; ++j) {
        const bool is_same = (i + j) % 2 == 0;
        std::vector<double> columns = rows[row++];
        columns[0] += is_same ? 1 : -1;
        text += std::to_string(document) + " " + std::to_string(i) + " " + std::to_string(j) +
                (is_same ? " 1" : " -1") + svmlight(columns) + "\n";
      }
    }
  }
  return experiment_of("item_pairs", text, "clustering", "rand_error", "clustering_enumeration");
}

inline Json ranking_experiment() {
  std::string text;
  int document = 0;
  for (const std::vector<double>& row : random_rows(40, 3, 8)) {
    text += std::to_string(row[0] > 0.5    ? 2
                           : row[0] > -0.5 ? 1
                                           : 0) +
            " qid:" + std::to_string(document++ / 5) + svmlight({row[1], 0.7 * row[0] + row[2]}) +
            "\n";
  }
  return experiment_of("svmrank", text, "ranking", "pair_error", "ranking");
}

inline Json with(Json experiment, const std::string& pointer, Json value) {
  experiment[Json::json_pointer(pointer)] = std::move(value);
  return experiment;
}

inline Json rbf(double gamma) {
  return {{"use", "rbf"}, {"gamma", gamma}};
}

// Trains into `folder`, and returns the event "finished". Requires exit code 0 or 3.
inline Json trained(const Scratch& scratch, const Json& experiment,
                    const std::string& folder = "run", std::vector<std::string> more = {}) {
  scratch.write("small.json", experiment.dump());
  std::vector<std::string> words{"train", "small.json", "--output", folder};
  if (std::find(more.begin(), more.end(), "--resume") == more.end()) words.push_back("--force");
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE((outcome.exit == 0 || outcome.exit == 3));
  return scratch.finished(folder);
}

// Checks that P and D are the same up to this fraction.
inline void check_same_optimum(const Json& one, const Json& other, double tolerance = 1e-6) {
  for (const char* key : {"primal", "dual"}) {
    CAPTURE(key);
    CHECK(one[key].get<double>() == doctest::Approx(other[key].get<double>()).epsilon(tolerance));
  }
}

}  // namespace sculpt::test
