// taxonomy.cpp - a library for classes in a taxonomy: features that share weights along it, losses
// of the taxonomy, and losses by a cost table. Called by the host.
#include "cost_table.hpp"
#include "taxonomy_features.hpp"
#include "tree_loss.hpp"

SCULPT_PLUGIN("taxonomy", "1.1.0", "Apache-2.0", sculpt::Features<taxonomy::TaxonomyFeatures>,
              sculpt::Loss<taxonomy::TreeLoss>, sculpt::Loss<taxonomy::CostTable>)
