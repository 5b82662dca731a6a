#include "command/reports/kernel_model.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "base/text/text_out.hpp"
#include "problem/kernel/kernel_spec.hpp"
#include "problem/kernel/problem_kernel.hpp"

namespace sculpt::core {
namespace {

std::int64_t size_in(const ModelFile& model, const char* key) {
  const auto& sizes = model.header().at("kernel_sizes");
  return static_cast<std::int64_t>(
      sizes.at(key).get_ref<const nlohmann::ordered_json::number_unsigned_t&>());
}

const std::string& atoms_of(const ModelFile& model) {
  const auto found = model.states().find(support_atoms_name);
  if (found != model.states().end()) return found->second;
  throw Failure(Exit::data, model.path().string() + ": has no support atoms; train again");
}

}  // namespace

bool has_kernel(const ModelFile& model) {
  return model.header().contains("kernel_sizes");
}

std::string support_text(const ModelFile& model) {
  const std::int64_t linear = size_in(model, "linear_weights");
  const std::size_t support = load_atoms(atoms_of(model)).examples.size();
  return std::to_string(support) + " support atoms of " +
         count_text(size_in(model, "atoms"), "atom") + " in " +
         count_text(size_in(model, "blocks"), "block") +
         (linear > 0 ? " and " + count_text(linear, "weight") + " without atoms" : "");
}

std::string atom_bytes_text(const ModelFile& model) {
  return count_text(static_cast<std::int64_t>(atoms_of(model).size()), "byte");
}

std::map<std::int64_t, double> masses_of_examples(const ModelFile& model) {
  const std::vector<std::int64_t> examples = load_atoms(atoms_of(model)).examples;
  const auto blocks = static_cast<std::size_t>(size_in(model, "blocks"));
  if (examples.size() * blocks > model.weights().size()) {
    throw Failure(Exit::data, model.path().string() +
                                  ": has fewer weights than its support atoms need; train again");
  }
  std::map<std::int64_t, double> mass_of_example;
  const double* beta = model.weights().data();
  for (const std::int64_t example : examples) {
    double& mass = mass_of_example[example];
    for (std::size_t b = 0; b < blocks; ++b) mass += std::abs(*beta++);
  }
  return mass_of_example;
}

namespace {

// The `max_count` examples of largest mass, the largest first.
std::vector<std::pair<std::int64_t, double>> largest_masses(const ModelFile& model,
                                                            std::int64_t max_count) {
  const std::map<std::int64_t, double> masses = masses_of_examples(model);
  std::vector<std::pair<std::int64_t, double>> sorted(masses.begin(), masses.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& x, const auto& y) { return x.second > y.second; });
  sorted.resize(
      std::min(sorted.size(), static_cast<std::size_t>(std::max<std::int64_t>(0, max_count))));
  return sorted;
}

}  // namespace

void print_support_examples(const ModelFile& model, std::int64_t max_count,
                            const std::function<std::string(std::int64_t)>& text_of) {
  const auto sorted = largest_masses(model, max_count);
  report_out() << "support examples by mass\n";
  for (const auto& [example, mass] : sorted) {
    const std::string text = text_of(example);
    report_out() << "  " << padded(number_text(mass), 14) << "example " << std::to_string(example)
                 << (text.empty() ? "" : "  " + text) << "\n";
  }
}

nlohmann::ordered_json support_json(const ModelFile& model, std::int64_t max_count) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const auto& [example, mass] : largest_masses(model, max_count)) {
    json.push_back({{"example", example}, {"mass", mass}});
  }
  return json;
}

}  // namespace sculpt::core
