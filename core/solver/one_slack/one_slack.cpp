#include "solver/one_slack/one_slack.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "solver/cutting_plane/cutting_plane_policy.hpp"
#include "solver/cutting_plane/cutting_plane_run.hpp"
#include "solver/one_slack/joint_answer.hpp"
#include "solver/one_slack/joint_cost.hpp"
#include "solver/one_slack/joint_infeasibility.hpp"

namespace sculpt::core {
namespace {

// Work limit of one QP, in scorings of the working set.
constexpr double max_one_slack_sweeps = 1e4;

// Another QP over cached planes follows if their joint plane is expected to close at least this
// fraction of the last gap. At most max_qps_of_cached per pass.
constexpr double min_gain_fraction = 0.1;
constexpr std::uint64_t max_qps_of_cached = 100;

// Key of a plane: the number of its pass. Planes made from the cache add the round of the QP, in
// the bits from 48 on. Planes of a warm start have keys from 2^63 on.
constexpr int bits_of_pass = 48;
constexpr std::uint64_t first_warm_start_key = std::uint64_t{1} << 63;

// In a saved state: the run goes on.
constexpr StoppedBy no_rule = StoppedBy::counted;

class OneSlackPolicy : CuttingPlanePolicy {
 public:
  static constexpr double max_first_qp_sweeps = max_one_slack_sweeps;

  OneSlackPolicy(const OneSlackOptions& options, CuttingPlaneContext& context)
      : CuttingPlanePolicy(context),
        options_(options),
        answer_(options, context),
        cost_(options, context, answer_),
        infeasibility_(context) {
    context.resume_points.add_state([this](StateWriter& out) { save(out); },
                                    [this](StateReader& in) { load(in); });
  }

  static std::int64_t block_count(const PlaneSource&) { return 1; }
  // Each unit of the mean slack costs C. Under norm 2 so does the mean half square, because the
  // planes are its tangents.
  static SlackTerm slack_term(const OneSlackOptions& options, const PlaneSource&) {
    const Formulation& formulation = options.formulation;
    return formulation.is_hard_margin() ? SlackTerm::forbidden() : SlackTerm::linear(formulation.C);
  }
  static InnerProduct* inner_product(const OneSlackOptions& options, PlaneSource& source) {
    return source.joint_inner_product(options.kernel_bytes(), options.formulation.is_hard_margin());
  }
  void assign_keys(WorkingSet& warm_start_planes) const {
    std::vector<std::uint64_t>& keys = warm_start_planes.block(0).key;
    std::iota(keys.begin(), keys.end(), first_warm_start_key);
  }

  bool next_pass_depends_on_limit() const {
    return pass_controller_.next_pass_depends_on_limit() ||
           (options_.samples_cuts && pass_controller_.limit_after_next_pass());
  }
  void find_planes();
  std::optional<StoppedBy> stop_rule() const;
  void improve();

  void refuse_data() const { infeasibility_.refuse_data(options_.separation_floor); }
  InfeasiblePlanes planes_for_contradiction() const {
    return infeasibility_.contradiction_candidates();
  }

 private:
  void ask_all();
  void find_sampled_plane();
  std::optional<StoppedBy> rule_of_sample();
  void measure_primal(StoppedBy rule);
  void add_plane();
  bool add_from_cache(std::uint64_t round);
  void save(StateWriter& out) const;
  void load(StateReader& in);

  const OneSlackOptions& options_;
  JointAnswer answer_;
  JointCost cost_;
  JointInfeasibility infeasibility_;  // under hard margin
  std::optional<StoppedBy> rule_;     // of a run that samples, once it only has to measure P
};

// Joachims et al. 2009, Algorithm 3, lines 5 to 8: for i = 1, ..., n, find y_i that maximizes
// H_i(y_i). Add their joint constraint to S.
void OneSlackPolicy::find_planes() {
  if (options_.samples_cuts) return find_sampled_plane();
  ask_all();
  cost_.certify();
  add_plane();
}

// Line 9: until the mean H is at most xi + epsilon.
std::optional<StoppedBy> OneSlackPolicy::stop_rule() const {
  if (options_.samples_cuts) return rule_;
  if (const auto rule = pass_controller_.reached_target()) return rule;
  if (pass_controller_.is_exhausted()) return StoppedBy::oracle_exhausted;
  return pass_controller_.limit_after_pass();
}

// Yu & Joachims 2008, Algorithm 2: the joint constraint is that of a sample. Once the sample shows
// a gap within the target, or before a limit, all examples are asked at one w, and P is measured.
void OneSlackPolicy::find_sampled_plane() {
  if (rule_) return measure_primal(*rule_);
  if (const auto limit = pass_controller_.limit_after_next_pass()) return measure_primal(*limit);
  answer_.ask_sample(context_.begin_pass(true));
  pass_controller_.findings.answers = answer_.joint.counts;
  pass_controller_.end_pass();
  if (answer_.knows_all_slacks()) {
    cost_.certify();
  } else {
    cost_.subtract_cost();
    cost_.record_rounding();
    pass_controller_.report_batches();
  }
  rule_ = rule_of_sample();
  if (!rule_) return add_plane();
  if (working_set_.is_exact()) measure_primal(*rule_);
}

// The rule that ends a run that samples. P - D by the sample is C (H - xi), with H its mean.
std::optional<StoppedBy> OneSlackPolicy::rule_of_sample() {
  const double H = std::max(0.0, cost_.low(pass_controller_.query_point()));
  const double C = options_.formulation.C;
  const double primal = 0.5 * pass_controller_.query_point_squared_norm() + C * H;
  const double gap = C * (H - cost_.slack());
  pass_controller_.findings.gap = gap;  // the QP is solved to a fraction of it
  if (gap <= options_.stop.relative_gap * primal) return StoppedBy::sampled_gap;
  return pass_controller_.limit_after_pass();
}

void OneSlackPolicy::measure_primal(StoppedBy rule) {
  Pass pass = context_.begin_pass(true);
  pass.makes_steps = false;
  answer_.ask(pass);
  pass_controller_.findings.answers = answer_.joint.counts;
  pass_controller_.end_pass();
  cost_.certify();
  rule_ = rule;
}

// Line 4: w, xi <- argmin over S. It is repeated while the joint plane of cached planes is expected
// to close enough of the gap.
void OneSlackPolicy::improve() {
  for (std::uint64_t round = 1;; ++round) {
    if (context_.solve_qp(max_one_slack_sweeps) == QpEnd::inseparable) refuse_data();
    if (round > max_qps_of_cached || !add_from_cache(round)) break;
    working_set_.age();  // ages count QPs, and a pass may have many of them
  }
  pass_controller_.reduce_working_set();
}

// Costlier oracles are skipped for examples whose plane is violated: every violated plane is a part
// of the joint plane. Once a pass has added no joint plane, all later passes ask all oracles.
// Otherwise the cheaper ones would return known planes again.
void OneSlackPolicy::ask_all() {
  const bool skips_oracles =
      pass_controller_.passes() == 0 || pass_controller_.findings.skips_oracles;
  Pass pass = context_.begin_pass(true);
  if (skips_oracles) pass_controller_.skip_costlier_oracles(pass, [](std::int64_t) { return 0.0; });
  answer_.ask(pass);
  pass_controller_.findings.answers = answer_.joint.counts;
  pass_controller_.end_pass();
}

// Line 8: adds the joint plane if it is violated by more than xi + epsilon.
void OneSlackPolicy::add_plane() {
  const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::reduction);
  const JointSeparation& joint = answer_.joint;
  if (!cost_.is_violated(cost_.low(pass_controller_.query_point()))) return;
  // It is violated beyond every plane of the working set, so it is new. The pass can be its key.
  const auto key = static_cast<std::uint64_t>(pass_controller_.passes());
  if (!working_set_.add(0, PlaneVector(joint.a), joint.b, key)) return;
  pass_controller_.findings.new_planes = 1;
  if (!options_.formulation.is_hard_margin()) return;
  working_set_.record_averaged_plane(joint.max_squared_norm);
  infeasibility_.add_plane(key, joint.low);
}

// Adds the joint plane of cached planes at the evaluation point of the last QP. Returns false if it
// is not worth another QP. `round`: the number of this QP within the pass. The plane is not saved
// at a resume point: a resumed run computes it again.
bool OneSlackPolicy::add_from_cache(std::uint64_t round) {
  if (!answer_.has_cache()) return false;
  const ScopedPhase phase(pass_controller_.clock(), &PhaseTimes::sweeps);
  const JointSeparation& joint = answer_.joint;
  const Vector w = qp_solver_.evaluation_point();
  answer_.join_cached_planes(w);
  cost_.subtract_cost();
  const double low = cost_.low(w);
  const double expected_gain = options_.formulation.C * (low - cost_.slack());
  if (expected_gain <= min_gain_fraction * pass_controller_.findings.gap) return false;
  if (!cost_.is_violated(low)) return false;
  const std::uint64_t key =
      (round << bits_of_pass) + static_cast<std::uint64_t>(pass_controller_.passes());
  if (!working_set_.add(0, PlaneVector(joint.a), joint.b, key)) return false;
  ++pass_controller_.findings.new_planes;
  return true;
}

void OneSlackPolicy::save(StateWriter& out) const {
  answer_.save(out);
  cost_.save(out);
  out.put(working_set_.largest_averaged_plane());
  infeasibility_.save(out);
  if (options_.samples_cuts) out.put(static_cast<std::int32_t>(rule_ ? *rule_ : no_rule));
}

void OneSlackPolicy::load(StateReader& in) {
  answer_.load(in);
  cost_.load(in);
  const auto longest = in.get<double>();
  in.require(std::isfinite(longest) && longest >= 0, "a norm that is out of range");
  working_set_.record_averaged_plane(longest);
  infeasibility_.load(in, options_.formulation.is_hard_margin());
  if (!options_.samples_cuts) return;
  const auto rule = static_cast<StoppedBy>(in.get<std::int32_t>());
  in.require(rule == no_rule || rule == StoppedBy::sampled_gap || is_limit(rule),
             "a rule that ends no run of this solver");
  if (rule != no_rule) rule_ = rule;
}

}  // namespace

Result OneSlack::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                       Checkpoints& checkpoints) {
  return CuttingPlaneRun<OneSlackPolicy>(options_, *ports.planes, listener, stop, checkpoints)
      .solve();
}

// Sampled planes prove nothing, so there is nothing to verify.
std::optional<WorkingSet> OneSlack::load_working_set(PlaneSource& source, StateReader& state) {
  if (options_.samples_cuts) return std::nullopt;
  return CuttingPlaneRun<OneSlackPolicy>::load_working_set(options_, source, state);
}

}  // namespace sculpt::core
