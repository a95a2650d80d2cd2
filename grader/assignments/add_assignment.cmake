# add_assignment(NN_x): everything that the build makes for the assignment in this folder. Optional files are optional:
# without reference/fast/x.cpp there is no yardstick of speed, and without x.cu in student/ or reference/ there are no
# kernels. After the last one, add_loaded_libraries() makes the libraries that the worker loads.
#
# They read: `project_root`, the project's folder; `assignment_root`, the folder that holds the assignment (the same folder,
# except in testing/new_assignment); GRADER_DIR; the target `contract` (grader/contract/); `yardstick_files`; the folders
# `contracts`. Call add_reference_code() first. add_assignment() adds to the lists `assignments` (x), question_sources
# (of the library `questions`, which is part of the grader), contract_headers, export_tables, kernel_tables, adapters and
# yardsticks (sources), with_kernels and with_yardstick (x).

set(glue ${GRADER_DIR}/contracts)  # files written from the contracts
# What includes these files links from_contracts. So it finds them, and is compiled after they are written. (own_code does not
# have their folder: otherwise a target that forgets to wait for them would compile in every build but the first.)
add_library(from_contracts INTERFACE)
target_include_directories(from_contracts INTERFACE ${GRADER_DIR})

# `code`: the plain loops as objects or sources. reference_archive replaces a student's function that is wrong
# (grader/compile/stand_ins.h). plain_code is compiled from `sources` with the flags of timed submissions, for comparing speeds.
function(add_reference_code code sources)
    add_library(reference_archive STATIC ${code})
    set_target_properties(reference_archive PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(reference_archive PRIVATE own_code from_contracts)
    if(COMMAND compile_together)
        compile_together(plain_code 40 sources)
    endif()
    add_library(plain_code OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(plain_code PRIVATE own_code from_contracts)
    target_compile_options(plain_code PRIVATE ${ATTN_TIMED_FLAGS} -ffunction-sections -fdata-sections)
    target_compile_definitions(plain_code PRIVATE ATTN_BOUNDS_CHECK=0 ATTN_FLOAT_ONLY)
endfunction()

function(add_assignment folder)
    string(REGEX REPLACE "^[0-9]+_" "" x ${folder})
    set(written ${glue}/${x}_exports.cpp ${glue}/${x}_kernels.cpp ${glue}/${x}_plain.cpp ${glue}/${x}_fast.cpp
        ${glue}/${x}_reference.h ${glue}/${x}_instances.h ${glue}/${x}_fast.h ${glue}/${x}_module.cpp ${glue}/${x}_on_arrays.h
        ${glue}/${x}_yardstick.h ${glue}/cuda/${x}_cuda.h)
    add_custom_command(OUTPUT ${written}
        COMMAND contract assignments/${folder}/${x}.h ${glue}
        WORKING_DIRECTORY ${assignment_root}
        DEPENDS contract ${assignment_root}/assignments/${folder}/${x}.h DEPFILE ${glue}/${x}.d
        COMMENT "Reading the contract ${folder}/${x}.h" VERBATIM)
    add_custom_target(contract_${x} DEPENDS ${written})
    add_dependencies(from_contracts contract_${x})

    file(GLOB sources CONFIGURE_DEPENDS ${assignment_root}/grader/assignments/${x}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    foreach(needed IN ITEMS assignments/${folder}/${x}.h reference/${x}.cpp)
        if(NOT EXISTS ${assignment_root}/${needed} OR NOT sources)
            message(FATAL_ERROR "Assignment ${folder} needs ${needed} and grader/assignments/${x}/*.cpp. "
                                "assignments/README.md says what an assignment consists of.")
        endif()
    endforeach()
    # The plain loops and the listed mistakes, packed: see grader/edits/.
    file(GLOB mistakes CONFIGURE_DEPENDS ${assignment_root}/grader/assignments/${x}/mistakes.toml)
    add_custom_command(OUTPUT ${glue}/${x}_edits.cpp
        COMMAND edits reference/${x}.cpp assignments/${folder}/${x}.h grader/assignments/${x}/mistakes.toml ${glue}/${x}
        WORKING_DIRECTORY ${assignment_root} DEPENDS edits ${assignment_root}/reference/${x}.cpp ${mistakes}
        DEPFILE ${glue}/${x}_edits.d
        COMMENT "Packing the plain loops of ${x}" VERBATIM)

    set(contract_headers ${contract_headers} assignments/${folder}/${x}.h PARENT_SCOPE)
    set(export_tables ${export_tables} ${glue}/${x}_exports.cpp PARENT_SCOPE)
    set(adapters ${adapters} ${glue}/${x}_plain.cpp PARENT_SCOPE)
    file(GLOB kernels CONFIGURE_DEPENDS ${assignment_root}/student/${x}.cu ${assignment_root}/reference/${x}.cu)
    if(kernels)
        set(kernel_tables ${kernel_tables} ${glue}/${x}_kernels.cpp PARENT_SCOPE)
        set(with_kernels ${with_kernels} ${x} PARENT_SCOPE)
    endif()
    file(GLOB yardstick CONFIGURE_DEPENDS ${assignment_root}/reference/fast/${x}.cpp)
    if(yardstick)
        set(yardsticks ${yardsticks} ${glue}/${x}_fast.cpp PARENT_SCOPE)
        set(with_yardstick ${with_yardstick} ${x} PARENT_SCOPE)
    endif()
    set(assignments ${assignments} ${x} PARENT_SCOPE)
    set(question_sources ${question_sources} ${glue}/${x}_module.cpp ${sources} ${glue}/${x}_edits.cpp PARENT_SCOPE)
endfunction()

# The libraries that the worker loads. Each has the functions of all assignments, because in a library for each assignment
# most would stand several times.
function(add_loaded_libraries)
    # The functions that a submission defines, for the worker. These tables only pass arguments on.
    list(TRANSFORM assignments PREPEND functions_of_ OUTPUT_VARIABLE tables)
    add_tables(exports "${export_tables}" "${tables}")
    if(kernel_tables)
        list(TRANSFORM with_kernels PREPEND kernels_of_ OUTPUT_VARIABLE tables)
        add_tables(kernel_exports "${kernel_tables}" "${tables}")
        target_include_directories(kernel_exports PRIVATE
            ${project_root}/grader/emulator/include ${glue}/cuda ${contracts})
        target_compile_definitions(kernel_exports PRIVATE ATTN_EMULATOR)
        # Messages of the emulator name source files. They must not show this project's path.
        target_compile_options(kernel_exports PRIVATE -ffile-prefix-map=${project_root}/=)
    endif()

    # The contracts' functions, which call the plain loops. They pass arguments on, so that one set of flags serves for all.
    if(COMMAND compile_together)
        compile_together(adapters 20 adapters)
        compile_together(yardstick 20 yardsticks)
    endif()
    add_library(adapters OBJECT ${adapters})
    target_link_libraries(adapters PRIVATE own_code from_contracts)
    target_compile_options(adapters PRIVATE -ffunction-sections -fdata-sections)
    list(TRANSFORM contract_headers PREPEND ${assignment_root}/ OUTPUT_VARIABLE header_files)
    add_custom_command(OUTPUT ${glue}/contracts.map
        COMMAND contract --map ${glue}/contracts.map ${contract_headers}
        WORKING_DIRECTORY ${assignment_root} DEPENDS contract ${header_files} VERBATIM)
    add_custom_target(map_of_contracts DEPENDS ${glue}/contracts.map)
    # A stand-in is linked only when a submission needs it: see grader/compile/stand_ins.h.
    add_library(stand_ins STATIC $<TARGET_OBJECTS:adapters>)
    set_target_properties(stand_ins PROPERTIES LINKER_LANGUAGE CXX
        PREFIX "" OUTPUT_NAME adapters ARCHIVE_OUTPUT_DIRECTORY ${GRADER_DIR}/stand_ins)
    # A student's speed and growth are compared with the plain loops, and speed with the yardstick, if there is one.
    add_implementation(plain $<TARGET_OBJECTS:adapters> $<TARGET_OBJECTS:plain_code>)
    set_target_properties(plain PROPERTIES EXCLUDE_FROM_ALL ON)
    if(yardsticks)
        add_implementation(yardstick ${yardsticks} ${yardstick_files})
        set_target_properties(yardstick PROPERTIES EXCLUDE_FROM_ALL ON)
        target_link_libraries(yardstick PRIVATE Threads::Threads)
    endif()
endfunction()

# A library NAME.so that the worker loads.
function(add_loaded name)
    add_library(${name} MODULE ${ARGN})
    target_link_libraries(${name} PRIVATE own_code from_contracts)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${GRADER_DIR})
endfunction()

# A library with tables of functions: see grader/worker/exports.h.
function(add_tables name sources tables)
    set(declared_tables "")
    foreach(table ${tables})
        string(APPEND declared_tables "extern \"C\" const attn::worker::Export* ${table}();\n")
    endforeach()
    list(JOIN tables ", " listed_tables)
    set(all ${GRADER_DIR}/contracts/${name}.cpp)
    configure_file(${project_root}/grader/worker/export_tables.cpp.in ${all} @ONLY)
    list(APPEND sources ${all})
    if(COMMAND compile_together)
        compile_together(${name} 40 sources)
    endif()
    add_loaded(${name} ${sources})
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-Og>)
    set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden)
endfunction()

# A library that shows the functions of the contracts alone.
function(add_implementation name)
    add_loaded(${name} ${ARGN})
    add_dependencies(${name} map_of_contracts)
    target_link_options(${name} PRIVATE -Wl,--gc-sections -Wl,--version-script=${glue}/contracts.map)
    set_target_properties(${name} PROPERTIES LINK_DEPENDS ${glue}/contracts.map)
endfunction()
