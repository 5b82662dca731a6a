#include "kernel_calls.hpp"

#include <cmath>
#include <cstdio>
#include <numeric>

#include "call_buffers.hpp"

namespace plugin_test {

namespace {

std::int64_t size_of(const AtomList& atoms) {
  return static_cast<std::int64_t>(atoms.size());
}

Matrix reshaped(const std::vector<double>& values, std::size_t rows) {
  Matrix matrix(rows);
  const std::size_t columns = rows == 0 ? 0 : values.size() / rows;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * columns);
    matrix[i].assign(first, first + static_cast<std::ptrdiff_t>(columns));
  }
  return matrix;
}

}  // namespace

AtomList first_atoms(std::int64_t count) {
  AtomList atoms(static_cast<std::size_t>(count));
  std::iota(atoms.begin(), atoms.end(), 0);
  return atoms;
}

void KeptBytes::add(const std::string& atom) {
  bytes += atom;
  from.push_back(static_cast<std::int64_t>(bytes.size()));
}

void keep(LiveComponent& kernel, const KeptBytes& kept) {
  ErrorText error;
  error.check(kernel.api<sculpt_kernel_api>().keep(
      kernel.self(), kept.bytes.data(), kept.from.data(),
      static_cast<std::int64_t>(kept.from.size()) - 1, error.raw()));
}

BoundKernel::BoundKernel(const std::string& dataset_name, const Splits& splits,
                         const std::string& name, const nlohmann::json& parameters,
                         const KeptBytes* kept, const std::string& dataset_state)
    : dataset(dataset_name, nlohmann::json::object(), SCULPT_KIND_DATASET),
      kernel("kernel#" + name, parameters) {
  if (!dataset_state.empty()) dataset.restore(dataset_state);
  for (const auto& [split, text] : splits) dataset.load(split, text);
  dataset.seal();
  if (kept != nullptr) keep(kernel, *kept);
  kernel.bind(&dataset);
  kernel.seal();
  for (std::int64_t i = 0; i < example_count(dataset); ++i) {
    atom_count_ += sites_of(dataset, i).site_count;
  }
}

BoundKernel::BoundKernel(const std::string& text, const std::string& name,
                         const nlohmann::json& parameters)
    : BoundKernel("svmlight", {{"train", text}}, name, parameters) {}

Matrix BoundKernel::rows(const AtomList& atoms, const AtomList& others) const {
  std::vector<double> out(atoms.size() * others.size(), NAN);
  ErrorText error;
  error.check(api().rows(kernel.session(), atoms.data(), size_of(atoms), others.data(),
                         size_of(others), out.data(), error.raw()));
  return reshaped(out, atoms.size());
}

std::vector<double> BoundKernel::diagonal(const AtomList& atoms) const {
  std::vector<double> out(atoms.size(), NAN);
  ErrorText error;
  error.check(
      api().diagonal(kernel.session(), atoms.data(), size_of(atoms), out.data(), error.raw()));
  return out;
}

Matrix BoundKernel::kept_rows(const AtomList& atoms, std::int64_t begin, std::int64_t end) const {
  std::vector<double> out(atoms.size() * static_cast<std::size_t>(end - begin), NAN);
  ErrorText error;
  error.check(api().kept_rows(kernel.session(), atoms.data(), size_of(atoms), begin, end,
                              out.data(), error.raw()));
  return reshaped(out, atoms.size());
}

std::string BoundKernel::bytes_of(std::int64_t atom) const {
  ByteBuffer buffer;
  ErrorText error;
  error.check(api().write_atom(kernel.self(), atom, &buffer, error.raw()));
  return buffer.text();
}

std::uint32_t BoundKernel::claims() const {
  std::uint32_t claims = 99;
  ErrorText error;
  error.check(api().claims(kernel.self(), &claims, error.raw()));
  return claims;
}

Matrix BoundKernel::data() const {
  Matrix all;
  const auto features = static_cast<std::size_t>(shape_of(dataset).feature_count);
  for (std::int64_t i = 0; i < example_count(dataset); ++i) {
    const sculpt_sites x = sites_of(dataset, i);
    for (std::int64_t t = 0; t < x.site_count; ++t) {
      std::vector<double>& row = all.emplace_back(features, 0.0);
      for (std::int64_t k = x.row_from[t]; k < x.row_from[t + 1]; ++k) {
        row[static_cast<std::size_t>(x.index[k])] = x.value[k];
      }
    }
  }
  return all;
}

std::string random_rows(Random& random, int count, int features, double share,
                        const std::function<double()>& draw_value) {
  std::uniform_real_distribution<double> uniform;
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += std::to_string(1 + i % 3);
    for (int j = 1; j <= features; ++j) {
      if (uniform(random) >= share) continue;
      char entry[64];
      std::snprintf(entry, sizeof entry, " %d:%.17g", j, draw_value());
      text += entry;
    }
    text += "\n";
  }
  return text;
}

std::string symbol_rows(const std::vector<std::vector<int>>& sequences) {
  std::string text;
  for (const std::vector<int>& sequence : sequences) {
    text += "1";
    for (std::size_t k = 0; k < sequence.size(); ++k) {
      text += " " + std::to_string(k + 1) + ":" + std::to_string(sequence[k]);
    }
    text += "\n";
  }
  return text;
}

// By the Cholesky factor.
bool is_positive(Matrix matrix) {
  double trace = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) trace += matrix[i][i];
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    matrix[i][i] += 1e-10 * trace + 1e-300;
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= matrix[i][k] * matrix[j][k];
      if (i == j && !(rest > 0)) return false;
      matrix[i][j] = i == j ? std::sqrt(rest) : rest / matrix[j][j];
    }
  }
  return true;
}

}  // namespace plugin_test
