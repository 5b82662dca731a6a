# Kernels: values between atoms, kept atoms, claims, states and threads.
set(closeness ${CMAKE_CURRENT_SOURCE_DIR}/closeness.cpp)
set(row_value [[out[k++] = owner_.value(owner_.point(a), owner_.point(b), terms_);]])
sculpt_add_mutant(kernel_correct ${closeness} [[how close two rows are]] [[nothing is changed]])
sculpt_add_mutant(kernel_unwritten ${closeness} "${row_value}"
  [[if (a == b && others.size() > 1) ++k;
          else out[k++] = owner_.value(owner_.point(a), owner_.point(b), terms_);]])
sculpt_add_mutant(kernel_follows_call ${closeness} "${row_value}"
  [[out[k++] = owner_.value(owner_.point(a), owner_.point(b), terms_) * (others.size() == 1 ? 1 + 1e-15 : 1);]])
sculpt_add_mutant(kernel_repeats ${closeness} "${row_value}"
  [[out[k] = k > 0 && others[k % others.size()] == others[(k - 1) % others.size()]
                   ? out[k - 1] / 2
                   : owner_.value(owner_.point(a), owner_.point(b), terms_);
          ++k;]])
sculpt_add_mutant(kernel_one_sided ${closeness} [[return std::exp(-sum);]]
  [[return std::exp(-sum) * (a < b ? 1 + 1e-15 : 1);]])
sculpt_add_mutant(kernel_diagonal_is_one ${closeness} [[return std::exp(-sum);]]
  [[return 2 * std::exp(-sum);]]) # changed again below
sculpt_add_mutant(kernel_diagonal ${changed}/kernel_diagonal_is_one/kernel_diagonal_is_one.cpp
  [[out[k] = value(point(atoms[k]), point(atoms[k]), terms);]] [[out[k] = 1;]])
sculpt_add_mutant(kernel_distance ${closeness} [[return std::exp(-sum);]] [[return sum;]])
sculpt_add_mutant(kernel_kept_in_float ${closeness}
  [[kept_.push_back(point);]]
  [[for (double& number : point) number = static_cast<float>(number / 3) * 3.0;
      kept_.push_back(point);]])
sculpt_add_mutant(kernel_kept_from_first ${closeness} [[std::int64_t b = kept.begin; b < kept.end;]]
  [[std::int64_t b = 0; b < kept.end - kept.begin;]])
sculpt_add_mutant(kernel_forgets ${closeness} [[magnitude = in.real();]]
  [[magnitude = std::max(4.0, in.real());]])
sculpt_add_mutant(kernel_bytes_differ ${closeness}
  [[out.append(point(atom).data(), point(atom).size() * sizeof(double));]]
  [[Point bytes = kept_.empty() ? point(atom) : kept_.front();
    out.append(bytes.data(), bytes.size() * sizeof(double));]])
sculpt_add_mutant(kernel_unchecked ${closeness}
  [[if (bytes.size() != largest_.size() * sizeof(double)) sculpt::KeptAtoms::refuse(k);
      Point point(largest_.size());
      if (!bytes.empty()) std::memcpy(point.data(), bytes.data(), bytes.size());]]
  [[Point point(largest_.size());
      std::memcpy(point.data(), bytes.data(), point.size() * sizeof(double));]])
sculpt_add_mutant(kernel_keeps_nan ${closeness} [[if (!is_finite(point)) atoms.refuse(k);]] "")
sculpt_add_mutant(kernel_other_status ${closeness}
  [[sculpt::KeptAtoms::refuse(k);]] [[throw sculpt::Error(SCULPT_E_INVALID, "damaged");]])
sculpt_add_mutant(kernel_any_width ${closeness}
  [[if (width_ == 0) throw sculpt::parameter_error("width is 0; write a number above 0");]] "")
sculpt_add_mutant(kernel_shared_scratch ${closeness} [[    std::vector<double> terms_;
  };]] [[    static inline std::vector<double> terms_ = std::vector<double>(1000);
  };]])

# Explicit rows.
set(inner ${CMAKE_CURRENT_SOURCE_DIR}/inner.cpp)
set(added [[sum.add(row.index[k], row.value[k]);]])
sculpt_add_mutant(explicit_correct ${inner} [[the inner product of two rows]]
  [[nothing is changed]])
sculpt_add_mutant(explicit_longer ${inner} "${added}"
  [[sum.add(row.index[k], row.value[k] * (k == 1 ? 1.001 : 1));]])
sculpt_add_mutant(explicit_one_name ${inner} [[std::to_string(column)]] [[std::to_string(column / 2)]])
sculpt_add_mutant(explicit_beyond ${inner} "${added}"
  [[sculpt_add(sum.raw(), row.index[k] + 1, row.value[k]);]])
sculpt_add_mutant(explicit_endless ${inner} [[return atoms_.feature_count();]]
  [[return std::int64_t{1} << 40;]])
