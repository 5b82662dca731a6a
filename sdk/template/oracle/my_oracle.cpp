// my_oracle.cpp - an oracle for features of other libraries: it only asks for psi and Delta.
//
//   argmax over y of  <w, psi(x, y)> + loss_weight * Delta(truth, y)
//
// Small examples: tries all outputs, which is exact. Larger ones: begins with zeros and changes one
// label at a time until nothing is better. README.md says more.
#include <array>
#include <sculpt/cpp/lent.hpp>
#include <sculpt/sculpt.hpp>
#include <string>
#include <vector>

class MyOracle {
 public:
  static constexpr sculpt::About about{"org.example.my_oracle", "1.0.0",
                                       "tries all outputs of small examples, else climbs"};
  static constexpr sculpt_parameter parameters[] = {sculpt::integer(
      "exact_up_to", "1000", 0, 1e9, "tries all outputs if there are at most so many", "outputs")};
  // `sculpt check` tests the library with these: two features and losses of the host, and both
  // ways to search. The examples have several sizes, two have equal inputs, and one has no truth.
  // No word of letters is empty.
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n3 0 0 c 1 00\n)"
      R"(3 0 1 a 1 11\n3 0 2 c 0 11\n4 0 0 b 0 10\n5 0 0 ? 1 10\n5 0 1 ? 0 01\n"}},
        "features": "chain", "loss": "hamming", "oracle": "my_oracle",
        "solver": {"use": "n_slack", "C": 1}})",
      R"({
        "dataset": {"use": "svmlight", "train": {"text": "1 1:1\n2 1:1\n3 1:0.5 2:1\n1:1 2:2\n"}},
        "features": "multiclass", "loss": "zero_one",
        "oracle": {"use": "my_oracle", "exact_up_to": 0},
        "solver": {"use": "n_slack", "C": 1}})"};

  MyOracle(const sculpt::Parameters& values, sculpt::Host host)
      : exact_up_to_(values.integer("exact_up_to")), host_(host) {}

  // Keeps what it works on, and refuses what cannot work. In prediction there is no loss.
  void bind(const sculpt::Bindings& bindings) {
    features_ = bindings.features;
    loss_ = bindings.loss;
    shapes_ = sculpt::OutputShapeRef(features_);  // refuses features that do not offer it
    const std::int64_t count = sculpt::Examples(bindings.dataset).count();
    for (std::int64_t i = 0; i < count; ++i) {
      const sculpt_output_shape shape = shapes_.shape(i);
      const bool has_states = shape.states != nullptr || shape.state_count > 0;
      const bool is_complete = (shape.flags & SCULPT_SHAPE_COMPLETE) != 0;
      if (!is_complete || !has_states || shape.min_size != shape.max_size) {
        throw sculpt::unsupported_error(
            "changes labels one by one, but not every array of labels is an output of " +
            features_.id() + "; use the oracle that belongs to these features");
      }
    }
  }

  // What a thread needs for itself: sessions of the features and the loss, and memory.
  class Session {
   public:
    explicit Session(const MyOracle& owner)
        : owner_(owner), features_(owner.features_), loss_(owner.loss_) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      shape_ = owner_.shapes_.shape(query.example);
      y_.assign(static_cast<std::size_t>(shape_.max_size), 0);
      double outputs = 1;
      for (std::size_t t = 0; t < y_.size(); ++t) outputs *= states(t);
      if (outputs == 0) return answer.no_output();
      if (outputs <= static_cast<double>(owner_.exact_up_to_)) {
        answer.exact(try_all(query));  // nothing has a larger value
      } else {
        answer.found(climb(query));  // no promise; answer.bound(b) if nothing has a value above b
      }
      answer.labels().assign(y_);
    }

    // --- Optional methods ------------------------------------------------------------------------
    // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
    // All outputs, so that `sculpt check` can compare answers with them.
    std::int64_t enumerate(std::int64_t example, std::int64_t limit, const sculpt::Visit& visit);
    // The best output that agrees with a partial truth, in which -1 is unknown.
    void complete(const sculpt::Query& query, sculpt::Answer& answer);
    // A relaxed answer: psi and Delta of a point of a larger set.
    void cut(const sculpt::Query& query, sculpt::Sum& psi, sculpt::Cut& out);
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
#endif

   private:
    std::int32_t states(std::size_t t) const {
      return shape_.states != nullptr ? shape_.states[t] : shape_.state_count;
    }

    // <w, psi(x, y)> + loss_weight * Delta(truth, y). A query may have a truth and loss_weight 0.
    double value(const sculpt::Query& query, const std::vector<std::int32_t>& y) {
      score_.begin(query.weights);
      sculpt::Sum sum = score_.sum();
      features_.add(query.example, y, sum);
      double value = score_.end();
      if (query.loss_weight > 0) {
        value += query.loss_weight * loss_.loss(query.example, query.truth, y);
      }
      return value;
    }

    // Counts through the outputs; the last label changes fastest. Ties: the first one.
    double try_all(const sculpt::Query& query) {
      std::vector<std::int32_t> y = y_;
      double best = value(query, y);
      while (next(y)) {
        owner_.host_.throw_if_cancelled();
        const double candidate = value(query, y);
        if (candidate > best) best = candidate, y_ = y;
      }
      return best;
    }
    bool next(std::vector<std::int32_t>& y) const {
      for (std::size_t t = y.size(); t-- > 0;) {
        if (++y[t] < states(t)) return true;
        y[t] = 0;
      }
      return false;
    }

    double climb(const sculpt::Query& query) {
      double best = value(query, y_);
      for (bool is_better = true; is_better;) {
        is_better = false;
        owner_.host_.throw_if_cancelled();
        for (std::size_t t = 0; t < y_.size(); ++t) {
          std::vector<std::int32_t> y = y_;
          for (y[t] = 0; y[t] < states(t); ++y[t]) {
            const double candidate = value(query, y);
            if (candidate > best) best = candidate, y_ = y, is_better = true;
          }
        }
      }
      return best;
    }

    // Takes a vector as pairs (index, value) and keeps only its product with w.
    class Score {
     public:
      void begin(sculpt::Weights w) {
        w_ = w.data();
        total_ = 0;
        list_.raw = {index_.data(), value_.data(), 0,      std::ssize(index_),
                     w.raw().size,  fold,          nullptr};
        list_.owner = this;
      }
      sculpt::Sum sum() { return {&list_.raw, 1}; }
      double end() {
        fold(&list_.raw, 0);
        return total_;
      }

     private:
      struct List {  // `raw` first: fold() finds the owner from its address
        sculpt_accumulator raw;
        Score* owner;
      };
      // Called if the list is full.
      static sculpt_status fold(sculpt_accumulator* raw, std::int64_t) {
        Score& self = *reinterpret_cast<List*>(raw)->owner;
        for (std::int64_t k = 0; k < raw->size; ++k) {
          self.total_ += self.w_[raw->index[k]] * raw->value[k];
        }
        raw->size = 0;
        return SCULPT_OK;
      }

      const double* w_ = nullptr;
      double total_ = 0;
      std::array<std::int32_t, 64> index_;
      std::array<double, 64> value_;
      List list_;
    };

    const MyOracle& owner_;
    sculpt::FeaturesSession features_;
    sculpt::LossSession loss_;
    Score score_;
    sculpt_output_shape shape_{};
    std::vector<std::int32_t> y_;  // the best output so far
  };

  // --- Optional methods --------------------------------------------------------------------------
  // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
  void seal();
  bool relaxes() const;          // whether there are relaxed answers; asked after bind
  bool offers_frontier() const;  // whether there is a frontier; asked after bind
  // What was learned from data, for the model.
  void save(sculpt::StateWriter& out) const;
  void restore(sculpt::StateReader& in);
  // Called at the end of bind. Throws for components that it cannot work with.
  void check_bindings(const sculpt::Bindings& bindings) const;
  // Tables that the SDK does not know by methods: own_extensions.hpp.
  static constexpr const char* extensions[] = {"org.example.my_oracle/1"};
  const void* extension(const char* id) const;
#endif

 private:
  std::int64_t exact_up_to_;
  sculpt::Host host_;
  sculpt::Ref features_;
  sculpt::Ref loss_;
  sculpt::OutputShapeRef shapes_;
};

SCULPT_PLUGIN("my_oracle", "1.0.0", "MIT", sculpt::Oracle<MyOracle>)
