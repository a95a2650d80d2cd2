# The contents of a kit, for machines of this architecture with g++ and a C library at least as new as on this machine.
# `cmake --build DIR --target kit` builds them, and `cmake --install DIR --component kit --prefix TREE --strip` installs
# them. The default target builds none of them.

add_library(installed_in_a_kit OBJECT EXCLUDE_FROM_ALL base/installation/in_a_kit.cpp)
target_link_libraries(installed_in_a_kit PRIVATE own_code installation_values)
add_executable(kit_grader EXCLUDE_FROM_ALL main.cpp)
target_link_libraries(kit_grader PRIVATE ${parts} installed_in_a_kit)
# RPATH instead of RUNPATH, because it also applies to the libraries that libraries need.
target_link_options(kit_grader PRIVATE -Wl,--disable-new-dtags -Wl,--gc-sections)
set_target_properties(kit_grader PROPERTIES OUTPUT_NAME grader RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/kit
    INSTALL_RPATH "$ORIGIN/lib")

set(yardsticks ${timed})
list(FILTER yardsticks INCLUDE REGEX "^yardsticks_")
set(plain ${timed})
list(FILTER plain INCLUDE REGEX "^plain_")
# The build's grader links the libraries that it otherwise links when they are needed.
add_custom_target(kit COMMAND grader prepare --stand-ins
    DEPENDS grader kit_grader worker reader ${export_tables} ${kernel_tables} ${timed})

# Readable for all users: a grader that root starts runs student code as the user nobody.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
function(put_into_kit folder)
    install(TARGETS ${ARGN}
        RUNTIME DESTINATION ${folder} COMPONENT kit EXCLUDE_FROM_ALL
        LIBRARY DESTINATION ${folder} COMPONENT kit EXCLUDE_FROM_ALL)
endfunction()
put_into_kit(grader kit_grader worker reader)
put_into_kit(grader/exports ${export_tables})
put_into_kit(grader/kernel_exports ${kernel_tables})
install(CODE "file(GLOB stand_ins ${GRADER_DIR}/stand_ins/*.so)
    file(INSTALL \${stand_ins} DESTINATION \${CMAKE_INSTALL_PREFIX}/grader/stand_ins)
    file(GLOB stand_ins \${CMAKE_INSTALL_PREFIX}/grader/stand_ins/*.so)
    execute_process(COMMAND ${CMAKE_STRIP} \${stand_ins} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT kit EXCLUDE_FROM_ALL)
put_into_kit(grader/plain ${plain})
put_into_kit(grader/yardsticks ${yardsticks})
if(ATTN_EMULATED)
    put_into_kit(grader/emulator emulator)
    add_dependencies(kit emulator)
    install(DIRECTORY emulator/include DESTINATION grader/emulator COMPONENT kit EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY ../assignments/ DESTINATION assignments COMPONENT kit EXCLUDE_FROM_ALL FILES_MATCHING
    REGEX "/([0-9]+_[a-z0-9_]+/(README[.]md|rubric[.]toml)|working[.]md|speed[.]md|attention_lab[.]py)$" PATTERN "*.h" PATTERN courses EXCLUDE)
foreach(folder ${contracts})
    cmake_path(GET folder FILENAME name)
    string(REGEX REPLACE "^[0-9]+_" "" x ${name})
    install(FILES ${GRADER_DIR}/contracts/cuda/${x}_cuda.h DESTINATION assignments/${name} COMPONENT kit EXCLUDE_FROM_ALL)
endforeach()
install(FILES ../datasets/README.md ../datasets/alice.txt.gz ../datasets/chelsea.png ../datasets/digits.csv.gz ../datasets/lecture_sentences.txt
    DESTINATION datasets COMPONENT kit EXCLUDE_FROM_ALL)
install(FILES ../LICENSE DESTINATION . COMPONENT kit EXCLUDE_FROM_ALL)

# The shared libraries that a minimal machine may lack. The libraries of g++ come from the machine.
install(CODE "set(programs $<TARGET_FILE:kit_grader>)\nset(SECCOMP_ARCHIVE \"${SECCOMP_ARCHIVE}\")\nset(ARCHIVE_INSIDE \"${ARCHIVE_INSIDE}\")"
    COMPONENT kit EXCLUDE_FROM_ALL)
install(SCRIPT kits/bundle.cmake COMPONENT kit EXCLUDE_FROM_ALL)

# The kits are made once for all tests that need them, but not from a build with sanitizers.
if(NOT ATTN_SANITIZE)
    set(kits_folder ${PROJECT_BINARY_DIR}/kits_of_tests)
    add_test(NAME kits COMMAND ${PROJECT_SOURCE_DIR}/grader/kits/make_all.sh ${PROJECT_BINARY_DIR} ${kits_folder})
    set_tests_properties(kits PROPERTIES FIXTURES_SETUP kits PROCESSORS 2 TIMEOUT 900)  # it compiles the kit
endif()
