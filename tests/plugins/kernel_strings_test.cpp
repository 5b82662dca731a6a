// The kernels subsequence and spectrum agree with an enumeration of all subsequences and
// substrings. Their values are the same numbers in every call, and for kept atoms.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "kernel_calls.hpp"
#include "refusals.hpp"

using namespace plugin_test;
using doctest::Approx;
using nlohmann::json;

namespace {

using Sequence = std::vector<int>;

Sequence random_sequence(Random& random, int longest, int symbols) {
  Sequence sequence;
  for (int n = draw(random, 0, longest); n > 0; --n) sequence.push_back(draw(random, 1, symbols));
  return sequence;
}

// The weight of each subsequence of `length` symbols: the sum of decay^span over its places.
std::map<Sequence, double> subsequences(const Sequence& s, std::size_t length, double decay) {
  std::map<Sequence, double> weights;
  for (std::uint32_t chosen = 0; chosen < (1U << s.size()); ++chosen) {
    Sequence part;
    std::size_t first = 0;
    std::size_t last = 0;
    for (std::size_t k = 0; k < s.size(); ++k) {
      if ((chosen >> k & 1U) == 0) continue;
      if (part.empty()) first = k;
      last = k;
      part.push_back(s[k]);
    }
    if (part.size() == length) weights[part] += std::pow(decay, last - first + 1);
  }
  return weights;
}

std::map<Sequence, double> substrings(const Sequence& s, std::size_t length) {
  std::map<Sequence, double> counts;
  for (std::size_t k = 0; k + length <= s.size(); ++k) {
    const auto first = s.begin() + static_cast<std::ptrdiff_t>(k);
    counts[Sequence(first, first + static_cast<std::ptrdiff_t>(length))] += 1;
  }
  return counts;
}

double product(const std::map<Sequence, double>& a, const std::map<Sequence, double>& b) {
  double sum = 0;
  for (const auto& [part, weight] : a) {
    const auto found = b.find(part);
    if (found != b.end()) sum += weight * found->second;
  }
  return sum;
}

struct StringCase {
  const char* name;
  json parameters;
};
const std::vector<StringCase> string_cases = {
    {"subsequence", {{"length", 3}, {"decay", 0.625}}},
    {"subsequence", {{"length", 6}, {"decay", 0.9}, {"normalized", false}}},
    {"spectrum", {{"length", 2}}},
    {"spectrum", {{"length", 3}, {"normalized", false}}},
};

}  // namespace

// The table of Joachims' lecture on string kernels, for p = 2 and l = lambda:
//
//          c-a   c-t   a-t   b-a   b-t   c-r   a-r   b-r
//   cat    l^2   l^3   l^2
//   car    l^2                           l^3   l^2
//   bat                l^2   l^2   l^3
//   bar                      l^2                l^2   l^3
//
// The slide has misprints: it takes the columns of car for others, and has the l^2 of bat below a-r
// in place of a-t. Two words share at most one column, whose product is l^4.
TEST_CASE("subsequence has the values of the lecture's table of cat, car, bat and bar") {
  for (const double decay : {0.3, 0.7, 1.0}) {
    CAPTURE(decay);
    std::string text;
    for (const char* word : {"cat", "car", "bat", "bar"}) text += std::string("1\t") + word + "\n";
    const auto kernel = [&](bool is_normalized) {
      return BoundKernel("texts", {{"train", text}}, "subsequence",
                         {{"length", 2}, {"decay", decay}, {"normalized", is_normalized}})
          .rows(first_atoms(4), first_atoms(4));
    };
    const double shared = std::pow(decay, 4);
    const double own = 2 * std::pow(decay, 4) + std::pow(decay, 6);
    const double share = 1 / (2 + decay * decay);
    const Matrix raw{{own, shared, shared, 0},
                     {shared, own, 0, shared},
                     {shared, 0, own, shared},
                     {0, shared, shared, own}};
    const Matrix scaled{
        {1, share, share, 0}, {share, 1, 0, share}, {share, 0, 1, share}, {0, share, share, 1}};
    const Matrix of_raw = kernel(false);
    const Matrix of_scaled = kernel(true);
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        CHECK(of_raw[a][b] == Approx(raw[a][b]));
        CHECK(of_scaled[a][b] == Approx(scaled[a][b]));
      }
    }
  }
}

TEST_CASE("subsequence agrees with an enumeration of all subsequences") {
  Random random(21);
  for (const int length : {1, 2, 3, 4, 5, 7, 9}) {
    for (const double decay : {0.3, 1.0}) {
      std::vector<Sequence> sequences;
      for (int k = 0; k < 6; ++k) sequences.push_back(random_sequence(random, 11, 3));
      sequences.push_back(sequences[0]);
      const BoundKernel bound(symbol_rows(sequences), "subsequence",
                              {{"length", length}, {"decay", decay}, {"normalized", false}});
      const Matrix k = bound.rows(first_atoms(7), first_atoms(7));
      for (std::size_t a = 0; a < 7; ++a) {
        for (std::size_t b = 0; b < 7; ++b) {
          const auto size = static_cast<std::size_t>(length);
          CHECK(k[a][b] == Approx(product(subsequences(sequences[a], size, decay),
                                          subsequences(sequences[b], size, decay))));
        }
      }
    }
  }
}

TEST_CASE("subsequences of up to 64 symbols have the values of their binomials") {
  // All symbols are equal and nothing decays: C(n, p) C(m, p) pairs of subsequences.
  for (const int length : {1, 4, 5, 8, 9, 16, 17, 40, 64}) {
    const BoundKernel bound(symbol_rows({Sequence(66, 5), Sequence(65, 5)}), "subsequence",
                            {{"length", length}, {"decay", 1.0}, {"normalized", false}});
    const auto choose = [length](double n) {
      double ways = 1;
      for (int k = 0; k < length; ++k) ways *= (n - k) / (length - k);
      return ways;
    };
    CHECK(bound.value(0, 1) == Approx(choose(66) * choose(65)));
  }
}

TEST_CASE("spectrum agrees with an enumeration of all substrings") {
  Random random(22);
  for (const int length : {1, 2, 3, 5}) {
    std::vector<Sequence> sequences;
    for (int k = 0; k < 8; ++k) sequences.push_back(random_sequence(random, 30, 2));
    sequences.push_back({});
    const BoundKernel bound(symbol_rows(sequences), "spectrum",
                            {{"length", length}, {"normalized", false}});
    const BoundKernel scaled(symbol_rows(sequences), "spectrum", {{"length", length}});
    const auto counts = [&](std::size_t a) {
      return substrings(sequences[a], static_cast<std::size_t>(length));
    };
    const Matrix k = bound.rows(first_atoms(9), first_atoms(9));
    const Matrix normal = scaled.rows(first_atoms(9), first_atoms(9));
    for (std::size_t a = 0; a < 9; ++a) {
      for (std::size_t b = 0; b < 9; ++b) {
        CHECK(k[a][b] == product(counts(a), counts(b)));
        const double size =
            std::sqrt(product(counts(a), counts(a)) * product(counts(b), counts(b)));
        CHECK(normal[a][b] == Approx(size > 0 ? k[a][b] / size : 0));
        if (a == b) CHECK(normal[a][a] == (size > 0 ? 1 : 0));
      }
    }
  }
}

TEST_CASE("a value of a kernel of sequences is the same number in every call, also if kept") {
  Random random(23);
  for (const StringCase& one : string_cases) {
    CAPTURE(one.name);
    std::vector<Sequence> sequences;
    for (int k = 0; k < 30; ++k) sequences.push_back(random_sequence(random, 40, 4));
    sequences[3] = Sequence(40, 2);
    const std::vector<Sequence> old(sequences.begin(), sequences.begin() + 20);
    const std::vector<Sequence> fresh(sequences.begin() + 20, sequences.end());
    const BoundKernel both("svmlight", {{"train", symbol_rows(old)}, {"test", symbol_rows(fresh)}},
                           one.name, one.parameters);
    const AtomList all = first_atoms(30);
    const Matrix k = both.rows(all, all);
    const std::vector<double> diagonal = both.diagonal(all);
    for (std::size_t i = 0; i < 30; ++i) {
      REQUIRE(diagonal[i] == k[i][i]);
      for (std::size_t j = 0; j < 30; ++j) {
        REQUIRE(k[i][j] == k[j][i]);
        REQUIRE(both.value(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) == k[i][j]);
      }
    }
    CHECK(both.claims() == SCULPT_KERNEL_POSITIVE);
    CHECK(is_positive(k));
    KeptBytes kept;
    const AtomList supports{4, 0, 19, 3};
    for (const std::int64_t atom : supports) kept.add(both.bytes_of(atom));
    const BoundKernel predicting("svmlight", {{"predict", symbol_rows(fresh)}}, one.name,
                                 one.parameters, &kept, both.dataset.save());
    AtomList in_both;
    for (std::int64_t a = 20; a < 30; ++a) in_both.push_back(a);
    CHECK(predicting.kept_rows(first_atoms(10), 0, 4) == both.rows(in_both, supports));
    CHECK(predicting.kept_rows({7}, 1, 3) == both.rows({27}, {0, 19}));
  }
}

TEST_CASE("the bytes of a sequence have the size of its largest symbol") {
  const BoundKernel bound("1 1:100 2:-100\n1 1:300 2:2\n1 1:2147483647\n1\n1 1:1 2:0 9:2\n",
                          "subsequence");
  CHECK(bound.bytes_of(0).size() == 3);
  CHECK(bound.bytes_of(1).size() == 5);
  CHECK(bound.bytes_of(2).size() == 5);
  CHECK(bound.bytes_of(3).size() == 1);
  CHECK(bound.bytes_of(4) == "\1\1\2");  // the indices do not count, and 0 is no symbol
}

TEST_CASE("kernels of sequences refuse bad parameters, values and bytes by name") {
  const auto refused = [](sculpt_status status, const json& parameters, const std::string& text) {
    return refusal_of(status, [&] { BoundKernel(text, "subsequence", parameters); });
  };
  CHECK(refused(SCULPT_E_PARAMETER, {{"decay", 0.0}}, "1 1:1\n") ==
        "decay is 0; write a number above 0, up to 1");
  CHECK(refused(SCULPT_E_PARAMETER, {{"decay", 1e-10}, {"length", 20}}, "1 1:1\n") ==
        "decay is so small that all values of this length are 0; choose a larger decay or a "
        "smaller length");
  const std::string rule =
      " is no symbol; write symbols as whole numbers from -2147483648 to 2147483647, and set no "
      "`scaling` of the dataset";
  CHECK(refused(SCULPT_E_DATA, json::object(), "1 1:1\n1 1:3 2:2.5\n") ==
        "example 1 (data.txt:2): the value 2.5" + rule);
  CHECK(refused(SCULPT_E_DATA, json::object(), "1 1:3000000000\n") ==
        "example 0 (data.txt:1): the value 3e+09" + rule);
  CHECK(refusal_of(SCULPT_E_DATA, [&] { BoundKernel("1 1:0.5\n", "spectrum"); }) ==
        "example 0 (data.txt:1): the value 0.5" + rule);
  CHECK(refused(SCULPT_E_DATA, {{"decay", 1.0}, {"length", 64}},
                symbol_rows({Sequence(8), Sequence(20000, 1)})) ==
        "example 1 (data.txt:2): this sequence is so long that the kernel may overflow; choose a "
        "smaller decay or length, or cut the sequence");
  for (const char* name : {"subsequence", "spectrum"}) {
    for (const std::string& bytes : {std::string(), std::string("\3abc"), std::string("\2abc"),
                                     std::string("\4ab"), std::string("\1a\0b", 4)}) {
      LiveComponent kernel(std::string("kernel#") + name);
      KeptBytes kept;
      kept.add(bytes);
      CHECK(refusal_of(SCULPT_E_DATA, [&] { keep(kernel, kept); }) ==
            "kept atom 0 of the model is damaged or of another version; use the plugin version "
            "that wrote the model, or train again");
    }
  }
}
