// sdca_run.hpp - one run of the solver crf by the method sdca: stochastic ascent of the dual.
//
//   passes of stochastic steps, if they are asked for: they save nothing on ocr_large and conll2000
//   every p_i becomes that of their w, of the w of another run (warm_start) or of w = 0, and moves
//   towards the truth (cell_dual.hpp)
//   repeat: a pass of steps of single blocks (block_ascent.hpp);
//           now and then a pass at one w, which gives P and the gap
//
// D rises with every step. P does not fall with every pass, so the best w is kept. The state
// between two steps is saved.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/crf/block_ascent.hpp"
#include "solver/crf/log_loss_run.hpp"

namespace sculpt::core {

class SdcaRun : private LogLossRun {
 public:
  // All arguments must outlive it. The ports must offer cells.
  SdcaRun(const CrfOptions& options, const Ports& ports, Listener& listener,
          const StopRequest& stop, Checkpoints& checkpoints);

  Result solve();
  // The theta of all blocks, in a state that was saved; nothing: there was no dual yet.
  std::vector<Vector> load_dual_vectors(StateReader& in);

 private:
  bool begin();
  bool ascend();
  bool measure();
  void require_dual_below(double primal, double rounding) const;
  void plan(double gap);
  std::optional<StoppedBy> stop_rule() const;
  Bounds bounds() const;
  Result finish(StoppedBy rule);

  void load(StateReader& in);
  void load_best(StateReader& in);
  void write_checkpoint() override;

  BlockAscent ascent_;
  bool has_blocks_ = false;       // false: w_ is where the blocks begin
  bool is_restored_ = false;      // the blocks come from a checkpoint, without mu
  bool is_measured_ = false;      // D was computed anew since the last step
  std::int64_t still_ = 0;        // times in a row that neither D rose nor the gap fell
  Vector w_;                      // the best
  Bounds best_;                   // what is known of it; the dual is that of the ascent
  std::int64_t passes_left_ = 0;  // passes of steps before P is computed again
  std::int64_t interval_ = 0;     // these passes, when P was computed last
  double last_gap_ = infinity;    // P(v) - D then
  double last_dual_ = -infinity;  // D then
  double progress_ = no_value;    // by which part of P the best P fell then
};

}  // namespace sculpt::core
