// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "registry.hpp"

namespace zoo::apps {

ModelEntry yolov4_entry();

}  // namespace zoo::apps
