# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# zoo_add_weights(fixture name...)
# A test that fetches weights of scripts/weights.json, as a fixture; skipped, not failed, where the registry is out of reach.
function(zoo_add_weights fixture)
    get_property(known GLOBAL PROPERTY ZOO_TEST_WEIGHTS)
    if(fixture IN_LIST known)
        return()
    endif()
    set_property(GLOBAL APPEND PROPERTY ZOO_TEST_WEIGHTS ${fixture})
    add_test(NAME weights.${fixture} COMMAND "${PROJECT_SOURCE_DIR}/scripts/fetch_weights" ${ARGN})
    set_tests_properties(weights.${fixture} PROPERTIES LABELS e2e FIXTURES_SETUP weights.${fixture} SKIP_RETURN_CODE 3 TIMEOUT 1800)
endfunction()

# zoo_add_test(name SOURCES ... [LIBS ...] [LABELS ...] [TIMEOUT seconds] [WEIGHTS name...])
# WEIGHTS are fetched before the test runs; it still has to skip when they are not in the cache.
# One executable a subject, so that a crash names it; each test case becomes a ctest of its own.
function(zoo_add_test name)
    cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBS;LABELS;WEIGHTS" ${ARGN})
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LIBS} zoo_test_main zoo_warnings)
    # Tests spend their time in the libraries; optimising them as well would double the time of a build.
    target_compile_options(${name} PRIVATE -O1)
    zoo_take_headers(${name} zoo_test_headers)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    set(fixtures)
    if(arg_WEIGHTS)
        list(JOIN arg_WEIGHTS "+" fixture)
        zoo_add_weights(${fixture} ${arg_WEIGHTS})
        set(fixtures FIXTURES_REQUIRED weights.${fixture})
    endif()
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 DISCOVERY_MODE PRE_TEST PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} ${fixtures})
endfunction()
