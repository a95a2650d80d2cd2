# add_assignment(NN_x): all that the build makes for the assignment of this folder. What is not there is not offered:
# without reference/fast/x.h there is no yardstick of speed.
#
# It takes: the target `contract` (grader/contract/), own_code, plain_code, kit_plain_code and yardstick_files, the
# folders `contracts` and GRADER_DIR. It adds to the lists `assignments` (x), `questions` (targets whose objects are
# part of the grader), export_tables, kernel_tables, stand_ins and timed (targets that the grader loads), and
# device_tables (sources).

set(glue ${GRADER_DIR}/contracts)  # what is written from the contracts

function(add_assignment folder)
    string(REGEX REPLACE "^[0-9]+_" "" x ${folder})
    set(written ${glue}/${x}_exports.cpp ${glue}/${x}_kernels.cpp ${glue}/${x}_plain.cpp ${glue}/${x}_fast.cpp
        ${glue}/${x}_functions.h ${glue}/${x}_on_arrays.h ${glue}/${x}.map ${glue}/cuda/${x}_cuda.h)
    add_custom_command(OUTPUT ${written}
        COMMAND contract assignments/${folder}/${x}.h ${glue}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        DEPENDS contract ${PROJECT_SOURCE_DIR}/assignments/${folder}/${x}.h DEPFILE ${glue}/${x}.d
        COMMENT "Reading the contract ${folder}/${x}.h" VERBATIM)
    add_custom_target(contract_${x} DEPENDS ${written})

    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/grader/assignments/${x}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    foreach(needed IN ITEMS assignments/${folder}/${x}.h reference/${x}.h reference/${x}.cpp)
        if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${needed} OR NOT sources)
            message(FATAL_ERROR "Assignment ${folder} needs ${needed} and grader/assignments/${x}/*.cpp. "
                                "assignments/README.md says what an assignment consists of.")
        endif()
    endforeach()
    add_library(questions_${x} OBJECT ${sources})
    target_link_libraries(questions_${x} PUBLIC own_code sanitized)
    target_include_directories(questions_${x} PRIVATE ${GRADER_DIR})
    set_target_properties(questions_${x} PROPERTIES UNITY_BUILD ${ATTN_UNITY} UNITY_BUILD_BATCH_SIZE 16)

    # Tables of what a library has, for the worker, which is no place for our sanitizers.
    add_loaded(exports ${x} ${glue}/${x}_exports.cpp)
    add_loaded(kernel_exports ${x} ${glue}/${x}_kernels.cpp)
    target_include_directories(kernel_exports_${x} PRIVATE
        ${PROJECT_SOURCE_DIR}/grader/emulator/include ${glue}/cuda ${contracts})
    target_compile_definitions(kernel_exports_${x} PRIVATE ATTN_EMULATOR)
    # Calls of the emulator say where they stand; where this project lies is not theirs to tell.
    target_compile_options(kernel_exports_${x} PRIVATE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)

    # Linked when it is needed: see grader/build/stand_ins.h.
    add_library(stand_ins_${x} STATIC ${glue}/${x}_plain.cpp)
    target_link_libraries(stand_ins_${x} PRIVATE own_code)
    target_compile_options(stand_ins_${x} PRIVATE -ffunction-sections -fdata-sections)
    set_target_properties(stand_ins_${x} PROPERTIES
        PREFIX "" OUTPUT_NAME ${x} ARCHIVE_OUTPUT_DIRECTORY ${GRADER_DIR}/stand_ins)

    # What a student's speed is held against.
    add_plain(plain ${x} plain_code "${ATTN_TIMED_FLAGS}")
    add_plain(kit_plain ${x} kit_plain_code "${ATTN_KIT_TIMED_FLAGS}")
    set(of_speed plain_${x})
    if(EXISTS ${PROJECT_SOURCE_DIR}/reference/fast/${x}.h)
        add_loaded(yardsticks ${x} ${glue}/${x}_fast.cpp ${PROJECT_SOURCE_DIR}/reference/fast/as_submission/threads.cpp
            ${yardstick_files})
        show_contract_alone(yardsticks_${x} ${x})
        target_link_libraries(yardsticks_${x} PRIVATE openblas Threads::Threads)
        list(APPEND of_speed yardsticks_${x})
    endif()

    foreach(target questions_${x} exports_${x} kernel_exports_${x} stand_ins_${x} kit_plain_${x} ${of_speed})
        add_dependencies(${target} contract_${x})
    endforeach()
    set(assignments ${assignments} ${x} PARENT_SCOPE)
    set(questions ${questions} questions_${x} PARENT_SCOPE)
    set(export_tables ${export_tables} exports_${x} PARENT_SCOPE)
    set(kernel_tables ${kernel_tables} kernel_exports_${x} PARENT_SCOPE)
    set(device_tables ${device_tables} ${glue}/${x}_kernels.cpp PARENT_SCOPE)
    set(stand_ins ${stand_ins} stand_ins_${x} PARENT_SCOPE)
    set(timed ${timed} ${of_speed} PARENT_SCOPE)
endfunction()

# A library KIND/x.so that the worker loads.
function(add_loaded kind x)
    add_library(${kind}_${x} MODULE ${ARGN})
    target_link_libraries(${kind}_${x} PRIVATE own_code)
    set_target_properties(${kind}_${x} PROPERTIES LINKER_LANGUAGE CXX
        PREFIX "" OUTPUT_NAME ${x} LIBRARY_OUTPUT_DIRECTORY ${GRADER_DIR}/${kind})
endfunction()

function(show_contract_alone target x)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    target_link_options(${target} PRIVATE -Wl,--gc-sections -Wl,--version-script=${glue}/${x}.map)
endfunction()

function(add_plain kind x code flags)
    add_loaded(${kind} ${x} ${glue}/${x}_plain.cpp $<TARGET_OBJECTS:${code}>)
    target_compile_options(${kind}_${x} PRIVATE ${flags})
    show_contract_alone(${kind}_${x} ${x})
endfunction()
