#include "check/answers/counter_example.hpp"

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_weights_shown = 24;

// The text of the dataset, if it offers one, then the labels.
std::string text_and_labels(TestFixture& fixture, std::int64_t example, sculpt_labels y) {
  std::string labels = labels_text({y.data, y.data + y.size});
  const Dataset& dataset = fixture.problem().dataset();
  if (dataset.component().extension<sculpt_ext_label_text>() == nullptr) return labels;
  const std::string text = printable(dataset.format(example, y));
  return "\"" + (text.size() > 200 ? text.substr(0, 200) + "..." : text) + "\" " + labels;
}

}  // namespace

std::string example_text(TestFixture& fixture, std::int64_t example) {
  const std::string name = "example " + std::to_string(example);
  const sculpt_labels truth = fixture.truth(example);
  if (truth.data == nullptr) return name + ", unlabelled";
  return name + ", truth " + text_and_labels(fixture, example, truth);
}

std::string output_text(TestFixture& fixture, const OracleQuery& query, const std::string& role,
                        const Output& output) {
  const double score = score_and_terms_of(output, query.w->values()).value;
  const double loss = query.loss_weight * output.loss;
  std::string text =
      "  " + padded(role, 8) +
      (output.fractional ? "fractional" : text_and_labels(fixture, query.example, output.raw())) +
      ": score " + exact_number_text(score);
  if (query.loss_weight != 0) {
    text += " + " + exact_number_text(query.loss_weight) + " * loss " +
            exact_number_text(output.loss) + " = " + exact_number_text(score + loss);
  }
  return text;
}

std::vector<std::string> weight_lines(TestFixture& fixture, const Weights& w) {
  std::vector<std::string> lines;
  std::size_t hidden = 0;
  for (std::size_t j = 0; j < w.values().size(); ++j) {
    const double value = w.values()[j];
    if (value == 0) continue;
    if (lines.size() == max_weights_shown) {
      ++hidden;
      continue;
    }
    const std::string name = fixture.problem().features().weight_name(static_cast<std::int64_t>(j));
    lines.push_back("  w[" + std::to_string(j) + "] = " + exact_number_text(value) +
                    (name.empty() ? "" : "   " + name));
  }
  if (hidden > 0) lines.push_back("  and " + std::to_string(hidden) + " more");
  lines.push_back(lines.empty() ? "  w = 0" : "  all other weights are 0");
  return lines;
}

std::vector<std::string> counter_example(
    TestFixture& fixture, const std::string& message, const OracleQuery& query,
    const std::vector<std::pair<std::string, const Output*>>& outputs) {
  std::vector<std::string> lines = {message};
  lines.push_back(example_text(fixture, query.example) +
                  (query.has_truth
                       ? ", query with loss_weight " + exact_number_text(query.loss_weight)
                       : ", query without its truth"));
  for (const auto& [role, output] : outputs) {
    lines.push_back(output_text(fixture, query, role, *output));
  }
  for (std::string& line : weight_lines(fixture, *query.w)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace sculpt::core
