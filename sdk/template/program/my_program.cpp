// my_program.cpp - splits words into pieces, by a dynamic program: dataset, features and oracle.
//
//   node t: the first t letters, in pieces;  edge s -> t: the last piece is the letters s .. t - 1
//   psi(x, y) = sum over the pieces of y of  e(length of the piece)          [longest]
//                                          + e(letter before, its letter)    [26][26], at a border
//   y: for each letter 1 if it begins a piece, else 0.  Y: no piece is longer than `longest`
//
// The oracle follows from the program: argmax, frontier, all outputs, log Z, draws, the k best.
// README.md says more.
#include <algorithm>
#include <map>
#include <optional>
#include <sculpt/program/oracle.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

// Words with their pieces.
class MyProgramData {
 public:
  static constexpr sculpt::About about{"org.example.my_program", "1.0.0", "words in pieces"};

  // One word a line, un|do|ing. A line that ends with ? is not labelled. A line with - alone is the
  // empty word.
  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    sculpt::LineReader reader(source);
    while (reader.next()) {
      std::string_view line = reader.line();
      if (line.empty()) continue;
      Word& word = words_.emplace_back();
      if (line == "-") continue;
      word.is_labelled = !line.ends_with('?');
      if (!word.is_labelled) line.remove_suffix(1);
      for (std::size_t k = 0; k < line.size(); ++k) {
        if (line[k] == '|' && word.is_labelled && k > 0 && k + 1 < line.size() &&
            line[k - 1] != '|') {
          continue;
        }
        if (line[k] < 'a' || line[k] > 'z') {
          throw reader.error(k, "write the letters a to z, with | between pieces");
        }
        word.y.push_back(k == 0 || line[k - 1] == '|' ? 1 : 0);
        word.letters += line[k];
      }
    }
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(words_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  // A trap: Labels() is an unlabelled example, Labels of an empty vector the empty output.
  // Another one: what is lent here may move while splits are loaded, but not after the last load.
  sculpt::Labels truth(std::int64_t example) const {
    const Word& word = words_[static_cast<std::size_t>(example)];
    return word.is_labelled ? sculpt::Labels(word.y) : sculpt::Labels();
  }
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
    if (y.empty()) out << "-";
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (k > 0 && y[k] == 1) out << "|";
      out << std::string_view(letters(example)).substr(k, 1);
    }
  }

  const std::string& letters(std::int64_t example) const {
    return words_[static_cast<std::size_t>(example)].letters;
  }

 private:
  struct Word {
    std::string letters;
    std::vector<std::int32_t> y;
    bool is_labelled = true;
  };
  std::vector<Word> words_;
  std::map<std::string, sculpt::Range> splits_;
};

// The program: all ways to split one word, with scores for the weights w. An edge has a name, from
// which begin() and end() follow.
class MyProgramSplits {
 public:
  using Edge = sculpt::program::Edge<1>;

  MyProgramSplits(const std::string& letters, std::int64_t longest, std::span<const double> w)
      : letters_(&letters), longest_(longest), w_(w) {}

  std::int64_t size() const { return static_cast<std::int64_t>(letters_->size()); }
  std::int64_t node_count() const { return size() + 1; }
  // Calls visit(edge) for each edge into a node, in the same order every time.
  template <class Visit>
  void each_edge(std::int64_t t, Visit visit) const {
    if (t == 0) return visit(Edge{});  // no letter, no piece: one derivation without tails
    for (std::int64_t s = std::max<std::int64_t>(0, t - longest_); s < t; ++s) {
      Edge edge{0, s * node_count() + t, {s}, 1};
      each_weight(s, t, [&](std::int64_t j) { edge.score += w_[static_cast<std::size_t>(j)]; });
      visit(edge);
    }
  }
  std::int64_t begin(const Edge& edge) const { return edge.name / node_count(); }
  std::int64_t end(const Edge& edge) const { return edge.name % node_count(); }

  // --- Optional methods ------------------------------------------------------------------------
  // To write one, move it out of this block.
#if 0
  // The table that the edges of a node are part of, if many nodes share their tails: it is faster.
  sculpt::program::Rows rows(std::int64_t node) const;
  // Called once in a while. Throws if the user asks to stop; for programs that are slow by
  // themselves.
  void poll() const;
#endif

  // Calls visit(j) for each weight j of the piece s .. t - 1. A trap: truths that are no outputs
  // need psi, too. So pieces longer than `longest` have a weight.
  template <class Visit>
  void each_weight(std::int64_t s, std::int64_t t, Visit visit) const {
    visit(std::min(t - s, longest_) - 1);
    if (s > 0) visit(longest_ + letter(s - 1) * 26 + letter(s));
  }

 private:
  std::int64_t letter(std::int64_t k) const {
    return (*letters_)[static_cast<std::size_t>(k)] - 'a';
  }

  const std::string* letters_;
  std::int64_t longest_;
  std::span<const double> w_;
};

class MyProgram {  // the features
 public:
  static constexpr sculpt::About about{"org.example.my_program", "1.0.0",
                                       "lengths of pieces, and letters at their borders"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("longest", "4", 1, 1000, "no piece is longer", "letters")};
  // The counts that losses may ask for.
  static constexpr const char* counts[] = {"errors"};
  // `sculpt check` tests the library with these. They have an empty word, two words of equal size,
  // a truth at the limit, one outside, and a word without a truth.
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "my_program", "train": {"text":
          "walk|ing\nwal|king\nsee|s\n-\nre|do\na\nabcde|f\nwalking?\n"}},
        "features": "my_program", "loss": "hamming", "oracle": "my_program",
        "solver": {"use": "n_slack", "C": 10}})",
      R"({
        "dataset": {"use": "my_program", "train": {"text": "a|b\ncd\ne|f|g\n"}},
        "features": {"use": "my_program", "longest": 1}, "loss": "zero_one", "oracle": "my_program",
        "solver": {"use": "n_slack", "C": 10, "rescaling": "slack"}})"};

  explicit MyProgram(const sculpt::Parameters& values) : longest_(values.integer("longest")) {}

  void bind(const sculpt::Bindings& bindings) {
    if (bindings.dataset.component() != &sculpt::Dataset<MyProgramData>::component) {
      throw sculpt::unsupported_error(
          "splits only words of its own dataset; set dataset.use to my_program");
    }
    data_ = &sculpt::component_of<MyProgramData>(bindings.dataset.self());
  }
  std::int64_t dimension() const { return longest_ + 26 * 26; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const MyProgramSplits splits(data_->letters(example), longest_, {});
    for (std::int64_t s = 0, t = 1; s < y.count(); s = t++) {
      while (t < y.count() && y[static_cast<std::size_t>(t)] == 0) ++t;
      splits.each_weight(s, t, [&](std::int64_t j) { sum.add(j, 1); });
    }
  }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return sculpt::OutputShape::of_size(std::ssize(data_->letters(example)), 2);
  }

  // What the oracle asks. Each thread has one Session.
  class Session {
   public:
    explicit Session(const MyProgram& owner) : owner_(owner) {}

    // The program of an example under weights. It lives until the next call.
    const MyProgramSplits& program(std::int64_t example, std::span<const double> w) {
      return splits_.emplace(owner_.data_->letters(example), owner_.longest_, w);
    }
    // Whether a truth is one of the outputs.
    bool covers(std::int64_t, sculpt::Labels y) const {
      if (!y.empty() && y[0] != 1) return false;  // the first letter begins a piece
      std::int64_t length = 0;
      for (const std::int32_t label : y) {
        length = label == 1 ? 1 : length + 1;
        if (length > owner_.longest_) return false;
      }
      return true;
    }
    // The output of a derivation.
    void output(std::int64_t, const std::vector<MyProgramSplits::Edge>& edges,
                std::vector<std::int32_t>& y) const {
      y.assign(static_cast<std::size_t>(splits_->size()), 0);
      for (const MyProgramSplits::Edge& edge : edges) {
        if (edge.tail_count > 0) y[static_cast<std::size_t>(splits_->begin(edge))] = 1;
      }
    }
    // Adds factor * psi of an edge.
    void add(std::int64_t, const MyProgramSplits::Edge& edge, double factor,
             sculpt::Sum& sum) const {
      if (edge.tail_count == 0) return;
      splits_->each_weight(splits_->begin(edge), splits_->end(edge),
                           [&](std::int64_t j) { sum.add(j, factor); });
    }
    // What an edge adds to each count. begin_counts() comes first.
    void begin_counts(std::int64_t, sculpt::Labels truth, std::span<const sculpt_count>) {
      truth_ = truth;
    }
    sculpt::program::Counts counts(const MyProgramSplits::Edge& edge) const {
      sculpt::program::Counts result{0, 0};
      if (edge.tail_count == 0) return result;
      for (std::int64_t k = splits_->begin(edge); k < splits_->end(edge); ++k) {
        const std::int32_t label = k == splits_->begin(edge) ? 1 : 0;
        result[0] += truth_[static_cast<std::size_t>(k)] != label ? 1 : 0;
      }
      return result;
    }

    // --- Optional methods ------------------------------------------------------------------------
    // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
    // For outputs that depend on the truth: called before program().
    void restrict_to(sculpt::Labels truth);
#endif

   private:
    const MyProgram& owner_;
    std::optional<MyProgramSplits> splits_;
    sculpt::Labels truth_;
  };

  // --- Optional methods --------------------------------------------------------------------------
  // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
  void seal();
  // What was learned from data, for the model.
  void save(sculpt::StateWriter& out) const;
  void restore(sculpt::StateReader& in);
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const;
  // Weights that must not be negative: 1 in `nonnegative`.
  bool bounds_weights() const;
  void weight_bounds(std::span<std::uint8_t> nonnegative) const;
  // The column of the dataset that a weight multiplies, or -1.
  std::int64_t weight_column(std::int64_t weight) const;
  // Where the weights of rows are, for kernels: row_blocks.hpp.
  sculpt::RowBlocks row_blocks() const;
  // The weights that form one multinomial, for generative training.
  void weight_groups(std::span<std::int32_t> group) const;
  // Decision values, for `sculpt predict --scores`: scores.hpp.
  bool offers_scores() const;
  std::uint32_t score_rule() const;
  std::int64_t score_columns() const;
  void score_name(std::int64_t column, sculpt::ByteOutput& out) const;
  std::int64_t score_rows(std::int64_t example) const;
  void write_scores(std::int64_t example, sculpt::Weights w, std::span<double> scores) const;
  // A factor graph, for every map_solver: factor_graph_builder.hpp.
  std::uint32_t factor_classes() const;
  const sculpt_factor_graph& factor_graph(std::int64_t example) const;
  void potentials(std::int64_t example, sculpt::Weights w, double* theta) const;
  void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) const;
  // Refuses limits of counts that the program does not support.
  void check_counts(std::span<const sculpt_count> counts) const;
  // Tables that the SDK does not know by methods: own_extensions.hpp.
  static constexpr const char* extensions[] = {"org.example.my_program/1"};
  const void* extension(const char* id) const;
#endif

 private:
  std::int64_t longest_;
  const MyProgramData* data_ = nullptr;
};

SCULPT_PLUGIN("my_program", "1.0.0", "MIT", sculpt::Dataset<MyProgramData>,
              sculpt::Features<MyProgram>, sculpt::Oracle<sculpt::ProgramOracle<MyProgram>>)
