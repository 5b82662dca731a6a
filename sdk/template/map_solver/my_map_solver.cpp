// my_map_solver.cpp - finds the best assignment of a factor graph.
//
//   score(y) = sum over factors f of theta[table_f + offset_f(y)]
//
// Small graphs: tries all assignments, which is exact. Larger graphs: starts from the best label of
// each variable and changes one label at a time until nothing is better (ICM). README.md says more.
#include <algorithm>
#include <sculpt/cpp/local_search.hpp>
#include <sculpt/sculpt.hpp>
#include <vector>

class MyMapSolver {
 public:
  static constexpr sculpt::About about{"org.example.my_map_solver", "1.0.0",
                                       "tries all assignments of small graphs, else climbs"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("exact_up_to", "10000", 0, 1e9,
                      "tries all assignments if there are at most so many", "assignments")};
  // `sculpt check` tests the library with these: with random graphs, and with both ways to search.
  // The examples are words of three sizes, two of them with equal inputs, and one without a truth.
  // No word of letters is empty.
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n3 0 0 c 1 00\n)"
      R"(3 0 1 a 1 11\n3 0 2 c 0 11\n4 0 0 b 0 10\n5 0 0 ? 1 10\n5 0 1 ? 0 01\n"}},
        "features": "chain", "loss": "hamming", "oracle": "my_map_solver",
        "solver": {"use": "n_slack", "C": 1}})",
      R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n3 0 0 c 1 00\n)"
      R"(3 0 1 a 1 11\n3 0 2 c 0 11\n4 0 0 b 0 10\n5 0 0 ? 1 10\n5 0 1 ? 0 01\n"}},
        "features": "chain", "loss": "hamming",
        "oracle": {"use": "my_map_solver", "exact_up_to": 0},
        "solver": {"use": "n_slack", "C": 1}})"};

  MyMapSolver(const sculpt::Parameters& values, sculpt::Host host)
      : exact_up_to_(values.integer("exact_up_to")), host_(host) {}

  // The classes of graphs that solve() needs: SCULPT_GRAPH_BINARY and the like. 0: it takes all.
  std::uint32_t demands() const { return 0; }

  // What a thread needs for itself. Each thread has one Session.
  class Session {
   public:
    explicit Session(const MyMapSolver& owner) : owner_(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      const sculpt_factor_graph& graph = query.graph;
      if (!sculpt::has_assignments(graph)) return answer.no_output();
      double value = 0;
      if (has_few_assignments(graph)) {
        value = try_all(query);
        answer.exact(value);  // nothing has a larger score
      } else {
        value = climb(query);
        answer.found(value);  // no promise; answer.bound(b) if nothing has a score above b
      }
      answer.labels().assign(y_);
    }

    // --- Optional methods ------------------------------------------------------------------------
    // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
    // A relaxed answer: a point of the local polytope.
    void cut(const sculpt::MapQuery& query, std::span<double> mu, sculpt::Cut& out);
    // The best score of the outputs with each vector of counts. It makes every formulation exact.
    void begin_frontier(const sculpt::FrontierQuery& query, sculpt::FrontierShape& shape);
    void frontier_slice(std::int64_t first, std::span<double> scores);
    void frontier_output(sculpt::CountVector counts, sculpt::LabelOutput& out);
    // log Z and E[z]; the k best assignments; draws.
    sculpt::LogZ mean(const sculpt::MapQuery& query, double* mu);
    void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out);
    void begin_k_best(const sculpt::MapQuery& query);
    void next_best(sculpt::Answer& answer);
    double begin_sample(const sculpt::MapQuery& query);
    void draw(std::uint64_t seed, sculpt::LabelOutput& out);
#endif

   private:
    bool has_few_assignments(const sculpt_factor_graph& graph) const {
      double count = 1;
      for (std::int64_t v = 0; v < graph.variable_count; ++v) count *= graph.states[v];
      return count <= static_cast<double>(owner_.exact_up_to_);
    }

    // Counts through the assignments; the last variable changes fastest. Ties: the first one.
    double try_all(const sculpt::MapQuery& query) {
      const sculpt_factor_graph& graph = query.graph;
      std::vector<std::int32_t> y(static_cast<std::size_t>(graph.variable_count), 0);
      y_ = y;
      double best = sculpt::assignment_score(graph, query.theta.data(), y.data());
      for (std::int64_t round = 1; next(graph, y); ++round) {
        if (round % 1024 == 0) owner_.host_.throw_if_cancelled();
        const double score = sculpt::assignment_score(graph, query.theta.data(), y.data());
        if (score > best) best = score, y_ = y;
      }
      return best;
    }
    // Moves to the next assignment. Returns false after the last one.
    static bool next(const sculpt_factor_graph& graph, std::vector<std::int32_t>& y) {
      for (std::size_t v = y.size(); v-- > 0;) {
        if (++y[v] < graph.states[v]) return true;
        y[v] = 0;
      }
      return false;
    }

    double climb(const sculpt::MapQuery& query) {
      const sculpt_factor_graph& graph = query.graph;
      y_.clear();
      for (std::int64_t v = 0; v < graph.variable_count; ++v) {
        const double* const scores = query.theta.data() + graph.table[v];
        y_.push_back(
            static_cast<std::int32_t>(std::max_element(scores, scores + graph.states[v]) - scores));
      }
      search_.begin(graph, query.theta.data());
      return search_.climb(y_, 100, [&] { owner_.host_.throw_if_cancelled(); });
    }

    const MyMapSolver& owner_;
    std::vector<std::int32_t> y_;
    sculpt::LocalSearch search_;
  };

  // --- Optional methods --------------------------------------------------------------------------
  // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
  void seal();
  std::uint32_t frontier_demands() const;  // classes that only the frontier needs
  bool relaxes() const;          // whether there are relaxed answers; asked after seal
  bool offers_frontier() const;  // whether there is a frontier; asked after seal
  // Tables that the SDK does not know by methods: own_extensions.hpp.
  static constexpr const char* extensions[] = {"org.example.my_map_solver/1"};
  const void* extension(const char* id) const;
#endif

 private:
  std::int64_t exact_up_to_;
  sculpt::Host host_;
};

SCULPT_PLUGIN("my_map_solver", "1.0.0", "MIT", sculpt::MapSolver<MyMapSolver>)
