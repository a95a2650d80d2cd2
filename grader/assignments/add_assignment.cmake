# add_assignment(NN_x): everything that the build makes for the assignment in this folder. Optional files are optional:
# without reference/fast/x.cpp there is no yardstick of speed, and without x.cu in student/ or reference/ there are no
# kernels.
#
# It reads: `project_root`, the project's folder; `assignment_root`, the folder that holds the assignment (the same folder,
# except in testing/new_assignment); GRADER_DIR; the target `contract` (grader/contract/); `yardstick_files`; the folders
# `contracts`. Call add_reference_code() first. It adds to the lists `assignments` (x), question_sources and
# woven_sources (sources of the library `questions`, which is part of the grader), export_tables, kernel_tables, stand_ins and
# timed (targets that the grader loads), with_kernels (x) and device_tables (sources).

set(glue ${GRADER_DIR}/contracts)  # files written from the contracts

# `code`: the plain loops as objects or sources. reference_archive replaces a student's function that is wrong
# (grader/build/stand_ins.h). plain_code is compiled from `sources` with the flags of timed submissions, for comparing speeds.
function(add_reference_code code sources)
    add_library(reference_archive STATIC ${code})
    set_target_properties(reference_archive PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(reference_archive PRIVATE own_code)
    if(COMMAND compile_together)
        compile_together(plain_code 40 sources)
    endif()
    add_library(plain_code OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(plain_code PRIVATE own_code)
    target_compile_options(plain_code PRIVATE ${ATTN_TIMED_FLAGS} -ffunction-sections -fdata-sections)
    target_compile_definitions(plain_code PRIVATE ATTN_BOUNDS_CHECK=0 ATTN_FLOAT_ONLY)
endfunction()

function(add_assignment folder)
    string(REGEX REPLACE "^[0-9]+_" "" x ${folder})
    set(written ${glue}/${x}_exports.cpp ${glue}/${x}_kernels.cpp ${glue}/${x}_plain.cpp ${glue}/${x}_fast.cpp
        ${glue}/${x}_reference.h ${glue}/${x}_instances.h ${glue}/${x}_fast.h ${glue}/${x}_functions.h ${glue}/${x}_on_arrays.h
        ${glue}/${x}_yardstick.h ${glue}/${x}.map ${glue}/cuda/${x}_cuda.h)
    add_custom_command(OUTPUT ${written}
        COMMAND contract assignments/${folder}/${x}.h ${glue}
        WORKING_DIRECTORY ${assignment_root}
        DEPENDS contract ${assignment_root}/assignments/${folder}/${x}.h DEPFILE ${glue}/${x}.d
        COMMENT "Reading the contract ${folder}/${x}.h" VERBATIM)
    add_custom_target(contract_${x} DEPENDS ${written})

    file(GLOB sources CONFIGURE_DEPENDS ${assignment_root}/grader/assignments/${x}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    foreach(needed IN ITEMS assignments/${folder}/${x}.h reference/${x}.cpp)
        if(NOT EXISTS ${assignment_root}/${needed} OR NOT sources)
            message(FATAL_ERROR "Assignment ${folder} needs ${needed} and grader/assignments/${x}/*.cpp. "
                                "assignments/README.md says what an assignment consists of.")
        endif()
    endforeach()
    # The plain loops and the listed mistakes, packed, and the plain loops with the mistakes woven in: see grader/edits/.
    file(GLOB mistakes CONFIGURE_DEPENDS ${assignment_root}/grader/assignments/${x}/mistakes.toml)
    add_custom_command(OUTPUT ${glue}/${x}_edits.cpp ${glue}/${x}_woven.cpp
        COMMAND edits reference/${x}.cpp assignments/${folder}/${x}.h grader/assignments/${x}/mistakes.toml ${glue}/${x}
        WORKING_DIRECTORY ${assignment_root} DEPENDS edits ${assignment_root}/reference/${x}.cpp ${mistakes}
        DEPFILE ${glue}/${x}_edits.d
        COMMENT "Packing the plain loops of ${x}" VERBATIM)
    set_source_files_properties(${glue}/${x}_woven.cpp PROPERTIES COMPILE_OPTIONS "-w;-Og")

    # Tables of a library's functions, for the worker. They only pass arguments on, so -O0 serves. The worker is built without
    # sanitizers.
    add_loaded(exports ${x} ${glue}/${x}_exports.cpp)
    target_compile_options(exports_${x} PRIVATE -O0)
    set(targets exports_${x} adapter_${x})
    file(GLOB kernels CONFIGURE_DEPENDS ${assignment_root}/student/${x}.cu ${assignment_root}/reference/${x}.cu)
    if(kernels)
        add_loaded(kernel_exports ${x} ${glue}/${x}_kernels.cpp)
        target_include_directories(kernel_exports_${x} PRIVATE
            ${project_root}/grader/emulator/include ${glue}/cuda ${contracts})
        target_compile_definitions(kernel_exports_${x} PRIVATE ATTN_EMULATOR)
        target_compile_options(kernel_exports_${x} PRIVATE -O0)
        # Messages of the emulator name source files. They must not show this project's path.
        target_compile_options(kernel_exports_${x} PRIVATE -ffile-prefix-map=${project_root}/=)
        list(APPEND targets kernel_exports_${x})
        set(kernel_tables ${kernel_tables} kernel_exports_${x} PARENT_SCOPE)
        set(with_kernels ${with_kernels} ${x} PARENT_SCOPE)
        set(device_tables ${device_tables} ${glue}/${x}_kernels.cpp PARENT_SCOPE)
    endif()

    # The contract's functions, which call the plain loops. They pass arguments on, so that one set of flags serves for all.
    add_library(adapter_${x} OBJECT ${glue}/${x}_plain.cpp)
    target_link_libraries(adapter_${x} PRIVATE own_code)
    target_compile_options(adapter_${x} PRIVATE -ffunction-sections -fdata-sections)

    # Linked only when a submission needs it: see grader/build/stand_ins.h.
    add_library(stand_ins_${x} STATIC $<TARGET_OBJECTS:adapter_${x}>)
    set_target_properties(stand_ins_${x} PROPERTIES LINKER_LANGUAGE CXX
        PREFIX "" OUTPUT_NAME ${x} ARCHIVE_OUTPUT_DIRECTORY ${GRADER_DIR}/stand_ins)

    # A student's speed and growth are compared with the plain loops, and speed with the yardstick, if there is one.
    add_loaded(plain ${x} $<TARGET_OBJECTS:adapter_${x}> $<TARGET_OBJECTS:plain_code>)
    show_contract_alone(plain_${x} ${x})
    set(timed ${timed} plain_${x} PARENT_SCOPE)
    file(GLOB yardstick CONFIGURE_DEPENDS ${assignment_root}/reference/fast/${x}.cpp)
    if(yardstick)
        add_loaded(yardsticks ${x} ${glue}/${x}_fast.cpp ${yardstick_files})
        show_contract_alone(yardsticks_${x} ${x})
        target_link_libraries(yardsticks_${x} PRIVATE Threads::Threads)
        list(APPEND targets yardsticks_${x})
        set(timed ${timed} plain_${x} yardsticks_${x} PARENT_SCOPE)
    endif()

    foreach(target ${targets})
        add_dependencies(${target} contract_${x})
    endforeach()
    set(assignments ${assignments} ${x} PARENT_SCOPE)
    set(question_sources ${question_sources} ${sources} ${glue}/${x}_edits.cpp PARENT_SCOPE)
    set(woven_sources ${woven_sources} ${glue}/${x}_woven.cpp PARENT_SCOPE)
    set(export_tables ${export_tables} exports_${x} PARENT_SCOPE)
    set(stand_ins ${stand_ins} stand_ins_${x} PARENT_SCOPE)
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
