// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "registry.hpp"

namespace zoo::apps {

ModelEntry resnet_entry();

}  // namespace zoo::apps
