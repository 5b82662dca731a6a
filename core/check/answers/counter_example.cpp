#include "check/answers/counter_example.hpp"

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t weights_shown = 24;

// The text of the dataset, if it offers one, then the labels.
std::string in_words(TestFixture& fixture, std::int64_t example, sculpt_labels y) {
  std::string labels = labels_text({y.data, y.data + y.size});
  const Dataset& dataset = fixture.problem().dataset();
  if (dataset.component().extension<sculpt_ext_label_text>() == nullptr) return labels;
  const std::string text = printable(dataset.format(example, y));
  return "\"" + (text.size() > 200 ? text.substr(0, 200) + "..." : text) + "\" " + labels;
}

}  // namespace

std::string example_text(TestFixture& fixture, std::int64_t example) {
  return "example " + std::to_string(example) + ", truth " +
         in_words(fixture, example, fixture.truth(example));
}

std::string output_text(TestFixture& fixture, const OracleQuery& question, const std::string& role,
                        const Output& output) {
  const double score = score_and_terms_of(output, question.w->values()).score;
  const double loss = question.loss_weight * output.loss;
  std::string text =
      "  " + padded(role, 8) +
      (output.fractional ? "fractional" : in_words(fixture, question.example, output.raw())) +
      ": score " + exact_number_text(score);
  if (question.loss_weight != 0) {
    text += " + " + exact_number_text(question.loss_weight) + " * loss " +
            exact_number_text(output.loss) + " = " + exact_number_text(score + loss);
  }
  return text;
}

std::vector<std::string> weight_lines(TestFixture& fixture, const Weights& w) {
  std::vector<std::string> lines;
  std::size_t left_out = 0;
  for (std::size_t j = 0; j < w.values().size(); ++j) {
    const double value = w.values()[j];
    if (value == 0) continue;
    if (lines.size() == weights_shown) {
      ++left_out;
      continue;
    }
    const std::string name = fixture.problem().features().weight_name(static_cast<std::int64_t>(j));
    lines.push_back("  w[" + std::to_string(j) + "] = " + exact_number_text(value) +
                    (name.empty() ? "" : "   " + name));
  }
  if (left_out > 0) lines.push_back("  and " + std::to_string(left_out) + " more");
  lines.push_back(lines.empty() ? "  w = 0" : "  all other weights are 0");
  return lines;
}

std::vector<std::string> counter_example(
    TestFixture& fixture, const std::string& what, const OracleQuery& question,
    const std::vector<std::pair<std::string, const Output*>>& outputs) {
  std::vector<std::string> lines = {what};
  lines.push_back(example_text(fixture, question.example) +
                  (question.with_truth
                       ? ", asked with loss_weight " + exact_number_text(question.loss_weight)
                       : ", asked without its truth"));
  for (const auto& [role, output] : outputs) {
    lines.push_back(output_text(fixture, question, role, *output));
  }
  for (std::string& line : weight_lines(fixture, *question.w)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace sculpt::core
