# SPDX-License-Identifier: Apache-2.0
#
# find_package(CoroAMU REQUIRED)
# target_link_libraries(app PRIVATE CoroAMU::flags)
#
# compiles the marked loops of `app` as coroutines and links the runtime. The compiler must be clang 18.
# COROAMU_SCHEDULER: static (default), getfin, bafin, full, check or off. check: plain loops that check what the pragmas promise, on
# x86-64. getfin, bafin and full need a build for riscv64 with the AMU: -DCMAKE_TOOLCHAIN_FILE=<this folder>/nhg.cmake.

get_filename_component(_coroamu_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(COROAMU_SCHEDULER static CACHE STRING "How tasks of marked loops are scheduled: static, getfin, bafin, full, check or off")
set_property(CACHE COROAMU_SCHEDULER PROPERTY STRINGS static getfin bafin full check off)

set(_coroamu_plugin "${_coroamu_root}/build/compiler/asyncmem.so")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "riscv64")
  set(_coroamu_library "${_coroamu_root}/build/runtime/riscv/libnhg.a")
else()
  set(_coroamu_library "${_coroamu_root}/build/runtime/x86/libnhg.a")
endif()
set(_coroamu_problem "")
foreach(_coroamu_file IN ITEMS "${_coroamu_plugin}" "${_coroamu_library}" "${_coroamu_root}/build/gen/platform.h")
  if(NOT EXISTS "${_coroamu_file}")
    set(_coroamu_problem "${_coroamu_file} is missing: run make -C software/compiler and make -C software/runtime in ${_coroamu_root}")
  endif()
endforeach()

if(NOT COROAMU_SCHEDULER MATCHES "^(static|getfin|bafin|full|check|off)$")
  set(_coroamu_problem "COROAMU_SCHEDULER=${COROAMU_SCHEDULER} is unknown: use static, getfin, bafin, full, check or off")
elseif(COROAMU_SCHEDULER STREQUAL "check" AND CMAKE_SYSTEM_PROCESSOR MATCHES "riscv64")
  set(_coroamu_problem "COROAMU_SCHEDULER=check runs natively: configure without CMAKE_TOOLCHAIN_FILE")
elseif(COROAMU_SCHEDULER MATCHES "^(getfin|bafin|full)$" AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "riscv64")
  string(CONCAT _coroamu_problem "COROAMU_SCHEDULER=${COROAMU_SCHEDULER} needs the AMU: "
    "use -DCMAKE_TOOLCHAIN_FILE=${CMAKE_CURRENT_LIST_DIR}/nhg.cmake or the scheduler static")
endif()
foreach(_coroamu_language IN ITEMS C CXX)
  if(DEFINED CMAKE_${_coroamu_language}_COMPILER_ID AND
     NOT "${CMAKE_${_coroamu_language}_COMPILER_ID} ${CMAKE_${_coroamu_language}_COMPILER_VERSION}" MATCHES "^Clang 18\\.")
    string(CONCAT _coroamu_problem "the plugin needs clang 18, this project uses ${CMAKE_${_coroamu_language}_COMPILER}: "
      "configure with CC=${_coroamu_root}/.toolchain/bin/clang CXX=${_coroamu_root}/.toolchain/bin/clang++")
  endif()
endforeach()

if(_coroamu_problem)
  set(CoroAMU_FOUND FALSE)
  set(CoroAMU_NOT_FOUND_MESSAGE "${_coroamu_problem}")
  return()
endif()

if(NOT TARGET CoroAMU::flags)
  add_library(CoroAMU::flags INTERFACE IMPORTED)
  set(_coroamu_options -Wno-unknown-pragmas)
  if(NOT COROAMU_SCHEDULER STREQUAL "off")
    set(_coroamu_options "-fplugin=${_coroamu_plugin}")
    file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../modes.txt" _coroamu_mode REGEX "^${COROAMU_SCHEDULER} ")
    separate_arguments(_coroamu_mode UNIX_COMMAND "${_coroamu_mode}")
    list(REMOVE_AT _coroamu_mode 0)
    foreach(_coroamu_option IN LISTS _coroamu_mode)
      list(APPEND _coroamu_options "-fplugin-arg-asyncmem-${_coroamu_option}")
    endforeach()
  endif()
  target_compile_options(CoroAMU::flags INTERFACE "$<$<COMPILE_LANGUAGE:C,CXX>:${_coroamu_options}>")
  target_include_directories(CoroAMU::flags INTERFACE "${_coroamu_root}/software/runtime/include" "${_coroamu_root}/build/gen")
  target_link_libraries(CoroAMU::flags INTERFACE "${_coroamu_library}")
endif()
