// kernel_model.hpp - what describe prints of a model with a kernel, in place of its largest
// weights.
//
// Called by model_summary.cpp and diff. Such a model has coefficients of support atoms: its mass is
//
//   mass of example i = sum over its support atoms s and blocks b of |beta[s][b]|
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/model_file.hpp"

namespace sculpt::core {

bool has_kernel(const ModelFile& model);

// "512 support atoms of 528 atoms in 11 blocks". Throws a JSON exception if the header is damaged.
std::string support_text(const ModelFile& model);
// "21 kB", of the atoms in the model.
std::string atom_bytes_text(const ModelFile& model);

// The mass of each support example, by its number in the training data. Throws
// Failure(Exit::data) if the support atoms are damaged, and a JSON exception as support_text().
std::map<std::int64_t, double> masses_of_examples(const ModelFile& model);

// Prints the `max_count` examples of largest mass, with their numbers in the training data and
// text_of(number). Throws as masses_of_examples().
void print_support_examples(const ModelFile& model, std::int64_t max_count,
                            const std::function<std::string(std::int64_t)>& text_of);

// [{"example", "mass"}] of these. Throws the same.
nlohmann::ordered_json support_json(const ModelFile& model, std::int64_t max_count);

}  // namespace sculpt::core
