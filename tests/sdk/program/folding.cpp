// folding.cpp - pairs of letters of a word that do not cross. The oracle is a dynamic program.
//
//   node (i, j): the pairings of the letters i .. j - 1. Its edges: letter i has no partner, the
//   rest is (i + 1, j); or letter i pairs with k, around (i + 1, k) and before (k + 1, j).
//   psi(x, y): the number of pairs of each two letters, and of each letter without a partner
//   y: for each letter the position of its partner, its own position if it has none
//
// Nussinov & Jacobson, PNAS 77 (1980).
#include <array>
#include <map>
#include <optional>
#include <sculpt/program/oracle.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t letters = 4;  // a b c d

struct Word {
  std::vector<std::int32_t> x;
  std::vector<std::int32_t> y;
};

class Words {
 public:
  static constexpr sculpt::About about{"org.example.folding_words", "1.0.0",
                                       "words of a to d with their brackets: abca (.).)"};

  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      if (reader.fields().size() != 2) throw reader.error(0, "write a word and its brackets");
      const std::string_view letters_of = reader.fields()[0].text;
      const std::string_view brackets = reader.fields()[1].text;
      if (letters_of.size() != brackets.size()) {
        throw reader.error(0, "write as many brackets and dots as there are letters");
      }
      Word word;
      std::vector<std::int32_t> open;
      for (std::size_t i = 0; i < letters_of.size(); ++i) {
        const auto here = static_cast<std::int32_t>(i);
        word.x.push_back(letters_of[i] - 'a');
        word.y.push_back(here);
        if (word.x.back() < 0 || word.x.back() >= letters) throw reader.error(0, "write a to d");
        if (brackets[i] == '(') open.push_back(here);
        if (brackets[i] != ')') continue;
        if (open.empty()) throw reader.error(0, "there is no bracket to close");
        word.y[i] = open.back();
        word.y[static_cast<std::size_t>(open.back())] = here;
        open.pop_back();
      }
      if (!open.empty()) throw reader.error(0, "a bracket stays open");
      words_.push_back(std::move(word));
    }
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(words_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const { return sculpt::Labels(word(example).y); }

  const Word& word(std::int64_t example) const { return words_[static_cast<std::size_t>(example)]; }

 private:
  std::vector<Word> words_;
  std::map<std::string, sculpt::Range> splits_;
};

// The pairings of a word of n letters.
class Pairings {
 public:
  using Edge = sculpt::program::Edge<2>;

  // w: [letters * letters + letters], in the order of psi.
  Pairings(const std::vector<std::int32_t>& x, std::span<const double> w) : x_(&x), w_(w) {}

  // Nodes are ordered by length, then by start.
  std::int64_t node_count() const { return (length() + 1) * (length() + 2) / 2; }
  std::int64_t node(std::int64_t i, std::int64_t j) const {
    const std::int64_t size = j - i;
    return size * (length() + 1) - size * (size - 1) / 2 + i;
  }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    std::int64_t size = 0;
    std::int64_t i = node;
    while (i >= length() + 1 - size) i -= length() + 1 - size++;
    const std::int64_t j = i + size;
    if (size == 0) return visit(Edge());
    visit(Edge{w_[weight(i, i)], name(i, i), {this->node(i + 1, j)}, 1});
    for (std::int64_t k = i + 1; k < j; ++k) {
      visit(Edge{w_[weight(i, k)], name(i, k), {this->node(i + 1, k), this->node(k + 1, j)}, 2});
    }
  }

  // The letters i <= k that an edge pairs. i == k: a letter without a partner. -1: an empty node.
  std::int64_t first(const Edge& edge) const {
    return edge.tail_count == 0 ? -1 : edge.name / length();
  }
  std::int64_t second(const Edge& edge) const { return edge.name % length(); }
  // The weight of this pair.
  std::size_t weight(std::int64_t i, std::int64_t k) const {
    if (i == k) return static_cast<std::size_t>(letters * letters + letter(i));
    return static_cast<std::size_t>(letter(i) * letters + letter(k));
  }

 private:
  std::int64_t length() const { return static_cast<std::int64_t>(x_->size()); }
  std::int64_t letter(std::int64_t i) const { return (*x_)[static_cast<std::size_t>(i)]; }
  std::int64_t name(std::int64_t i, std::int64_t k) const { return i * length() + k; }

  const std::vector<std::int32_t>* x_;
  std::span<const double> w_;
};

class Folding {
 public:
  static constexpr sculpt::About about{"org.example.folding", "1.0.0",
                                       "pairs of letters that do not cross"};
  static constexpr const char* counts[] = {"errors", "pairs"};
  static constexpr const char* experiments[] = {R"({
    "name": "folding_words",
    "dataset": {"use": "folding_words", "train": {"text":
      "abcd ()..\nabab (())\ncadb ..()\nd .\nbacab (.())\n"}},
    "features": "folding", "loss": "zero_one", "oracle": "folding",
    "solver": {"use": "n_slack", "C": 10}})"};

  void bind(const sculpt::Bindings& bindings) {
    if (bindings.dataset.component() != &sculpt::Dataset<Words>::component) {
      throw sculpt::unsupported_error("pairs the letters of folding_words; set dataset.use to it");
    }
    words_ = &sculpt::component_of<Words>(bindings.dataset.self());
  }
  std::int64_t dimension() const { return letters * letters + letters; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const Pairings pairings(words_->word(example).x, {});
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto here = static_cast<std::int64_t>(i);
      if (y[i] >= here) sum.add(static_cast<std::int64_t>(pairings.weight(here, y[i])), 1);
    }
  }

  class Session {
   public:
    explicit Session(const Folding& owner) : owner_(owner) {}

    const Pairings& program(std::int64_t example, std::span<const double> w) {
      return pairings_.emplace(owner_.words_->word(example).x, w);
    }
    bool covers(std::int64_t, sculpt::Labels) const { return true; }
    void output(std::int64_t example, const sculpt::program::Derivation<Pairings>& derivation,
                std::vector<std::int32_t>& y) const {
      y.resize(owner_.words_->word(example).x.size());
      for (const Pairings::Edge& edge : derivation) {
        const std::int64_t i = pairings_->first(edge);
        if (i < 0) continue;
        const std::int64_t k = pairings_->second(edge);
        y[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(k);
        y[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(i);
      }
    }
    void add(std::int64_t, const Pairings::Edge& edge, double factor, sculpt::Sum& sum) const {
      const std::int64_t i = pairings_->first(edge);
      if (i < 0) return;
      sum.add(static_cast<std::int64_t>(pairings_->weight(i, pairings_->second(edge))), factor);
    }

    void begin_counts(std::int64_t, sculpt::Labels truth, std::span<const sculpt_count> counts) {
      truth_ = truth;
      counted_.assign(counts.begin(), counts.end());
    }
    sculpt::program::Counts counts(const Pairings::Edge& edge) const {
      sculpt::program::Counts result{0, 0};
      const std::int64_t i = pairings_->first(edge);
      if (i < 0) return result;
      const std::int64_t k = pairings_->second(edge);
      for (std::size_t c = 0; c < counted_.size(); ++c) {
        const bool is_errors = std::string_view(counted_[c].name) == "errors";
        // a letter is wrong if it has another partner than in the truth
        const auto wrong = [&](std::int64_t from, std::int64_t to) {
          return truth_[static_cast<std::size_t>(from)] == to ? 0 : 1;
        };
        result[c] = is_errors ? (i == k ? wrong(i, i) : wrong(i, k) + wrong(k, i)) : i != k;
      }
      return result;
    }

   private:
    const Folding& owner_;
    std::optional<Pairings> pairings_;
    sculpt::Labels truth_;
    std::vector<sculpt_count> counted_;
  };

 private:
  const Words* words_ = nullptr;
};

}  // namespace

SCULPT_PLUGIN("folding", "1.0.0", "Apache-2.0", sculpt::Dataset<Words>, sculpt::Features<Folding>,
              sculpt::Oracle<sculpt::ProgramOracle<Folding>>)
