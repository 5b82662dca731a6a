// sculpt.hpp - everything a plugin in C++20 needs. No dependency but the standard library.
//
// SPDX-License-Identifier: Apache-2.0
//
//   #include <sculpt/sculpt.hpp>
//
//   struct CountErrors {
//     static constexpr sculpt::About about{"org.example.count_errors", "1.0.0", "wrong labels"};
//     double loss(sculpt::Labels truth, sculpt::Labels guess) const { ... }
//   };
//   SCULPT_PLUGIN("example", "1.0.0", "MIT", sculpt::Loss<CountErrors>)
//
// Read on:
//   cpp/kinds.hpp        what each kind of class must have
//   cpp/kernels.hpp      the same for kernels
//   cpp/task.hpp         one class for a whole task
//   cpp/extensions.hpp   what it may have besides
//   cpp/methods.hpp      all signatures
//   cpp/life.hpp         when its methods are called
//   cpp/parameters.hpp   its parameters
//   cpp/reading.hpp      text files line by line, for datasets
// Include by name:
//   cpp/site_store.hpp   examples that are rows of numbers, for datasets
#pragma once

#include "cpp/batch_argmax.hpp"
#include "cpp/complete.hpp"
#include "cpp/counts.hpp"
#include "cpp/cuts.hpp"
#include "cpp/drafts.hpp"
#include "cpp/error.hpp"
#include "cpp/extensions.hpp"
#include "cpp/frontiers.hpp"
#include "cpp/host.hpp"
#include "cpp/items.hpp"
#include "cpp/kernels.hpp"
#include "cpp/kinds.hpp"
#include "cpp/life.hpp"
#include "cpp/output_shape.hpp"
#include "cpp/own_extensions.hpp"
#include "cpp/parameters.hpp"
#include "cpp/plugin.hpp"
#include "cpp/reading.hpp"
#include "cpp/refs.hpp"
#include "cpp/state.hpp"
#include "cpp/task.hpp"
#include "cpp/views.hpp"
