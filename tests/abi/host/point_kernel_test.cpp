// A component of kind kernel (sculpt/ext/kernel.h): its values and its kept atoms.

#include <doctest/doctest.h>

#include <cmath>

#include "core/refusal.hpp"
#include "point_sequences.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
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

}  // namespace
}  // namespace sculpt::core
