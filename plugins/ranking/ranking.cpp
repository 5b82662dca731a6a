// ranking.cpp - a library for queries whose documents are put into order. Called by the host.
#include "ranking_features.hpp"
#include "ranking_losses.hpp"
#include "ranking_oracle.hpp"
#include "svmrank.hpp"

using namespace ranking;

SCULPT_PLUGIN("ranking", "1.0.0", "Apache-2.0", sculpt::Dataset<SvmRank>,
              sculpt::Features<RankingFeatures>, sculpt::Loss<PairError>,
              sculpt::Loss<MeanAveragePrecision>, sculpt::Loss<ReciprocalRank>, sculpt::Loss<Ndcg>,
              sculpt::Oracle<RankingOracle>)
