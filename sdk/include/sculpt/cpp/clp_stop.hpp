// clp_stop.hpp - lets COIN-OR CLP ask the host whether to stop. For plugins that solve linear
// programs with CLP. The SDK itself does not need CLP.
//
// SPDX-License-Identifier: Apache-2.0
//
//   #include <ClpEventHandler.hpp>
//   ClpSimplex simplex;
//   sculpt::StopClp<ClpEventHandler> stop(host);
//   simplex.passInEventHandler(&stop);
//   simplex.dual();
//   host.throw_if_cancelled();      CLP is not made for exceptions from the handler
#pragma once

#include "host.hpp"

namespace sculpt {

// Ends the simplex method when the host asks to stop. The host must outlive this object. [worker]
template <class EventHandler>
class StopClp : public EventHandler {
 public:
  explicit StopClp(const Host& host) : host_(&host) {}
  int event(typename EventHandler::Event) override { return host_->cancelled() ? stop : proceed; }
  EventHandler* clone() const override { return new StopClp(*this); }  // CLP deletes it

 private:
  static constexpr int stop = 0;
  static constexpr int proceed = -1;
  const Host* host_;
};

}  // namespace sculpt
