// pieces.cpp - splits words into pieces: walk|ing. Its oracle follows from a dynamic program.
//
//   node t: the first t letters, in pieces;  edge s -> t: the last piece is letters s .. t - 1
//   psi(x, y): the number of pieces of each length, and of each pair of letters at a border
//   y: for each letter 1 if it begins a piece, else 0
#include <optional>
#include <sculpt/program/oracle.hpp>
#include <sculpt/sculpt.hpp>

#include "words.hpp"

constexpr std::int64_t max_length = 8;  // longer pieces count as this length
constexpr std::int64_t letters = 26;

struct Splits {  // the program: all splits of one word, with scores for the weights w
  using Edge = sculpt::program::Edge<1>;

  std::int64_t size() const { return static_cast<std::int64_t>(text->size()); }
  std::int64_t node_count() const { return size() + 1; }
  template <class Visit>
  void each_edge(std::int64_t t, Visit visit) const {
    if (t == 0) return visit(Edge{});  // no letter, no piece: one derivation without tails
    for (std::int64_t s = 0; s < t; ++s) {
      Edge edge{0, s * node_count() + t, {s}, 1};
      each_weight(s, t, [&](std::int64_t j) { edge.score += w[static_cast<std::size_t>(j)]; });
      visit(edge);
    }
  }
  // Calls visit(j) for each weight j of the piece s .. t - 1.
  template <class Visit>
  void each_weight(std::int64_t s, std::int64_t t, Visit visit) const {
    const auto letter = [&](std::int64_t k) { return (*text)[static_cast<std::size_t>(k)] - 'a'; };
    if (t > s) visit(std::min(t - s, max_length) - 1);
    if (s > 0) visit(max_length + letter(s - 1) * letters + letter(s));
  }
  std::int64_t begin(const Edge& edge) const { return edge.name / node_count(); }
  std::int64_t end(const Edge& edge) const { return edge.name % node_count(); }

  const std::string* text;
  std::span<const double> w;
};

class Pieces {  // the features
 public:
  static constexpr sculpt::About about{"org.example.pieces", "1.0.0", "lengths and borders"};
  static constexpr const char* counts[] = {"errors"};
  static constexpr const char* experiments[] = {R"({
    "dataset": {"use": "words", "train": {"text": "walk|ing\nsee|s\nre|do\na\n"}},
    "features": "pieces", "loss": "hamming", "oracle": "pieces",
    "solver": {"use": "n_slack", "C": 10}})"};

  void bind(const sculpt::Bindings& bindings) {
    if (bindings.dataset.component() != &sculpt::Dataset<Words>::component) {
      throw sculpt::unsupported_error("splits the words of words; set dataset.use to it");
    }
    words_ = &sculpt::component_of<Words>(bindings.dataset.self());
  }
  std::int64_t dimension() const { return max_length + letters * letters; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const Splits splits = all(example, {});
    for (std::int64_t s = 0, t = 1; s < splits.size(); s = t++) {
      while (t < splits.size() && y[static_cast<std::size_t>(t)] == 0) ++t;
      splits.each_weight(s, t, [&](std::int64_t j) { sum.add(j, 1); });
    }
  }
  Splits all(std::int64_t example, std::span<const double> w) const {
    return {&words_->texts[static_cast<std::size_t>(example)], w};
  }

  class Session {  // the methods that ProgramOracle needs
   public:
    explicit Session(const Pieces& owner) : owner_(owner) {}

    const Splits& program(std::int64_t example, std::span<const double> w) {
      return splits_.emplace(owner_.all(example, w));
    }
    bool covers(std::int64_t, sculpt::Labels) const { return true; }
    void output(std::int64_t, const std::vector<Splits::Edge>& edges,
                std::vector<std::int32_t>& y) const {
      y.assign(static_cast<std::size_t>(splits_->size()), 0);
      for (const Splits::Edge& edge : edges) {
        if (edge.tail_count > 0) y[static_cast<std::size_t>(splits_->begin(edge))] = 1;
      }
    }
    void add(std::int64_t, const Splits::Edge& edge, double factor, sculpt::Sum& sum) const {
      splits_->each_weight(splits_->begin(edge), splits_->end(edge),
                           [&](std::int64_t j) { sum.add(j, factor); });
    }
    void begin_counts(std::int64_t, sculpt::Labels truth, std::span<const sculpt_count>) {
      truth_ = truth;
    }
    sculpt::program::Counts counts(const Splits::Edge& edge) const {  // of wrong labels
      sculpt::program::Counts result{0, 0};
      for (std::int64_t k = splits_->begin(edge); k < splits_->end(edge); ++k) {
        const std::int32_t label = k == splits_->begin(edge) ? 1 : 0;
        result[0] += truth_[static_cast<std::size_t>(k)] != label ? 1 : 0;
      }
      return result;
    }

   private:
    const Pieces& owner_;
    std::optional<Splits> splits_;
    sculpt::Labels truth_;
  };

 private:
  const Words* words_ = nullptr;
};

SCULPT_PLUGIN("pieces", "1.0.0", "MIT", sculpt::Dataset<Words>, sculpt::Features<Pieces>,
              sculpt::Oracle<sculpt::ProgramOracle<Pieces>>)
