# Wrong relaxed answers of the map_solver lp, and of an oracle (the test plugin relaxed.cpp).
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(PkgConfig REQUIRED)
pkg_check_modules(clp REQUIRED clp)
set(lp ${plugins}/lp/lp.cpp)
sculpt_add_unchanged_sources(lp
  ${plugins}/lp/clp_solver.cpp ${plugins}/lp/constraints.cpp ${plugins}/lp/dual_ascent.cpp
  ${plugins}/lp/interior_point.cpp ${plugins}/lp/local_polytope.cpp ${plugins}/lp/normal_factor.cpp
  ${plugins}/lp/relaxation.cpp ${plugins}/lp/roof_duality.cpp ${plugins}/lp/rounding.cpp)
target_link_libraries(unchanged_lp PRIVATE Eigen3::Eigen)
target_include_directories(unchanged_lp SYSTEM PRIVATE ${clp_INCLUDE_DIRS})
list(APPEND lp_unchanged LINK Eigen3::Eigen Clp CoinUtils)
set(scatter "relaxation_.polytope().scatter(relaxation_.beliefs(), mu);")
set(labels "if (relaxation_.bound() - rounded <= relaxation_.rounding()) {")
set(bound "out.bound(std::max(relaxation_.bound(), value));")
sculpt_add_mutant(lp_correct ${lp} "${scatter}" "${scatter} // nothing is changed" ${lp_unchanged})
sculpt_add_mutant(lp_not_normalised ${lp} "${scatter}"
  "${scatter} for (double& cell : mu) cell *= 1.1;" ${lp_unchanged})
sculpt_add_mutant(lp_marginals ${lp} "${scatter}"
  "${scatter} std::swap(mu[0], mu[static_cast<std::size_t>(query.graph.states[0]) - 1]);"
  ${lp_unchanged})
sculpt_add_mutant(lp_value ${lp} "${bound}" "${bound} out.found(value + 0.5);" ${lp_unchanged})
sculpt_add_mutant(lp_bound ${lp} "${bound}" "out.bound(value - 0.5);" ${lp_unchanged})
sculpt_add_mutant(lp_low ${lp} "${labels}" "out.exact(rounded); if (true) {" ${lp_unchanged})
sculpt_add_mutant(lp_half ${lp} "query.graph, f, y_.data()))] += 1;"
  "query.graph, f, y_.data()))] += 0.5;" ${lp_unchanged})
sculpt_add_mutant(lp_no_output ${lp} "${labels}"
  "if (query.graph.variable_count > 2) return out.no_output(); ${labels}" ${lp_unchanged})
sculpt_add_mutant(lp_not_written ${lp} "std::fill(mu.begin(), mu.end(), 0.0);" "" ${lp_unchanged})
sculpt_add_mutant(lp_drifts ${lp} "${scatter}"
  "${scatter} static double drift = 0; mu[0] += drift += 1e-13;" ${lp_unchanged})
sculpt_add_mutant(lp_race ${lp} "Relaxation relaxation_;" "static inline Relaxation relaxation_;"
  ${lp_unchanged})
set(bag ${PROJECT_SOURCE_DIR}/tests/abi/stubs/relaxed.cpp)
sculpt_add_mutant(bag_correct ${bag} [["items into a bag"]] [["nothing is changed"]])
sculpt_add_mutant(bag_scale ${bag} [[part * value_of(query.example, j));]]
  [[value_of(query.example, j));]])
sculpt_add_mutant(bag_without_psi ${bag} [[psi.add(static_cast<std::int64_t>(j), part]]
  [[if (choice.second < items_) psi.add(static_cast<std::int64_t>(j), part]])
sculpt_add_mutant(bag_loss ${bag} [[out.loss(loss);]] [[out.loss(loss / 2);]])
sculpt_add_mutant(bag_low ${bag} [[take(choice.first, choice.first_gain, 1);]]
  [[take(choice.first, choice.first_gain, choice.second < items_ ? 0.25 : 1);]])
sculpt_add_mutant(bag_not_fractional ${bag} [[if (choice.second < items_) {
      out.fractional();]]
  [[if (choice.second < items_ && query.example != 1) {
      out.fractional();]])
sculpt_add_mutant(bag_no_output ${bag} [[out.exact(value);]]
  [[out.exact(value);
    if (query.example == 1) out.no_output();]])
