// clustering.cpp - a library that clusters the items of a document by features of pairs. Called by
// the host.
#include "agglomerative.hpp"
#include "clustering_enumeration.hpp"
#include "clustering_lp.hpp"

using namespace clustering;

SCULPT_PLUGIN("clustering", "1.0.0", "Apache-2.0", sculpt::Dataset<ItemPairs>,
              sculpt::Features<PairFeatures>, sculpt::Loss<RandError>, sculpt::Loss<Mitre>,
              sculpt::Oracle<Agglomerative>, sculpt::Oracle<ClusteringLp>,
              sculpt::Oracle<ClusteringEnumeration>)
