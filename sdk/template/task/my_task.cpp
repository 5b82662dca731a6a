// my_task.cpp - labels along a sequence: dataset, features, loss and oracle in one class.
//
//   psi(x, y) = sum over t of      x_t in the block of y_t        [labels][width]
//             + sum over t > 0 of  e(y_t-1, y_t)                  [labels][labels]
//   Delta(y, y') = the number of positions with another label
//   Y = the sequences whose neighbours differ by at most `jump`
//
// README.md says more. To make it your own, change one part after the other, and let
// `sculpt check` test it each time.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>
#if 0  // for optional methods
#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/cpp/site_store.hpp>
#endif

class MyTask {
 public:
  static constexpr sculpt::About about{"org.example.my_task", "1.0.0", "labels along a sequence"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("labels", "3", 2, 1000, "number of labels, which begin at 0"),
      sculpt::integer("jump", "1", 0, 1000, "neighbours differ by at most this")};
  // `sculpt check` tests the library with these. They have an empty example, two of equal size, a
  // truth at each limit, and one outside: 0 2 with a jump of 1.
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "my_task", "train": {"text":
          "0:1,0 1:0.5,1 2:0,0\n-\n2:0,1 1:0,1 1:1,1\n0:1,0.5\n1:1,0.5\n0:1,0 2:0,0.8\n"}},
        "features": "my_task", "loss": "my_task", "oracle": "my_task",
        "solver": {"use": "n_slack", "C": 10}})",
      R"({
        "dataset": {"use": "my_task", "labels": 4, "jump": 3, "train": {"text":
          "0:1 3:0.5 3:0.4 1:2\n2:1.5 0:0.1\n-\n?:1 ?:0.5\n"}},
        "features": "my_task", "loss": "my_task", "oracle": "my_task",
        "solver": {"use": "n_slack", "C": 10}})"};

  explicit MyTask(const sculpt::Parameters& values)
      : labels_(static_cast<std::int32_t>(values.integer("labels"))),
        jump_(static_cast<std::int32_t>(values.integer("jump"))) {}

  // --- Dataset -----------------------------------------------------------------------------------

  // One sequence a line, one position a field: label:input,input. The label ? is unknown. A line
  // with - alone is the empty sequence.
  void load(std::string_view split, const sculpt::Source& source) {
    const std::int64_t begin = count();
    // A trap: only "train" is learned from, and nothing after restore().
    is_learning_ = split == "train" && !is_restored_;
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const std::vector<sculpt::Field>& fields = reader.fields();
      if (fields.empty()) continue;
      Sequence& sequence = sequences_.emplace_back();
      if (fields.size() == 1 && fields[0].text == "-") continue;
      for (const sculpt::Field& field : fields) read_position(reader, field, sequence);
      const auto unknown = std::count(sequence.y.begin(), sequence.y.end(), -1);
      sequence.is_labelled = unknown == 0;
      if (unknown > 0 && unknown < std::ssize(sequence.y)) {
        throw reader.error(0, "has labels and question marks; label all positions or none");
      }
    }
    splits_[std::string(split)] = {begin, count()};
  }
  std::int64_t count() const { return static_cast<std::int64_t>(sequences_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(std::string(name));
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  // A trap: Labels() is an unlabelled example, Labels of an empty vector the empty output.
  // Another one: the host keeps what is lent here. It may move while splits are loaded, as it does
  // when `sequences_` grows. After the last load it must stay where it is.
  sculpt::Labels truth(std::int64_t example) const {
    const Sequence& sequence = at(example);
    return sequence.is_labelled ? sculpt::Labels(sequence.y) : sculpt::Labels();
  }
  // The text that `sculpt predict` prints.
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const {
    if (y.empty()) out << "-";
    for (std::size_t t = 0; t < y.size(); ++t) out << (t > 0 ? " " : "") << std::int64_t{y[t]};
  }

  // What was learned from the training data, for the model. Parameters are in the model already.
  void save(sculpt::StateWriter& out) const {
    out.integer(state_version);
    out.integer(static_cast<std::int64_t>(width_));
  }
  void restore(sculpt::StateReader& in) {
    if (in.integer() != state_version) in.damaged();
    const std::int64_t width = in.integer();
    if (width < 0 || width > most_inputs) in.damaged();
    width_ = static_cast<std::size_t>(width);
    is_restored_ = true;  // from here on nothing is learned
  }

  // --- Features ----------------------------------------------------------------------------------

  std::int64_t dimension() const { return pair(labels_, 0); }
  // A trap: the host also asks for psi of a truth that is none of the outputs. So psi must exist
  // for every output of the shape below.
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const Sequence& sequence = at(example);
    for (std::size_t t = 0; t < y.size(); ++t) {
      for (std::size_t k = 0; k < width_; ++k) {
        sum.add(input(y[t]) + static_cast<std::int64_t>(k), sequence.x[t * width_ + k]);
      }
      if (t > 0) sum.add(pair(y[t - 1], y[t]), 1);
    }
  }
  // The host refuses answers and truths of another shape. Add .complete() if every array of the
  // shape is an output.
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return sculpt::OutputShape::of_size(std::ssize(at(example).y), labels_);
  }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    const std::int64_t step = weight - pair(0, 0);
    if (step >= 0) {
      out << "step " << step / labels_ << " to " << step % labels_;
    } else {
      const auto width = static_cast<std::int64_t>(width_);
      out << "label " << weight / width << ", input " << weight % width;
    }
  }

  // --- Loss --------------------------------------------------------------------------------------

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    double errors = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) errors += truth[t] != guess[t] ? 1 : 0;
    return errors;
  }

  // --- Oracle ------------------------------------------------------------------------------------

  // best[t][k] = the best value of the positions up to t, if position t has label k.
  void argmax(const sculpt::Query& query, sculpt::Answer& answer) const {
    const Sequence& sequence = at(query.example);
    const std::size_t size = sequence.y.size();
    const auto labels = static_cast<std::size_t>(labels_);
    std::vector<double> best(size * labels);
    std::vector<std::int32_t> before(size * labels, 0);
    for (std::size_t t = 0; t < size; ++t) {
      for (std::int32_t k = 0; k < labels_; ++k) {
        const std::size_t cell = t * labels + static_cast<std::size_t>(k);
        best[cell] = score(query.weights, sequence, t, k);
        // Delta counts only if loss_weight says so. Without a truth loss_weight is 0.
        if (query.loss_weight > 0 && query.truth[t] != k) best[cell] += query.loss_weight;
        if (t == 0) continue;
        double step = -std::numeric_limits<double>::infinity();
        for (std::int32_t a = std::max(0, k - jump_); a < std::min(labels_, k + jump_ + 1); ++a) {
          const double value = best[(t - 1) * labels + static_cast<std::size_t>(a)] +
                               query.weights[static_cast<std::size_t>(pair(a, k))];
          if (value > step) step = value, before[cell] = a;
        }
        best[cell] += step;
      }
    }
    double value = 0;
    std::vector<std::int32_t> y(size);
    if (size > 0) {
      const auto last = best.end() - labels_;
      const auto found = std::max_element(last, best.end());
      value = *found;
      y[size - 1] = static_cast<std::int32_t>(found - last);
    }
    for (std::size_t t = size; t-- > 1;) {
      y[t - 1] = before[t * labels + static_cast<std::size_t>(y[t])];
    }
    answer.labels().assign(y);
    answer.exact(value);  // found(value) if something may be better; bound(b) if nothing is above b
    if (query.truth.known() && !is_output(query.truth)) answer.truth_outside();
  }

  // All outputs, so that `sculpt check` can compare answers with them. It calls visit for none if
  // there are more than `limit`.
  std::int64_t enumerate(std::int64_t example, std::int64_t limit,
                         const sculpt::Visit& visit) const {
    std::vector<std::vector<std::int32_t>> outputs(1);
    for (std::int64_t t = 0; t < std::ssize(at(example).y); ++t) {
      std::vector<std::vector<std::int32_t>> longer;
      for (const std::vector<std::int32_t>& y : outputs) {
        for (std::int32_t k = 0; k < labels_; ++k) {
          if (t > 0 && std::abs(y.back() - k) > jump_) continue;
          longer.push_back(y);
          longer.back().push_back(k);
        }
        if (std::ssize(longer) > limit) return limit + 1;
      }
      outputs.swap(longer);
    }
    if (std::ssize(outputs) > limit) return limit + 1;
    for (const std::vector<std::int32_t>& y : outputs) visit(y);
    return std::ssize(outputs);
  }

  // --- Optional methods --------------------------------------------------------------------------
  // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
  // Called by the dataset, which owns the object and is bound to nothing. A Session gets what the
  // other parts are bound to.
  void bind(const sculpt::Bindings& bindings);
  void seal();  // ends the setup
  // An output from its text.
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;
  // The file and line of an example, for messages.
  std::string place(std::int64_t example) const;
  // The inputs as sites, for features of other libraries. site_store.hpp keeps them.
  std::int64_t feature_count() const;
  std::int32_t state_count() const;
  std::int64_t variable_count() const;
  sculpt_sites sites(std::int64_t example) const;
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const;
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const;
  // How much a training example counts: at least 0, and not all 0. The slack costs so many times as
  // much; metrics and predictions do not change. example_weights.hpp reads a file of weights.
  double example_weight(std::int64_t example) const;
  // The parts of an output, for losses such as f1; and the part that a label is, or -1.
  void items(std::int64_t example, sculpt::Labels y, std::vector<std::int64_t>& items) const;
  std::int64_t item_of_label(std::int64_t example, std::int64_t variable, std::int32_t state) const;
  // Adds the parameter `scaling`, for rows of numbers: scaling.hpp.
  sculpt::SiteStore& scaled_rows();
  // Kinds of edges, each with weights of its own.
  std::int32_t edge_kind_count() const;
  void edge_kind_name(std::int32_t kind, sculpt::ByteOutput& out) const;
  const std::int32_t* edge_kinds(std::int64_t example) const;
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
  // Delta as a function of counts, for oracles with a frontier. `add_factor_counts` is for
  // map_solvers.
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};
  double loss_of_counts(std::int64_t example, sculpt::Labels truth,
                        std::span<const std::int64_t> counts) const;
  double count_slopes(std::int64_t example, sculpt::Labels truth, std::span<double> slope) const;
  std::uint32_t count_demands() const;
  void add_factor_counts(std::int64_t example, const sculpt_factor_graph& graph,
                         sculpt::Labels truth, std::span<std::int32_t* const> tables) const;
  // Delta as a sum over the cells of a factor graph, for map_solvers.
  std::uint32_t factor_demands() const;
  void add_factor_loss(std::int64_t example, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double& constant) const;
  // Metrics, made of sums over the examples. A guess that is not known() is entirely wrong.
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("accuracy", "share of the labels that are right")};
  static constexpr std::int64_t sum_count = 2;
  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const;
  // The best output that agrees with a partial truth, in which -1 is unknown.
  void complete(const sculpt::Query& query, sculpt::Answer& answer) const;
  // A relaxed answer: psi and Delta of a point of a larger set.
  void cut(const sculpt::Query& query, sculpt::Sum& psi, sculpt::Cut& out) const;
  bool relaxes() const;          // whether there are relaxed answers; asked after bind
  bool offers_frontier() const;  // whether there is a frontier; asked after bind
  // What a thread needs for itself. Methods that use it, such as argmax, are then its members.
  class Session {
   public:
    Session(const MyTask& owner, const sculpt::Bindings& to);
    // The best score of the outputs with each vector of counts. It makes every formulation exact.
    void begin_frontier(const sculpt::FrontierQuery& query, sculpt::FrontierShape& shape);
    void frontier_slice(std::int64_t first, std::span<double> scores);
    void frontier_output(sculpt::CountVector counts, sculpt::LabelOutput& out);
    // Several queries at once, for oracles that share work between them.
    void argmax_batch(sculpt::Batch& batch);
    // log Z and E[psi]; the k best outputs; draws.
    sculpt::LogZ mean(const sculpt::Query& query, sculpt::Sum& sum);
    void covariance_times(const sculpt::Query& query, sculpt::Weights v, sculpt::Sum& sum);
    void begin_k_best(const sculpt::Query& query);
    void next_best(sculpt::Answer& answer);
    double begin_sample(const sculpt::Query& query);
    void draw(std::uint64_t seed, sculpt::LabelOutput& out);
  };
  // Extensions that may still change are offered only if they are listed.
  using drafts = sculpt::Drafts<sculpt::EdgeKinds>;
  // For an argmax that works with another loss, or with other features: it calls those that the
  // Session gets.
  static constexpr bool takes_other_losses = true;
  static constexpr bool takes_other_features = true;
  void check_bindings(const sculpt::Bindings& bindings) const;  // refuses those that do not fit
  // Tables that the SDK does not know by methods: own_extensions.hpp.
  static constexpr const char* extensions[] = {"org.example.my_task/1"};
  const void* extension(const char* id) const;
#endif

 private:
  static constexpr std::int64_t state_version = 1;   // of what save() writes
  static constexpr std::int64_t most_inputs = 1000;  // of a position

  struct Sequence {
    std::vector<std::int32_t> y;  // -1: unknown
    std::vector<double> x;        // [size of y][width_]
    bool is_labelled = true;
  };

  void read_position(const sculpt::LineReader& reader, const sculpt::Field& field,
                     Sequence& sequence) {
    const std::size_t colon = field.text.find(':');
    if (colon == std::string_view::npos) {
      throw reader.error(field.column, "write a position as label:input,input");
    }
    std::int64_t label = -1;
    if (field.text.substr(0, colon) != "?") {
      label = reader.integer({field.text.substr(0, colon), field.column}, "a label");
      if (label < 0 || label >= labels_) {
        throw reader.error(field.column, "there is no label " + std::to_string(label) +
                                             "; write 0 to " + std::to_string(labels_ - 1) +
                                             ", or raise `labels`");
      }
    }
    std::vector<sculpt::Field> inputs;
    sculpt::split_fields(field.text.substr(colon + 1), ",", inputs);
    const auto commas = std::count(field.text.begin(), field.text.end(), ',');
    if (std::ssize(inputs) != commas + 1) {
      throw reader.error(field.column, "has an empty input; write label:input,input");
    }
    if (std::ssize(inputs) > most_inputs) {
      throw reader.error(field.column, "has more than " + std::to_string(most_inputs) + " inputs");
    }
    if (width_ == 0 && is_learning_) width_ = inputs.size();
    if (width_ == 0) throw reader.error(field.column, "the training data had no position");
    if (inputs.size() != width_) {
      throw reader.error(field.column, "has " + std::to_string(inputs.size()) +
                                           " inputs, the positions of the training data have " +
                                           std::to_string(width_));
    }
    for (const sculpt::Field& text : inputs) {
      sequence.x.push_back(
          reader.real({text.text, field.column + colon + 1 + text.column}, "an input"));
    }
    sequence.y.push_back(static_cast<std::int32_t>(label));
  }

  const Sequence& at(std::int64_t example) const {
    return sequences_[static_cast<std::size_t>(example)];
  }
  // The first weight of a label, and the weight of a step from one label to another.
  std::int64_t input(std::int64_t label) const {
    return label * static_cast<std::int64_t>(width_);
  }
  std::int64_t pair(std::int64_t first, std::int64_t second) const {
    return input(labels_) + first * labels_ + second;
  }
  double score(sculpt::Weights w, const Sequence& sequence, std::size_t t, std::int32_t k) const {
    double score = 0;
    for (std::size_t j = 0; j < width_; ++j) {
      score += w[static_cast<std::size_t>(input(k)) + j] * sequence.x[t * width_ + j];
    }
    return score;
  }
  bool is_output(sculpt::Labels y) const {
    for (std::size_t t = 1; t < y.size(); ++t) {
      if (std::abs(y[t - 1] - y[t]) > jump_) return false;
    }
    return true;
  }

  std::int32_t labels_;
  std::int32_t jump_;
  std::size_t width_ = 0;  // inputs of a position
  bool is_restored_ = false;
  bool is_learning_ = false;
  std::vector<Sequence> sequences_;
  std::map<std::string, sculpt::Range> splits_;
};

SCULPT_PLUGIN("my_task", "1.0.0", "MIT", sculpt::Task<MyTask>)
