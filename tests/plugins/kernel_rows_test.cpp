// The kernels of rows agree with plain loops, whatever the form of the data. Their values are the
// same numbers in every call, and for kept atoms.
#include <doctest/doctest.h>

#include <cmath>
#include <sculpt/cpp/small_exp.hpp>

#include "kernel_calls.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

struct KernelCase {
  const char* name;
  json parameters;
  bool is_positive;
};
const std::vector<KernelCase> kernel_cases = {
    {"linear", json::object(), true},
    {"polynomial", {{"gamma", 0.5}, {"coef0", 1.5}, {"degree", 3}}, true},
    {"polynomial", {{"gamma", 0.25}, {"coef0", 0.0}, {"degree", 5}}, true},
    {"rbf", {{"gamma", 0.375}}, true},
    {"sigmoid", {{"gamma", 0.25}, {"coef0", -0.5}}, false},
    {"min_max", json::object(), true},
    {"tanimoto", json::object(), true},
};

double plain_dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

double plain_value(const KernelCase& one, const std::vector<double>& a,
                   const std::vector<double>& b) {
  const std::string name = one.name;
  double distance = 0;
  double minima = 0;
  double maxima = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    distance += (a[j] - b[j]) * (a[j] - b[j]);
    minima += std::min(a[j], b[j]);
    maxima += std::max(a[j], b[j]);
  }
  const double product = plain_dot(a, b);
  if (name == "linear") return product;
  if (name == "rbf") return std::exp(-one.parameters["gamma"].get<double>() * distance);
  if (name == "min_max" || name == "tanimoto") return maxima == 0 ? 1 : minima / maxima;
  const double gamma = one.parameters["gamma"].get<double>();
  const double coef0 = one.parameters["coef0"].get<double>();
  if (name == "sigmoid") return std::tanh(gamma * product + coef0);
  return std::pow(gamma * product + coef0, one.parameters["degree"].get<double>());
}

// The value by the operations of the kernel, one number at a time: the same on every processor. NaN
// for the other kernels.
double same_operations(const KernelCase& one, const std::vector<double>& a,
                       const std::vector<double>& b) {
  const std::string name = one.name;
  const double product = plain_dot(a, b);
  if (name == "linear") return product;
  if (name == "sigmoid") {
    return sculpt::small_tanh(one.parameters["gamma"].get<double>() * product +
                              one.parameters["coef0"].get<double>());
  }
  if (name != "rbf") return NAN;
  const double distance = (plain_dot(a, a) + plain_dot(b, b)) - 2 * product;
  return sculpt::negative_exp(-one.parameters["gamma"].get<double>() * std::max(distance, 0.0));
}

// Values that the kernel takes.
std::function<double()> values_for(const KernelCase& one, Random& random) {
  const std::string name = one.name;
  return [name, &random] {
    std::normal_distribution<double> normal;
    const double value = normal(random);
    if (name == "tanimoto") return 1.0;
    return name == "min_max" ? std::abs(value) : value;
  };
}

}  // namespace

TEST_CASE("kernels of rows agree with plain loops, on dense and on sparse rows") {
  Random random(11);
  for (const KernelCase& one : kernel_cases) {
    for (const double share : {0.05, 0.5, 1.0}) {
      CAPTURE(one.name);
      CAPTURE(share);
      const BoundKernel bound(random_rows(random, 45, 37, share, values_for(one, random)), one.name,
                              one.parameters);
      const Matrix x = bound.data();
      const AtomList all = first_atoms(bound.atom_count());
      const Matrix k = bound.rows(all, all);
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < x.size(); ++j) {
          REQUIRE(k[i][j] == Approx(plain_value(one, x[i], x[j])).epsilon(1e-11));
          const double exact = same_operations(one, x[i], x[j]);
          if (!std::isnan(exact)) REQUIRE(k[i][j] == exact);
        }
      }
    }
  }
}

TEST_CASE("a value of a kernel of rows is the same number in every call") {
  Random random(12);
  for (const KernelCase& one : kernel_cases) {
    for (const double share : {0.1, 1.0}) {
      CAPTURE(one.name);
      const BoundKernel bound(random_rows(random, 61, 40, share, values_for(one, random)), one.name,
                              one.parameters);
      const AtomList all = first_atoms(61);
      const Matrix k = bound.rows(all, all);
      const std::vector<double> diagonal = bound.diagonal(all);
      for (std::size_t i = 0; i < 61; ++i) {
        REQUIRE(diagonal[i] == k[i][i]);
        for (std::size_t j = 0; j < 61; ++j) REQUIRE(k[j][i] == k[i][j]);
      }
      for (int trial = 0; trial < 50; ++trial) {  // in any order, and repeated
        AtomList atoms;
        AtomList others;
        for (int n = draw(random, 1, 9); n > 0; --n) atoms.push_back(draw(random, 0, 60));
        for (int n = draw(random, 1, 70); n > 0; --n) others.push_back(draw(random, 0, 60));
        const Matrix part = bound.rows(atoms, others);
        for (std::size_t i = 0; i < atoms.size(); ++i) {
          for (std::size_t j = 0; j < others.size(); ++j) {
            REQUIRE(part[i][j] ==
                    k[static_cast<std::size_t>(atoms[i])][static_cast<std::size_t>(others[j])]);
          }
        }
      }
      CHECK(bound.value(17, 43) == k[17][43]);
      CHECK(bound.rows({1, 2}, {}) == Matrix(2));
      CHECK(bound.rows({}, {1, 2}).empty());
    }
  }
}

TEST_CASE("the same rows have the same values in a dense and in a sparse dataset") {
  Random random(13);
  for (const KernelCase& one : kernel_cases) {
    CAPTURE(one.name);
    const std::string text = random_rows(random, 40, 20, 0.6, values_for(one, random));
    std::string more = text;  // rows of other features make the dataset sparse
    for (int k = 0; k < 200; ++k) more += "1 " + std::to_string(1000 + k) + ":1\n";
    const BoundKernel dense(text, one.name, one.parameters);
    const BoundKernel sparse(more, one.name, one.parameters);
    const AtomList all = first_atoms(40);
    CHECK(dense.rows(all, all) == sparse.rows(all, all));
    CHECK(dense.rows({3}, {7, 5}) == sparse.rows({3}, {7, 5}));
  }
}

TEST_CASE("rows of 0 and 1, as bits, have the values of the other forms") {
  Random random(16);
  for (const KernelCase& one : kernel_cases) {
    for (const int features : {20, 64, 150}) {
      CAPTURE(one.name);
      CAPTURE(features);
      const auto draw_one = [] { return 1.0; };
      const std::string text = random_rows(random, 600, features, 0.7, draw_one);
      std::string more = text;  // the rows are too wide for bits
      for (int k = 0; k < 10; ++k) more += "1 " + std::to_string(100000 + k) + ":1\n";
      const BoundKernel bits(text, one.name, one.parameters);
      const BoundKernel visits(more, one.name, one.parameters);
      const AtomList all = first_atoms(600);
      REQUIRE(bits.rows(all, all) == visits.rows(all, all));
      AtomList part;
      for (std::int64_t a = 37; a < 590; ++a) part.push_back(a);
      CHECK(bits.rows({3, 599}, part) == visits.rows({3, 599}, part));
      part[7] = part[8];
      CHECK(bits.rows({5}, part) == visits.rows({5}, part));
      CHECK(bits.rows({5}, {0, 599}) == visits.rows({5}, {0, 599}));
    }
  }
}

TEST_CASE("kept rows of 0 and 1 are compared with atoms of other values") {
  Random random(17);
  for (const KernelCase& one : kernel_cases) {
    if (std::string(one.name) == "tanimoto") continue;  // it takes no other values
    CAPTURE(one.name);
    const std::string train = random_rows(random, 30, 20, 0.8, [] { return 1.0; });
    const std::string fresh = random_rows(random, 12, 25, 0.8, [] { return 0.75; });
    const BoundKernel both("svmlight", {{"train", train + fresh}}, one.name, one.parameters);
    KeptBytes kept;
    for (std::int64_t atom = 0; atom < 30; ++atom) kept.add(both.bytes_of(atom));
    const BoundKernel predicting("svmlight", {{"predict", fresh}}, one.name, one.parameters, &kept,
                                 both.dataset.save());
    AtomList in_both;
    for (std::int64_t a = 30; a < 42; ++a) in_both.push_back(a);
    CHECK(predicting.kept_rows(first_atoms(12), 0, 30) == both.rows(in_both, first_atoms(30)));
  }
}

TEST_CASE("kept atoms have the values of the atoms of the dataset") {
  Random random(14);
  for (const KernelCase& one : kernel_cases) {
    for (const double share : {0.1, 0.7}) {
      CAPTURE(one.name);
      const std::string train = random_rows(random, 30, 60, share, values_for(one, random));
      const std::string fresh = random_rows(random, 12, 60, share, values_for(one, random));
      const BoundKernel both("svmlight", {{"train", train}, {"test", fresh}}, one.name,
                             one.parameters);
      KeptBytes kept;
      const AtomList supports{4, 0, 29, 13, 7, 8, 22, 1, 19};
      for (const std::int64_t atom : supports) kept.add(both.bytes_of(atom));
      const BoundKernel predicting("svmlight", {{"predict", fresh}}, one.name, one.parameters,
                                   &kept, both.dataset.save());
      AtomList in_both;
      for (std::int64_t a = 30; a < 42; ++a) in_both.push_back(a);
      CHECK(predicting.kept_rows(first_atoms(12), 0, 9) == both.rows(in_both, supports));
      CHECK(predicting.kept_rows({5}, 2, 4) == both.rows({35}, {29, 13}));
    }
  }
}

TEST_CASE("the bytes of an atom are the smaller of its forms, and depend on its values alone") {
  const BoundKernel bound(
      "1 1:0.5 2:-2 3:1\n1 1:0.1 2:0.2 3:0.3\n1 2:1 1000:3\n1\n1 1:0.1 500:1\n2 1:0.5 2:-2 3:1\n",
      "linear");
  CHECK(bound.bytes_of(0).size() == 1 + 3 * sizeof(float));
  CHECK(bound.bytes_of(1).size() == 1 + 3 * sizeof(double));
  CHECK(bound.bytes_of(2).size() == 1 + 2 * (sizeof(float) + sizeof(std::int32_t)));
  CHECK(bound.bytes_of(3).size() == 1);
  CHECK(bound.bytes_of(4).size() == 1 + 2 * (sizeof(double) + sizeof(std::int32_t)));
  CHECK(bound.bytes_of(0) == bound.bytes_of(5));
}

TEST_CASE("each kernel of rows claims to be positive only if it is") {
  Random random(15);
  for (const KernelCase& one : kernel_cases) {
    CAPTURE(one.name);
    const BoundKernel bound(random_rows(random, 50, 8, 0.6, values_for(one, random)), one.name,
                            one.parameters);
    CHECK((bound.claims() == SCULPT_KERNEL_POSITIVE) == one.is_positive);
    const AtomList all = first_atoms(50);
    if (one.is_positive) CHECK(is_positive(bound.rows(all, all)));
  }
  const BoundKernel negative("1 1:1\n1 1:2\n", "polynomial", {{"coef0", -1.0}});
  CHECK(negative.claims() == 0);
}

TEST_CASE("equal rows have the rbf value 1, and far ones 0") {
  const BoundKernel bound("1 1:0.1 2:123456.7\n1 1:0.1 2:123456.7\n1 1:40\n1 1:1e150\n", "rbf",
                          {{"gamma", 3.0}});
  CHECK(bound.value(0, 1) == 1);
  CHECK(bound.diagonal({0, 1, 2, 3}) == std::vector<double>{1, 1, 1, 1});
  CHECK(bound.value(0, 2) == 0);
  CHECK(bound.value(2, 3) == 0);
}

TEST_CASE("rows without values are alike for min_max, and unlike all others") {
  const BoundKernel bound("1\n1\n1 1:2 2:1\n1 2:3\n", "min_max");
  CHECK(bound.value(0, 0) == 1);
  CHECK(bound.value(0, 1) == 1);
  CHECK(bound.value(0, 2) == 0);
  CHECK(bound.value(2, 3) == 0.2);
  const BoundKernel sets("1 1:1 2:1 5:1\n1 2:1 5:1 6:1 7:1\n", "tanimoto");
  CHECK(sets.value(0, 1) == 0.4);
}

TEST_CASE("a dataset without any value has kernels, too") {
  const BoundKernel gaussian("1\n2\n", "rbf");
  CHECK(gaussian.rows({0, 1}, {1, 0, 1}) == Matrix{{1, 1, 1}, {1, 1, 1}});
  const BoundKernel product("1\n2\n", "linear");
  CHECK(product.rows({1}, {0, 1}) == Matrix{{0, 0}});
  const BoundKernel strings("1\n2\n", "spectrum");
  CHECK(strings.rows({1}, {0, 1}) == Matrix{{0, 0}});
}

TEST_CASE("the atoms of a sequence are its sites") {
  const BoundKernel bound(
      "letters", {{"train", "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 11\n2 0 1 a 0 10\n"}}, "linear");
  CHECK(bound.rows({0, 1, 2, 3}, {0, 2}) == Matrix{{1, 1}, {0, 1}, {1, 2}, {1, 1}});
}

TEST_CASE("kernels of rows refuse bad parameters and data by name") {
  const auto parameters_refused = [](const char* name, const json& parameters) {
    return refusal_of(SCULPT_E_PARAMETER, [&] { BoundKernel("1 1:1\n", name, parameters); });
  };
  CHECK(parameters_refused("rbf", {{"gamma", 0.0}}) == "gamma is 0; write a number above 0");
  CHECK(parameters_refused("polynomial", {{"gamma", 0.0}}) == "gamma is 0; write a number above 0");
  CHECK(parameters_refused("sigmoid", {{"gamma", 0.0}}) == "gamma is 0; write a number above 0");
  const auto data_refused = [](const char* name, const std::string& text,
                               const json& parameters = json::object()) {
    return refusal_of(SCULPT_E_DATA, [&] { BoundKernel(text, name, parameters); });
  };
  CHECK(data_refused("min_max", "1 1:1\n2 1:1 3:-0.5\n") ==
        "example 1 (data.txt:2): feature 3 is negative, but min_max compares amounts; use data "
        "without negative values, or the kernel rbf");
  CHECK(data_refused("tanimoto", "1 1:1\n2 1:1\n2 2:2\n") ==
        "example 2 (data.txt:3): feature 2 is neither 0 nor 1, but tanimoto compares sets; write 0 "
        "or 1, or use the kernel min_max");
  const std::string overflow =
      ": its values are so large that the kernel overflows; set `scaling` of the dataset, or "
      "choose smaller parameters of the kernel";
  CHECK(data_refused("linear", "1 1:1e200\n") == "example 0 (data.txt:1)" + overflow);
  CHECK(data_refused("rbf", "1 1:1\n1 1:1e200\n") == "example 1 (data.txt:2)" + overflow);
  CHECK(data_refused("polynomial", "1 1:1e60\n") == "example 0 (data.txt:1)" + overflow);
}

TEST_CASE("damaged bytes of kept rows are refused as data") {
  const BoundKernel bound("1 1:0.5 2:-2 3:1\n1 2:1 1000:3\n", "rbf");
  const std::string dense = bound.bytes_of(0);
  const std::string sparse = bound.bytes_of(1);
  const auto refused = [](const char* name, const std::string& bytes) {
    return refusal_of(SCULPT_E_DATA, [&] {
      LiveComponent kernel(std::string("kernel#") + name);
      KeptBytes kept;
      kept.add(std::string(1, '\0'));  // a row without values
      kept.add(bytes);
      keep(kernel, kept);
    });
  };
  const std::string damaged =
      "kept atom 1 of the model is damaged or of another version; use the plugin version that "
      "wrote the model, or train again";
  CHECK(refused("rbf", dense) == "accepted");
  CHECK(refused("rbf", sparse) == "accepted");
  CHECK(refused("rbf", "") == damaged);
  CHECK(refused("rbf", dense.substr(0, 6)) == damaged);
  CHECK(refused("rbf", sparse.substr(0, 13)) == damaged);
  CHECK(refused("rbf", "\7" + dense.substr(1)) == damaged);
  std::string wrong = sparse;  // a negative index
  wrong[4] = '\xff';
  CHECK(refused("rbf", wrong) == damaged);
  wrong = sparse;  // indices that decrease
  wrong[2] = '\x7f';
  CHECK(refused("rbf", wrong) == damaged);
  wrong = dense;  // a value that is NaN
  wrong[3] = wrong[4] = '\xff';
  CHECK(refused("rbf", wrong) == damaged);
  CHECK(refused("min_max", dense) == damaged);  // has a negative value
  CHECK(refused("tanimoto", sparse) == damaged);
  LiveComponent kernel("kernel#rbf");
  KeptBytes reversed;
  reversed.bytes = dense;
  reversed.from = {0, 5, 3};
  CHECK(refusal_of(SCULPT_E_DATA, [&] { keep(kernel, reversed); }) == damaged);
}

TEST_CASE("kernels need a dataset with sites") {
  LiveComponent dataset("alignment#pairs_fasta");
  LiveComponent kernel("kernel#rbf");
  CHECK(contains(refusal_of(SCULPT_E_UNSUPPORTED, [&] { kernel.bind(&dataset); }), "sites"));
}
