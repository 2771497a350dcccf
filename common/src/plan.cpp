// SPDX-License-Identifier: Apache-2.0
#include "zoo/plan.hpp"

#include "zoo/error.hpp"

namespace zoo {

std::string_view to_string(Plan plan) { return plan == Plan::Functional ? "functional" : "optimized"; }

Plan plan_from_string(std::string_view name) {
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        if (name == to_string(plan)) {
            return plan;
        }
    }
    fail("Plan", "there is no plan '", name, "'; it must be functional or optimized");
}

}  // namespace zoo
