// SPDX-License-Identifier: Apache-2.0
// The main function of the tests with provider metal. A test that asks for what only the embedded device has, or on tt-metal's
// mock device for values, a trace or an event, is skipped there and then, with the reason. ctest runs each test in a process of
// its own; run by hand, a program ends with its first skipped test.
//
// The linker hands us the calls that the mock device cannot answer (--wrap in CMakeLists.txt); the names are tt-metal v0.77.0's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string_view>
#include <vector>

#include <ttnn_cpu/device_options.hpp>

#include "ttnn/events.hpp"
#include "ttnn/operations/trace.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"
#include "zoo/mock_device.hpp"

namespace {

// Not a std::exception: what turns those into messages, or expects one, lets this pass.
struct NotOnMock {
    const char* reason;
};

// A host tensor does not tell where its values come from.
bool copied_from_mock = false;

bool on_mock(const ttnn::Tensor& tensor) {
    // A deallocated tensor is on no device.
    ttnn::MeshDevice* device = tensor.storage_type() == ttnn::StorageType::DEVICE ? tensor.device() : nullptr;
    return device != nullptr && zoo::is_mock(*device);
}

void need_values(const ttnn::Tensor& tensor) {
    if (copied_from_mock || on_mock(tensor)) {
        throw NotOnMock{"the test compares values, and the mock device computes none"};
    }
}

void need_events(ttnn::MeshDevice& device) {
    if (zoo::is_mock(device)) {
        throw NotOnMock{"the test waits for an event, which the mock device does not do"};
    }
}

// Ends the process, but not by way of the destructors of static devices, which a test suite would have closed.
[[noreturn]] void skip(const char* reason) {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const bool failed = test != nullptr && test->result()->Failed();
    std::cout << (failed ? "[  FAILED  ] and what is left of the test is skipped: " : "[  SKIPPED ] ") << reason
              << std::endl;
    std::_Exit(failed ? 1 : 0);
}

}  // namespace

using Queue = std::optional<ttnn::QueueId>;
using ttnn::MeshDevice;
using ttnn::MeshEvent;
using ttnn::Tensor;

// Defines what the linker calls instead of `symbol`; the body may call original().
#define ZOO_INSTEAD_OF(symbol, result, original, parameters)                      \
    extern "C" result original parameters __asm__("__real_" symbol);              \
    extern "C" result instead_of_##original parameters __asm__("__wrap_" symbol); \
    result instead_of_##original parameters

#define ZOO_QUEUE "St8optionalIN4ttsl10StrongTypeIhNS_10QueueIdTagEEEE"

#define ZOO_INSTEAD_OF_TO_VECTOR(type, code, original)                                                      \
    ZOO_INSTEAD_OF(                                                                                         \
        "_ZNK4ttnn6Tensor9to_vectorI" code "EESt6vectorIT_SaIS3_EE" ZOO_QUEUE, std::vector<type>, original, \
        (const Tensor* self, Queue queue)) {                                                                \
        need_values(*self);                                                                                 \
        return original(self, queue);                                                                       \
    }

ZOO_INSTEAD_OF_TO_VECTOR(float, "f", floats)
ZOO_INSTEAD_OF_TO_VECTOR(std::int32_t, "i", integers)
ZOO_INSTEAD_OF_TO_VECTOR(std::uint32_t, "j", unsigned_integers)
ZOO_INSTEAD_OF_TO_VECTOR(std::uint16_t, "t", short_integers)
ZOO_INSTEAD_OF_TO_VECTOR(std::uint8_t, "h", bytes)

ZOO_INSTEAD_OF(
    "_ZNK4ttnn6Tensor3cpuEb" ZOO_QUEUE, Tensor, copied_to_host, (const Tensor* self, bool blocking, Queue queue)) {
    copied_from_mock = copied_from_mock || on_mock(*self);
    return copied_to_host(self, blocking, queue);
}

ZOO_INSTEAD_OF(
    "_ZN4ttnn10operations5trace19begin_trace_captureEPN2tt8tt_metal11distributed10MeshDeviceE" ZOO_QUEUE,
    ttnn::MeshTraceId, begin_trace_capture, (MeshDevice * device, Queue queue)) {
    if (zoo::is_mock(*device)) {
        throw NotOnMock{"the test captures a trace, which the mock device does not do"};
    }
    return begin_trace_capture(device, queue);
}

ZOO_INSTEAD_OF(
    "_ZN4ttnn6events17event_synchronizeERKN2tt8tt_metal11distributed9MeshEventE", void, event_synchronize,
    (const MeshEvent& event)) {
    need_events(*event.device());
    event_synchronize(event);
}

ZOO_INSTEAD_OF(
    "_ZN4ttnn6events19wait_for_mesh_eventE" ZOO_QUEUE "RKN2tt8tt_metal11distributed9MeshEventE", void,
    wait_for_mesh_event, (Queue queue, const MeshEvent& event)) {
    need_events(*event.device());
    wait_for_mesh_event(queue, event);
}

int main(int argc, char** argv) {
    ::testing::InitGoogleMock(&argc, argv);
    // What a test throws comes here.
    GTEST_FLAG_SET(catch_exceptions, false);
    try {
        return RUN_ALL_TESTS();
    } catch (const ttnn_cpu::NotEmbedded& reason) {
        skip(reason.what());
    } catch (const NotOnMock& call) {
        skip(call.reason);
    } catch (const std::exception& error) {
        if (std::string_view(error.what()).find("mock device") != std::string_view::npos) {
            skip(error.what());
        }
        std::cout << "[  FAILED  ] the test throws: " << error.what() << std::endl;
        std::_Exit(1);
    }
}
