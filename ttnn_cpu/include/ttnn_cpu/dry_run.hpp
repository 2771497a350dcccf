// SPDX-License-Identifier: Apache-2.0
#pragma once

// For those who want to know what an application asks of the device, not what comes out.
namespace ttnn_cpu {

// While on, ops of this process that are new to the program cache do everything but compute: checks, allocations and records
// are as ever, results are what their memory held. Off by default.
void set_dry_run(bool on);
bool dry_run();

}  // namespace ttnn_cpu
