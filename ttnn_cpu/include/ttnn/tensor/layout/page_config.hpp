// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tt-metalium/tensor/spec/layout/page_config.hpp>
