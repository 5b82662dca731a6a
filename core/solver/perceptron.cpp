#include "solver/perceptron.hpp"

#include "qp/working_set.hpp"
#include "solver/online_run.hpp"

namespace sculpt::core {
namespace {

class PerceptronRun : public OnlineRun {
 public:
  PerceptronRun(const PerceptronOptions& options, Separator& separator, Listener& listener,
                const StopRequest& stop, Checkpoints& checkpoints)
      : OnlineRun(options, separator, listener, stop, checkpoints),
        loss_weight_(options.loss_weight) {}

 private:
  void pose(Pass& pass) const override { pass.loss_weight = loss_weight_; }

  // A guess that is no worse than the truth and looks different. The truth wins no ties: at w = 0
  // there is nothing else.
  double step(const Separation& answer) const override {
    return answer.low >= 0 && !answer.plane.a.index.empty() ? 1 : 0;
  }

  double factor() const override { return 1; }
  bool separates() const override { return true; }

  double loss_weight_;
};

}  // namespace

Result Perceptron::solve(Separator& separator, Listener& listener, const StopRequest& stop,
                         Checkpoints& checkpoints) {
  return PerceptronRun(options(), separator, listener, stop, checkpoints).solve();
}

}  // namespace sculpt::core
