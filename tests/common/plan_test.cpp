// SPDX-License-Identifier: Apache-2.0
#include "zoo/plan.hpp"

#include "scratch.hpp"

namespace zoo {
namespace {

TEST(Plan, NamesGoBothWays) {
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        EXPECT_EQ(plan_from_string(to_string(plan)), plan);
    }
    EXPECT_EQ(to_string(Plan::Functional), "functional");
    EXPECT_EQ(to_string(Plan::Optimized), "optimized");
}

TEST(Plan, RefusesOtherNames) {
    testing::expect_error([] { (void)plan_from_string("quick"); }, {"[Plan]", "'quick'", "functional or optimized"});
}

}  // namespace
}  // namespace zoo
