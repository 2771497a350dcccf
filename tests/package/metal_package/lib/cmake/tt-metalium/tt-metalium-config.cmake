# SPDX-License-Identifier: Apache-2.0
add_library(TT::Metalium INTERFACE IMPORTED)
