// Features with a ProgramOracle whose program or Session do not fit.
#include <sculpt/program/oracle.hpp>
#include <sculpt/sculpt.hpp>

namespace program = sculpt::program;

struct GoodProgram {
  using Edge = program::Edge<1>;
  std::int64_t node_count() const { return 1; }
  template <class Visit>
  void each_edge(std::int64_t, Visit visit) const {
    visit(Edge{});
  }
};
// The Session of features T with a program of type P.
template <class T, class P = GoodProgram>
struct GoodSession {
  explicit GoodSession(const T&) {}
  const P& program(std::int64_t, std::span<const double>) { return program_; }
  bool covers(std::int64_t, sculpt::Labels) const { return true; }
  void output(std::int64_t, const std::vector<typename P::Edge>&, std::vector<std::int32_t>&) {}
  void add(std::int64_t, const typename P::Edge&, double, sculpt::Sum&) const {}
  void begin_counts(std::int64_t, sculpt::Labels, std::span<const sculpt_count>) {}
  program::Counts counts(const typename P::Edge&) const { return {0, 0}; }
  P program_;
};
struct GoodFeatures {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "features"};
  static constexpr const char* counts[] = {"errors"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const { sum.add(0, 1); }
};
struct Good : GoodFeatures {
  using Session = GoodSession<Good>;
};
static_assert(program::ProgramTask<Good>);

// The program.
template <class P>
struct With : GoodFeatures {
  using Session = GoodSession<With, P>;
};
//   expect: `each_edge` of a program must be a public method of the class: void each_edge(std::int64_t node, Visit visit) const
struct EachEdgeNotConst : GoodProgram {
  template <class Visit>
  void each_edge(std::int64_t, Visit) {}
};
static_assert(!program::ProgramTask<With<EachEdgeNotConst>>);
//   expect: `each_edge` of a program must be
struct EachEdgeOfOneVisitor : GoodProgram {
  void each_edge(std::int64_t, void (*)(const Edge&)) const {}
};
//   expect: `each_edge` of a program is missing
struct NoEachEdge {
  using Edge = program::Edge<1>;
  std::int64_t node_count() const { return 1; }
};
//   expect: `node_count` of a program must be a public method of the class: std::int64_t node_count() const
struct NodeCountMember : GoodProgram {
  std::int64_t node_count = 1;
};
//   expect: `rows` of a program must be a public method of the class: Rows rows(std::int64_t node) const
struct RowsNotConst : GoodProgram {
  program::Rows rows(std::int64_t) { return {}; }
};
//   expect: `poll` of a program must be a public method of the class: void poll() const
struct PollNotConst : GoodProgram {
  void poll() {}
};
//   expect: `Edge` of a program must be a public type: using Edge = sculpt::program::Edge<most tails>
struct NoEdge {
  std::int64_t node_count() const { return 1; }
};
struct FeaturesWithoutEdge : GoodFeatures {
  struct Session {
    explicit Session(const FeaturesWithoutEdge&) {}
    const NoEdge& program(std::int64_t, std::span<const double>) { return program_; }
    NoEdge program_;
  };
};

// The Session.
//   expect: `program` of features with a ProgramOracle must be a public method of the Session: const P& program(std::int64_t example, std::span<const double> w)
struct ProgramByValue : GoodFeatures {
  struct Session : GoodSession<ProgramByValue> {
    using GoodSession::GoodSession;
    GoodProgram program(std::int64_t, std::span<const double>) { return {}; }
  };
};
//   expect: `program` of features with a ProgramOracle is missing
struct NoProgram : GoodFeatures {
  struct Session {
    explicit Session(const NoProgram&) {}
  };
};
//   expect: `covers` of features with a ProgramOracle must be a public method of the Session: bool covers(std::int64_t example, Labels y)
struct CoversWithoutExample : GoodFeatures {
  struct Session : GoodSession<CoversWithoutExample> {
    using GoodSession::GoodSession;
    bool covers(sculpt::Labels) const { return true; }
  };
};
//   expect: `output` of features with a ProgramOracle must be a public method of the Session: void output(std::int64_t example, const Derivation<P>& edges, std::vector<std::int32_t>& y)
struct OutputToCopy : GoodFeatures {
  struct Session : GoodSession<OutputToCopy> {
    using GoodSession::GoodSession;
    void output(std::int64_t, const std::vector<GoodProgram::Edge>&, std::vector<std::int32_t>) {}
  };
};
//   expect: `add` of features with a ProgramOracle must be a public method of the Session: void add(std::int64_t example, const Edge& edge, double factor, Sum& sum)
struct AddOfEdgeReference : GoodFeatures {
  struct Session : GoodSession<AddOfEdgeReference> {
    using GoodSession::GoodSession;
    void add(std::int64_t, GoodProgram::Edge&, double, sculpt::Sum&) const {}
  };
};
//   expect: `begin_counts` of features with a ProgramOracle must be a public method of the Session: void begin_counts(std::int64_t example, Labels truth, std::span<const sculpt_count> counts)
struct BeginCountsWithoutExample : GoodFeatures {
  struct Session : GoodSession<BeginCountsWithoutExample> {
    using GoodSession::GoodSession;
    void begin_counts(sculpt::Labels, std::span<const sculpt_count>) {}
  };
};
//   expect: `counts` of features with a ProgramOracle must be a public method of the Session: Counts counts(const Edge& edge) const
struct CountsNotConst : GoodFeatures {
  struct Session : GoodSession<CountsNotConst> {
    using GoodSession::GoodSession;
    program::Counts counts(const GoodProgram::Edge&) { return {0, 0}; }
  };
};
//   expect: `counts` of features with a ProgramOracle is missing, a public method of the Session
struct NoCounts : GoodFeatures {
  struct Session {
    explicit Session(const NoCounts&) {}
    const GoodProgram& program(std::int64_t, std::span<const double>) { return program_; }
    bool covers(std::int64_t, sculpt::Labels) const { return true; }
    void output(std::int64_t, const std::vector<GoodProgram::Edge>&, std::vector<std::int32_t>&) {}
    void add(std::int64_t, const GoodProgram::Edge&, double, sculpt::Sum&) const {}
    void begin_counts(std::int64_t, sculpt::Labels, std::span<const sculpt_count>) {}
    GoodProgram program_;
  };
};
//   expect: `restrict_to` of features with a ProgramOracle must be a public method of the Session: void restrict_to(Labels truth)
struct RestrictToExample : GoodFeatures {
  struct Session : GoodSession<RestrictToExample> {
    using GoodSession::GoodSession;
    void restrict_to(std::int64_t, sculpt::Labels) {}
  };
};

// The class.
//   expect: `counts` of features with a ProgramOracle must be a public list: static constexpr const char* counts[] = {...}
struct CountsOfLoss : GoodFeatures {
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};
  using Session = GoodSession<CountsOfLoss>;
};
//   expect: `check_counts` of features with a ProgramOracle must be a public method of the class: void check_counts(std::span<const sculpt_count> counts) const
struct CheckCountsNotConst : GoodFeatures {
  void check_counts(std::span<const sculpt_count>) {}
  using Session = GoodSession<CheckCountsNotConst>;
};
//   expect: features with a ProgramOracle need a public class Session with the constructor Session(const T&)
struct NoSession : GoodFeatures {};

template <class T>
using Oracle = sculpt::Oracle<sculpt::ProgramOracle<T>>;

SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Features<Good>, Oracle<Good>,
              Oracle<With<EachEdgeNotConst>>, Oracle<With<EachEdgeOfOneVisitor>>,
              Oracle<With<NoEachEdge>>, Oracle<With<NodeCountMember>>, Oracle<With<RowsNotConst>>,
              Oracle<With<PollNotConst>>, Oracle<FeaturesWithoutEdge>, Oracle<ProgramByValue>,
              Oracle<NoProgram>, Oracle<CoversWithoutExample>, Oracle<OutputToCopy>,
              Oracle<AddOfEdgeReference>, Oracle<BeginCountsWithoutExample>, Oracle<CountsNotConst>,
              Oracle<NoCounts>, Oracle<RestrictToExample>, Oracle<CountsOfLoss>,
              Oracle<CheckCountsNotConst>, Oracle<NoSession>)
