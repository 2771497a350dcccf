# SPDX-License-Identifier: Apache-2.0
# Install rules and the CMake package `zoo`: components ttnn, common and one for each model, an export set each.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ZOO_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/zoo")

# zoo_install_component(component target NAMESPACE ns EXPORT_NAME name BASE_DIR dir DESTINATION dir [PATTERN glob] [EXCLUDE regex])
# Which headers are public follows from where they lie, so they are found rather than listed: all below BASE_DIR/PATTERN.
function(zoo_install_component component target)
    cmake_parse_arguments(arg "" "NAMESPACE;EXPORT_NAME;BASE_DIR;DESTINATION;PATTERN;EXCLUDE" "" ${ARGN})
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${arg_BASE_DIR}/${arg_PATTERN}*.hpp")
    if(arg_EXCLUDE)
        list(FILTER headers EXCLUDE REGEX "${arg_EXCLUDE}")
    endif()
    target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS "${arg_BASE_DIR}" FILES ${headers})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_EXPORT_NAME})
    install(TARGETS ${target} EXPORT zoo-${component}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
        FILE_SET HEADERS DESTINATION ${arg_DESTINATION} COMPONENT ${component})
    install(EXPORT zoo-${component} NAMESPACE ${arg_NAMESPACE} FILE zoo-${component}-targets.cmake
        DESTINATION ${ZOO_PACKAGE_DIR} COMPONENT ${component})
    set_property(GLOBAL APPEND PROPERTY ZOO_PUBLIC_HEADERS ${headers})
endfunction()

function(zoo_install_package)
    # Static libraries name what they link privately, the warnings among it; nothing of them reaches a user's own compile lines.
    set_target_properties(zoo_warnings PROPERTIES EXPORT_NAME warnings)
    install(TARGETS zoo_warnings EXPORT zoo-warnings)
    install(EXPORT zoo-warnings NAMESPACE Zoo:: FILE zoo-warnings-targets.cmake DESTINATION ${ZOO_PACKAGE_DIR} COMPONENT common)

    if(ZOO_TTNN_PROVIDER STREQUAL "embedded")
        zoo_install_component(ttnn ttnn_cpu NAMESPACE TTNN:: EXPORT_NAME TTNN
            BASE_DIR "${PROJECT_SOURCE_DIR}/ttnn_cpu/include" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ttnn_cpu)
    endif()
    zoo_install_component(common zoo_common NAMESPACE Zoo:: EXPORT_NAME common
        BASE_DIR "${PROJECT_SOURCE_DIR}/common/include" EXCLUDE "/torch_[^/]*$" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zoo_common)
    get_property(models GLOBAL PROPERTY ZOO_MODELS)
    foreach(model IN LISTS models)
        # The goldens stay here: a user's program needs no libtorch.
        zoo_install_component(${model} zoo_${model} NAMESPACE Zoo:: EXPORT_NAME ${model}
            BASE_DIR "${PROJECT_SOURCE_DIR}" PATTERN "models/${model}/" EXCLUDE "/torch_[^/]*$"
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/zoo)
    endforeach()
    if(TARGET tt-zoo)
        install(TARGETS tt-zoo RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
    endif()

    set(ZOO_COMPONENTS common ttnn ${models})
    configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/zoo-config.cmake.in" "${PROJECT_BINARY_DIR}/zoo-config.cmake"
        INSTALL_DESTINATION ${ZOO_PACKAGE_DIR})
    # Before 1.0 a minor version may change the API.
    write_basic_package_version_file("${PROJECT_BINARY_DIR}/zoo-config-version.cmake" COMPATIBILITY SameMinorVersion)
    install(FILES
            "${PROJECT_BINARY_DIR}/zoo-config.cmake" "${PROJECT_BINARY_DIR}/zoo-config-version.cmake"
            "${PROJECT_SOURCE_DIR}/cmake/FindOneDNN.cmake"
            "${PROJECT_SOURCE_DIR}/cmake/ZooMetal.cmake" "${PROJECT_SOURCE_DIR}/cmake/ZooMetalPaths.cmake"
        DESTINATION ${ZOO_PACKAGE_DIR} COMPONENT common)
    install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT common)
endfunction()
