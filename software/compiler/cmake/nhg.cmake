# SPDX-License-Identifier: Apache-2.0
#
# CMake toolchain file of NH-G: bare-metal riscv64 with the AMU, C library picolibc, start code and memory map of the runtime.
# cmake -S project -B build -DCMAKE_TOOLCHAIN_FILE=<repository>/software/compiler/cmake/nhg.cmake -DCOROAMU_SCHEDULER=full

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
get_filename_component(_nhg_driver "${CMAKE_CURRENT_LIST_DIR}/../driver" ABSOLUTE)
# The driver only adds headers, start code and libraries; CoroAMU::flags chooses the scheduler.
set(CMAKE_C_COMPILER "${_nhg_driver}/coroamu-cc" -masync=off)
set(CMAKE_CXX_COMPILER "${_nhg_driver}/coroamu-c++" -masync=off)
set(CMAKE_C_COMPILER_TARGET riscv64-unknown-elf)
set(CMAKE_CXX_COMPILER_TARGET riscv64-unknown-elf)
list(APPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_LIST_DIR}/..")
