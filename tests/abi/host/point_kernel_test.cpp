// A component of kind kernel (sculpt/ext/draft/kernel_atoms.h): its values, its kept atoms, and a
// perceptron that learns over atoms and predicts from the atoms that its model keeps.

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/refusal.hpp"
#include "linalg/products.hpp"
#include "point_sequences.hpp"
#include "stub_components.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_kernel_argmax> {
  static constexpr const char* id = SCULPT_EXT_KERNEL_ARGMAX;
  static constexpr std::size_t required_functions = 1;
};

namespace {

using AtomList = std::vector<std::int64_t>;

// The bytes of some atoms, as a model holds them.
struct KeptAtoms {
  std::string bytes;
  std::vector<std::int64_t> from{0};
};

class Kernel {
 public:
  explicit Kernel(const std::string& form)
      : component_(stub::create(SCULPT_KIND_KERNEL, "point_kernel",
                                R"({"width": 0.5, "form": ")" + form + "\"}")),
        api_(component_->api<sculpt_kernel_api>()) {}

  void keep(const KeptAtoms& atoms) {
    component_->call("keep", -1, [&](sculpt_error* error) {
      return api_.keep(component_->self(), atoms.bytes.data(), atoms.from.data(),
                       static_cast<std::int64_t>(atoms.from.size()) - 1, error);
    });
  }
  void bind(const Component& dataset) {
    stub::bind_and_seal(*component_, &dataset);
    session_ = std::make_unique<stub::OneSession>(*component_);
  }
  std::vector<double> rows(const AtomList& atoms, const AtomList& others) {
    std::vector<double> out(atoms.size() * others.size());
    component_->call("rows", -1, [&](sculpt_error* error) {
      return api_.rows(session_->raw(), atoms.data(), std::ssize(atoms), others.data(),
                       std::ssize(others), out.data(), error);
    });
    return out;
  }
  std::vector<double> kept_rows(const AtomList& atoms, std::int64_t begin, std::int64_t end) {
    std::vector<double> out(atoms.size() * static_cast<std::size_t>(end - begin));
    component_->call("kept_rows", -1, [&](sculpt_error* error) {
      return api_.kept_rows(session_->raw(), atoms.data(), std::ssize(atoms), begin, end,
                            out.data(), error);
    });
    return out;
  }
  std::vector<double> diagonal(const AtomList& atoms) {
    std::vector<double> out(atoms.size());
    component_->call("diagonal", -1, [&](sculpt_error* error) {
      return api_.diagonal(session_->raw(), atoms.data(), std::ssize(atoms), out.data(), error);
    });
    return out;
  }
  void write_atom(std::int64_t atom, KeptAtoms& out) const {
    ByteBuffer bytes;
    component_->call("write_atom", -1, [&](sculpt_error* error) {
      return api_.write_atom(component_->self(), atom, bytes.raw(), error);
    });
    out.bytes += bytes.text();
    out.from.push_back(static_cast<std::int64_t>(out.bytes.size()));
  }

 private:
  std::unique_ptr<Component> component_;
  const sculpt_kernel_api& api_;
  std::unique_ptr<stub::OneSession> session_;
};

TEST_CASE("a kernel gives each value once and for all, in rows and on the diagonal") {
  const double point[4][2] = {{0.5, -1.0}, {1.5, 0.25}, {-0.5, 2.0}, {1.0, 1.0}};
  const auto dataset = stub::loaded("points", stub::points);
  stub::bind_and_seal(*dataset);
  Kernel kernel("gaussian");
  kernel.bind(*dataset);
  const AtomList all{3, 0, 1, 2};
  const std::vector<double> rows = kernel.rows(all, all);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double* a = point[all[i]];
      const double* b = point[all[j]];
      const double distance = std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2);
      CHECK(rows[4 * i + j] == doctest::Approx(std::exp(-0.5 * distance)));
      CHECK(kernel.rows({all[i]}, {all[j]})[0] == rows[4 * i + j]);  // to the last bit
      CHECK(rows[4 * j + i] == rows[4 * i + j]);
    }
  }
  CHECK(kernel.diagonal(all) == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE("atoms of new data against kept atoms have the values of one dataset with both") {
  const std::string old_text = "0 0.5 -1.0 | 1 1.5 0.25\n1 -0.5 2.0\n";
  const std::string new_text = "1 0.1 0.7\n0 -3.0 0.3 | 1 1.0 1.0\n";
  const auto old_data = stub::loaded("points", old_text);
  const auto new_data = stub::loaded("points", new_text);
  const auto both_data = stub::loaded("points", old_text + new_text);
  for (const auto& dataset : {old_data.get(), new_data.get(), both_data.get()}) {
    stub::bind_and_seal(*dataset);
  }
  for (const char* form : {"gaussian", "product"}) {
    Kernel trained(form);
    trained.bind(*old_data);
    KeptAtoms kept;
    for (const std::int64_t atom : {2, 0, 1}) trained.write_atom(atom, kept);
    Kernel restored(form);
    restored.keep(kept);
    restored.bind(*new_data);
    Kernel reference(form);
    reference.bind(*both_data);
    CHECK(restored.kept_rows({0, 1, 2}, 0, 3) == reference.rows({3, 4, 5}, {2, 0, 1}));
    CHECK(restored.kept_rows({2}, 1, 3) == reference.rows({5}, {0, 1}));
  }
}

TEST_CASE("damaged bytes of a kept atom are refused as data") {
  Kernel kernel("gaussian");
  const Refusal refusal = refusal_of([&] { kernel.keep({"1234567", {0, 7}}); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("point_kernel: kept atom 0 of the model is damaged"));
}

// w as numbers over atoms and blocks, and its linear part.
struct AtomWeights {
  Vector beta;    // [atoms][blocks]
  Vector linear;  // [linear_dimension]
};

// Features and an oracle that work through a kernel, on the data of a problem.
class AtomMachine {
 public:
  explicit AtomMachine(Problem& problem)
      : features_(problem.features().component()),
        table_(*features_.extension<sculpt_ext_kernel_atoms>()),
        oracle_(stub::create(SCULPT_KIND_ORACLE, "atom_search")) {
    stub::bind_and_seal(*oracle_, &problem.dataset().component(), &features_);
    session_ = std::make_unique<stub::OneSession>(features_);
    oracle_session_ = std::make_unique<stub::OneSession>(*oracle_);
  }
  AtomList atoms_of(std::int64_t example) const {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    features_.call("atoms", example, [&](sculpt_error* error) {
      return table_.atoms(features_.self(), example, &begin, &end, error);
    });
    AtomList atoms(static_cast<std::size_t>(end - begin));
    std::iota(atoms.begin(), atoms.end(), begin);
    return atoms;
  }
  // Adds scale * psi(x, y) to w.
  void add(std::int64_t example, const std::vector<std::int32_t>& y, double scale,
           AtomWeights& w) const {
    const AtomList atoms = atoms_of(example);
    const std::int64_t size = 3 * std::ssize(atoms);
    SparseAccumulator coefficients(size);
    SparseAccumulator linear(9);
    features_.call("accumulate", example, [&](sculpt_error* error) {
      return table_.accumulate(session_->raw(), example,
                               {y.data(), static_cast<std::int64_t>(y.size())}, scale,
                               coefficients.raw(), linear.raw(), error);
    });
    const Vector part = stub::dense(coefficients, size);
    for (std::size_t k = 0; k < part.size(); ++k) {
      w.beta[static_cast<std::size_t>(3 * atoms.front()) + k] += part[k];
    }
    axpy(1, stub::dense(linear, 9), w.linear);
  }
  // The best output. `rows`: k of each atom of the example with each row of `beta`.
  std::vector<std::int32_t> best(std::int64_t example, const std::vector<double>& rows,
                                 const Vector& beta, const Vector& linear) const {
    const std::size_t supports = beta.size() / 3;
    std::vector<double> scores(rows.size() / supports * 3, 0.0);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (std::size_t block = 0; block < 3; ++block) {
        scores[k / supports * 3 + block] += rows[k] * beta[k % supports * 3 + block];
      }
    }
    sculpt_query query = {};
    query.struct_size = sizeof query;
    query.example = example;
    query.weights = stub::weights_of(linear);
    Answer answer;
    const auto& table = *oracle_->extension<sculpt_ext_kernel_argmax>();
    oracle_->call("argmax", example, [&](sculpt_error* error) {
      return table.argmax(oracle_session_->raw(), &query, scores.data(), answer.raw(), error);
    });
    return stub::vector_of(answer.labels());
  }

 private:
  const Component& features_;
  const sculpt_ext_kernel_atoms& table_;
  std::unique_ptr<Component> oracle_;
  std::unique_ptr<stub::OneSession> session_;
  std::unique_ptr<stub::OneSession> oracle_session_;
};

std::vector<std::int32_t> dense_best(Problem& problem, std::int64_t example, const Vector& w) {
  Answer answer;
  problem.oracle().argmax(0, stub::query(problem, example, w, 0), answer);
  return stub::vector_of(answer.labels());
}

// All numbers are dyadic and small, so both sides compute without rounding.
TEST_CASE("a perceptron over atoms learns and predicts like one over features") {
  const std::string train =
      "2 0.5 -1.0\n0 1.5 0.25 | 1 -0.5 2.0 | 2 1.0 1.0\n1 -1.5 0.5 | 1 -0.25 1.5\n0 1.0 -0.5\n";
  const auto problem = stub::problem(stub::sequences, train, 1);
  Kernel kernel("product");
  kernel.bind(problem->dataset().component());
  const AtomMachine machine(*problem);
  Vector w(static_cast<std::size_t>(problem->dimension()), 0.0);
  AtomWeights atoms{Vector(3 * 7, 0.0), Vector(9, 0.0)};
  AtomList all(7);
  std::iota(all.begin(), all.end(), 0);
  int mistakes = 0;
  for (std::int64_t step = 0; step < 20; ++step) {
    const std::int64_t example = step % 4;
    const auto truth = stub::vector_of(problem->dataset().truth(example));
    const auto guess = dense_best(*problem, example, w);
    CHECK(machine.best(example, kernel.rows(machine.atoms_of(example), all), atoms.beta,
                       atoms.linear) == guess);
    mistakes += guess == truth ? 0 : 1;
    axpy(1, stub::psi(*problem, example, truth), w);
    axpy(-1, stub::psi(*problem, example, guess), w);
    machine.add(example, truth, 1, atoms);
    machine.add(example, guess, -1, atoms);
  }
  CHECK(mistakes >= 3);

  // The model: the support atoms, their numbers, and the linear part.
  KeptAtoms kept;
  Vector beta;
  for (const std::int64_t atom : all) {
    const auto row = atoms.beta.begin() + 3 * atom;
    if (std::all_of(row, row + 3, [](double number) { return number == 0; })) continue;
    kernel.write_atom(atom, kept);
    beta.insert(beta.end(), row, row + 3);
  }
  const auto new_problem =
      stub::problem(stub::sequences, "2 0.75 1.0 | 0 1.25 -0.5 | 1 -1.0 2.0\n1 0.25 0.5\n", 1);
  Kernel restored("product");
  restored.keep(kept);
  restored.bind(new_problem->dataset().component());
  const AtomMachine predictor(*new_problem);
  for (std::int64_t example = 0; example < 2; ++example) {
    const std::vector<double> rows =
        restored.kept_rows(predictor.atoms_of(example), 0, std::ssize(beta) / 3);
    CHECK(predictor.best(example, rows, beta, atoms.linear) ==
          dense_best(*new_problem, example, w));
  }
}

}  // namespace
}  // namespace sculpt::core
