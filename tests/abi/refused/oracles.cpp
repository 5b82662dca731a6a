// Oracles and map_solvers whose methods do not fit.
#include <sculpt/sculpt.hpp>

struct Good {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "an oracle"};
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.exact(0); }
};
struct GoodSolver {
  static constexpr sculpt::About about{"org.example.solver", "1.0.0", "a map_solver"};
  void solve(const sculpt::MapQuery&, sculpt::Answer& answer) const { answer.exact(0); }
};

// What is required.
//   expect: `argmax` of an oracle must be a public method, const or of the Session: void argmax(const Query& query, Answer& answer)
struct ArgmaxNotConst : Good {
  void argmax(const sculpt::Query&, sculpt::Answer&) {}
};
//   expect: `solve` of a map_solver is missing, a public method, const or of the Session: void solve(const MapQuery& query, Answer& answer)
struct NoSolve {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "solves nothing"};
};

// The graphs of a map_solver.
//   expect: `demands` of a map_solver must be a public method of the class: std::uint32_t demands() const, or one that returns std::span<const std::uint32_t> of the memory of the object
struct DemandsConstant : GoodSolver {
  static constexpr std::uint32_t demands = SCULPT_GRAPH_BINARY;
};
// A view of a vector that is gone.
//   expect: `demands` of a map_solver must be
struct DemandsOfTemporary : GoodSolver {
  std::vector<std::uint32_t> demands() const { return {}; }
};
//   expect: `frontier_demands` of a map_solver must be a public method of the class: std::uint32_t frontier_demands() const
struct FrontierDemandsNotConst : GoodSolver {
  std::uint32_t frontier_demands() { return 0; }
  struct Session {
    explicit Session(const FrontierDemandsNotConst&) {}
    void begin_frontier(const sculpt::FrontierQuery&, sculpt::FrontierShape&) {}
    void frontier_slice(std::int64_t, std::span<double>) {}
    void frontier_output(sculpt::CountVector, sculpt::LabelOutput&) {}
  };
};

// Batches.
//   expect: `argmax_batch` of an oracle must be a public method, const or of the Session: void argmax_batch(Batch& batch)
struct BatchNotConst : Good {
  void argmax_batch(sculpt::Batch&) {}
};
//   expect: `argmax_batch` of an oracle must be
struct BatchOfQueries : Good {
  void argmax_batch(std::span<const sculpt::Query>, std::span<sculpt::Answer>) const {}
};

// Completion.
//   expect: `complete` of an oracle must be a public method, const or of the Session: void complete(const Query& query, Answer& answer)
struct CompleteWithoutAnswer : Good {
  std::vector<std::int32_t> complete(const sculpt::Query&) const { return {}; }
};
//   expect: `complete` of an oracle must be
struct CompletePrivateInSession : Good {
  class Session {
   public:
    explicit Session(const CompletePrivateInSession&) {}

   private:
    void complete(const sculpt::Query&, sculpt::Answer&) {}
  };
};

// Cuts.
//   expect: `cut` of an oracle must be a public method, const or of the Session: void cut(const Query& query, Sum& psi, Cut& out)
struct CutOfMapQuery : Good {
  void cut(const sculpt::MapQuery&, std::span<double>, sculpt::Cut&) const {}
};
//   expect: `cut` of a map_solver must be a public method, const or of the Session: void cut(const MapQuery& query, std::span<double> mu, Cut& out)
struct CutToVector : GoodSolver {
  void cut(const sculpt::MapQuery&, std::vector<double>&, sculpt::Cut&) const {}
};
//   expect: `relaxes` of an oracle or map_solver must be a public method of the class: bool relaxes() const
struct RelaxesConstant : Good {
  static constexpr bool relaxes = true;
  void cut(const sculpt::Query&, sculpt::Sum&, sculpt::Cut&) const {}
};
//   expect: `cut` of an oracle is missing
struct RelaxesAlone : Good {
  bool relaxes() const { return true; }
};

// Frontiers are members of the Session.
struct GoodFrontier {
  void argmax(const sculpt::Query&, sculpt::Answer& answer) { answer.exact(0); }
  void begin_frontier(const sculpt::FrontierQuery&, sculpt::FrontierShape&) {}
  void frontier_slice(std::int64_t, std::span<double>) {}
  void frontier_output(sculpt::CountVector, sculpt::LabelOutput&) {}
};
//   expect: `begin_frontier` of an oracle or map_solver must be a public method of the Session: void begin_frontier(const FrontierQuery& query, FrontierShape& shape)
struct BeginFrontierWithResult : Good {
  struct Session : GoodFrontier {
    explicit Session(const BeginFrontierWithResult&) {}
    std::array<std::int64_t, 2> begin_frontier(const sculpt::FrontierQuery&) { return {1, 1}; }
  };
};
//   expect: `frontier_slice` of an oracle or map_solver must be a public method of the Session: void frontier_slice(std::int64_t first, std::span<double> scores)
struct FrontierSliceOfTwo : Good {
  struct Session : GoodFrontier {
    explicit Session(const FrontierSliceOfTwo&) {}
    void frontier_slice(std::int64_t, std::int64_t, std::span<double>) {}
  };
};
//   expect: `frontier_output` of an oracle or map_solver must be a public method of the Session: void frontier_output(CountVector counts, LabelOutput& out)
struct FrontierOutputOfOne : Good {
  struct Session : GoodFrontier {
    explicit Session(const FrontierOutputOfOne&) {}
    void frontier_output(std::int64_t, sculpt::LabelOutput&) {}
  };
};
//   expect: `frontier_slice` of an oracle or map_solver is missing
//   expect: `frontier_output` of an oracle or map_solver is missing
struct BeginFrontierAlone : Good {
  struct Session {
    explicit Session(const BeginFrontierAlone&) {}
    void begin_frontier(const sculpt::FrontierQuery&, sculpt::FrontierShape&) {}
  };
};
//   expect: `begin_frontier` of an oracle or map_solver must be a public method of the Session
//   expect: `frontier_slice` of an oracle or map_solver must be a public method of the Session
//   expect: `frontier_output` of an oracle or map_solver must be a public method of the Session
struct FrontierOfClass : Good {
  void begin_frontier(const sculpt::FrontierQuery&, sculpt::FrontierShape&) const {}
  void frontier_slice(std::int64_t, std::span<double>) const {}
  void frontier_output(sculpt::CountVector, sculpt::LabelOutput&) const {}
};
//   expect: `offers_frontier` of an oracle or map_solver must be a public method of the class: bool offers_frontier() const
struct OffersFrontierOfSession : Good {
  struct Session : GoodFrontier {
    explicit Session(const OffersFrontierOfSession&) {}
    bool offers_frontier() { return true; }
  };
};

// Distributions. Other members may be called `mean` and `draw`.
struct OtherMembers : Good {
  double mean() const { return 0; }
  int draw = 0;
};
struct GoodDraws : Good {
  double mean(const sculpt::Query&, sculpt::Sum&) const { return 0; }
  void covariance_times(const sculpt::Query&, sculpt::Weights, sculpt::Sum&) const {}
  void begin_k_best(const sculpt::Query&) const {}
  void next_best(sculpt::Answer&) const {}
  double begin_sample(const sculpt::Query&) const { return 0; }
  void draw(std::uint64_t, sculpt::LabelOutput&) const {}
};
//   expect: `mean` of an oracle must be a public method, const or of the Session: LogZ mean(const Query& query, Sum& sum)
struct MeanWithoutResult : GoodDraws {
  void mean(const sculpt::Query&, sculpt::Sum&) const {}
};
//   expect: `covariance_times` of an oracle must be a public method, const or of the Session: void covariance_times(const Query& query, Weights v, Sum& sum)
struct CovarianceWithoutDirection : GoodDraws {
  void covariance_times(const sculpt::Query&, sculpt::Sum&) const {}
};
//   expect: `begin_k_best` of an oracle must be a public method, const or of the Session: void begin_k_best(const Query& query)
struct BeginKBestOfNumber : GoodDraws {
  void begin_k_best(const sculpt::Query&, int) const {}
};
//   expect: `next_best` of an oracle or map_solver must be a public method, const or of the Session: void next_best(Answer& answer)
struct NextBestWithResult : GoodDraws {
  bool next_best(sculpt::Answer&) const { return false; }
};
//   expect: `begin_sample` of an oracle must be a public method, const or of the Session: double begin_sample(const Query& query)
struct BeginSampleWithoutResult : GoodDraws {
  void begin_sample(const sculpt::Query&) const {}
};
//   expect: `draw` of an oracle or map_solver must be a public method, const or of the Session: void draw(std::uint64_t seed, LabelOutput& out)
struct DrawWithoutSeed : GoodDraws {
  void draw(sculpt::LabelOutput&) const {}
};
//   expect: `covariance_times` of an oracle is missing
struct MeanAlone : Good {
  sculpt::LogZ mean(const sculpt::Query&, sculpt::Sum&) const { return 0; }
};
//   expect: `begin_sample` of an oracle is missing
struct DrawAlone : Good {
  void draw(std::uint64_t, sculpt::LabelOutput&) const {}
};
// The methods of an oracle do not fit a map_solver.
//   expect: `mean` of a map_solver must be a public method, const or of the Session: LogZ mean(const MapQuery& query, double* mu)
//   expect: `covariance_times` of a map_solver must be a public method, const or of the Session: void covariance_times(const MapQuery& query, const double* direction, double* out)
//   expect: `begin_k_best` of a map_solver must be a public method, const or of the Session: void begin_k_best(const MapQuery& query)
//   expect: `begin_sample` of a map_solver must be a public method, const or of the Session: double begin_sample(const MapQuery& query)
struct DrawsAsSolver : GoodDraws {
  void solve(const sculpt::MapQuery&, sculpt::Answer& answer) const { answer.exact(0); }
};

//   expect: `check_bindings` is a method of an oracle, but SCULPT_PLUGIN lists this class as no such
struct LossThatChecksBindings {
  static constexpr sculpt::About about{"org.example.loss", "1.0.0", "a loss"};
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
  void check_bindings(const sculpt::Bindings&) const {}
};

SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Oracle<Good>, sculpt::MapSolver<GoodSolver>,
              sculpt::Oracle<ArgmaxNotConst>, sculpt::MapSolver<NoSolve>,
              sculpt::MapSolver<DemandsConstant>, sculpt::MapSolver<DemandsOfTemporary>,
              sculpt::MapSolver<FrontierDemandsNotConst>, sculpt::Oracle<BatchNotConst>,
              sculpt::Oracle<BatchOfQueries>, sculpt::Oracle<CompleteWithoutAnswer>,
              sculpt::Oracle<CompletePrivateInSession>, sculpt::Oracle<CutOfMapQuery>,
              sculpt::MapSolver<CutToVector>, sculpt::Oracle<RelaxesConstant>,
              sculpt::Oracle<RelaxesAlone>, sculpt::Oracle<BeginFrontierWithResult>,
              sculpt::Oracle<FrontierSliceOfTwo>, sculpt::Oracle<FrontierOutputOfOne>,
              sculpt::Oracle<BeginFrontierAlone>, sculpt::Oracle<FrontierOfClass>,
              sculpt::Oracle<OffersFrontierOfSession>, sculpt::Oracle<OtherMembers>,
              sculpt::Oracle<GoodDraws>, sculpt::Oracle<MeanWithoutResult>,
              sculpt::Oracle<CovarianceWithoutDirection>, sculpt::Oracle<BeginKBestOfNumber>,
              sculpt::Oracle<NextBestWithResult>, sculpt::Oracle<BeginSampleWithoutResult>,
              sculpt::Oracle<DrawWithoutSeed>, sculpt::Oracle<MeanAlone>, sculpt::Oracle<DrawAlone>,
              sculpt::MapSolver<DrawsAsSolver>, sculpt::Loss<LossThatChecksBindings>)
