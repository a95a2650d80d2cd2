#Compiles.cu files for one architecture down to its machine code, \
    and requires that no kernel spills registers or uses
#more of them than allowed.PTX alone would hide both.
#cmake - DNVCC = nvcc - DARCHITECTURE = 80 - DSOURCES = a.cu; b.cu - DMOST = 128 - DFOLDERS = assignments; \
    ..- DWORK = DIR - P registers_test.cmake
foreach (folder ${FOLDERS})
list(APPEND includes - I ${folder}) endforeach() file(MAKE_DIRECTORY ${WORK}) set(kernels 0) set(failed 0)
    foreach (source ${SOURCES}) cmake_path(GET source STEM name) execute_process(
        COMMAND ${NVCC} - std = c++ 17 - O3 - DNDEBUG -
                                arch = sm_${ARCHITECTURE} - Xptxas - v - Wno - deprecated - gpu -
                                       targets ${includes} - cubin -
                                       o ${WORK} / ${name} _${ARCHITECTURE}.cubin ${
                                                       source} RESULT_VARIABLE result OUTPUT_VARIABLE said
                                                       ERROR_VARIABLE errors) if (NOT result EQUAL 0)
        message(FATAL_ERROR "${source} does not compile for sm_${ARCHITECTURE}:\n${said}${errors}") endif()
            string(REPLACE
                   "\n"
                   ";" lines "${said}${errors}") foreach (line ${
                lines}) if (line MATCHES "Compiling entry function '([^']*)'") set(kernel ${CMAKE_MATCH_1})
                elseif(line MATCHES "([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads") if (
                    NOT "${CMAKE_MATCH_1}${CMAKE_MATCH_2}" STREQUAL "00")
                    message("${name}, sm_${ARCHITECTURE}: ${kernel} spills: ${line}") set(failed 1) endif()
                        elseif(line MATCHES "Used ([0-9]+) registers")
                            math(EXPR kernels "${kernels} + 1") if (CMAKE_MATCH_1 GREATER MOST) message(
                                "${name}, sm_${ARCHITECTURE}: ${kernel} uses ${CMAKE_MATCH_1} registers; "
                                "${MOST} are allowed") set(failed 1) elseif(SHOW)
                                message("${name}, sm_${ARCHITECTURE}: ${CMAKE_MATCH_1} registers: ${kernel}")
                                    endif() endif() endforeach() endforeach() if (kernels EQUAL 0)
                                        message(FATAL_ERROR "ptxas said nothing about any kernel")
                                            endif() if (failed)
                                                message(FATAL_ERROR
                                                        "some of ${kernels} kernels need too many registers")
                                                    endif() message(
                                                        "sm_${ARCHITECTURE}: ${kernels} kernels, no spills, "
                                                        "at most ${MOST} registers")
