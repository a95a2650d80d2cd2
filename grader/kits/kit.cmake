# The contents of a kit, for machines of this architecture with g++ and a C library at least as new as on this machine.
# `cmake --build DIR --target kit` builds them, and `cmake --install DIR --component kit --prefix TREE --strip` installs
# them. The default target builds none of them.

add_library(installed_in_a_kit OBJECT EXCLUDE_FROM_ALL base/installation/in_a_kit.cpp)
target_link_libraries(installed_in_a_kit PRIVATE own_code installation_values)
compile_small(installed_in_a_kit)
# Static libraries where the machine has them, because the linker takes only what is called: about half.
set(kit_libraries "")
set(inside_a_kit ${SECCOMP_ARCHIVE})
foreach(library ${archive} PNG::PNG ZLIB::ZLIB Boost::program_options PkgConfig::SECCOMP PkgConfig::TOMLPLUSPLUS fmt::fmt)
    set(file ${library})
    if(TARGET ${library})
        get_target_property(file ${library} IMPORTED_LOCATION)
        if(NOT file)
            get_target_property(file ${library} IMPORTED_LOCATION_RELEASE)
        endif()
    endif()
    string(REGEX REPLACE "[.]so[.0-9]*$" ".a" static "${file}")
    if("${library}" STREQUAL PkgConfig::SECCOMP)
        set(static "${SECCOMP_ARCHIVE}")
    endif()
    if(static MATCHES "[.]a$" AND EXISTS "${static}")
        list(APPEND inside_a_kit ${static})
        set(library ${static})
    endif()
    list(APPEND kit_libraries ${library})
endforeach()
foreach(name utf8proc nettle)
    find_library(KIT_${name} NAMES lib${name}.a ${name} REQUIRED)
    list(APPEND search_libraries ${KIT_${name}})
    if(KIT_${name} MATCHES "[.]a$")
        list(APPEND inside_a_kit ${KIT_${name}})
    endif()
endforeach()
set(kit_objects "")
foreach(part ${parts} grader_search ${models} weights installed_in_a_kit)
    list(APPEND kit_objects $<TARGET_OBJECTS:${part}>)
endforeach()
add_executable(kit_grader EXCLUDE_FROM_ALL kits/kit_main.cpp kits/without_zstd.cpp ${kit_objects})
target_link_libraries(kit_grader PRIVATE own_code ${kit_libraries} ${search_libraries} Threads::Threads ${CMAKE_DL_LIBS})
# RPATH instead of RUNPATH, because it also applies to the libraries that libraries need.
target_link_options(kit_grader PRIVATE -Wl,--disable-new-dtags -Wl,--gc-sections -Wl,--as-needed)
set_target_properties(kit_grader PROPERTIES OUTPUT_NAME grader RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/kit
    INSTALL_RPATH "$ORIGIN/lib")

# The build's grader links the stand-ins, which it otherwise links when they are needed.
set(kit_files kit_grader worker reader exports kernel_exports plain yardstick)
add_custom_target(kit COMMAND grader prepare --stand-ins ${PROJECT_BINARY_DIR}/kit/stand_ins DEPENDS grader ${kit_files})

# Readable for all users: a grader that root starts runs student code as the user nobody.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
function(put_into_kit folder)
    install(TARGETS ${ARGN}
        RUNTIME DESTINATION ${folder} COMPONENT kit EXCLUDE_FROM_ALL
        LIBRARY DESTINATION ${folder} COMPONENT kit EXCLUDE_FROM_ALL)
endfunction()
put_into_kit(grader ${kit_files})
set(stand_ins ${PROJECT_BINARY_DIR}/kit/stand_ins)
install(CODE "file(MAKE_DIRECTORY \${CMAKE_INSTALL_PREFIX}/grader)
    file(GLOB names RELATIVE ${stand_ins} ${stand_ins}/*.so)
    execute_process(COMMAND ${CMAKE_STRIP} \${names} WORKING_DIRECTORY ${stand_ins} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${CMAKE_COMMAND} -E tar cJf \${CMAKE_INSTALL_PREFIX}/grader/stand_ins.tar.xz --mtime=1970-01-01 -- \${names}
        WORKING_DIRECTORY ${stand_ins} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT kit EXCLUDE_FROM_ALL)
if(ATTN_EMULATED)
    put_into_kit(grader/emulator emulator)
    add_dependencies(kit emulator)
    install(DIRECTORY emulator/include DESTINATION grader/emulator COMPONENT kit EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY ../assignments/ DESTINATION assignments COMPONENT kit EXCLUDE_FROM_ALL FILES_MATCHING
    REGEX "/([0-9]+_[a-z0-9_]+/(README[.]md|rubric[.]toml)|working[.]md|speed[.]md|attention_lab[.]py|tensor_gdb[.]py)$" PATTERN "*.h" PATTERN courses EXCLUDE)
foreach(folder ${contracts})
    cmake_path(GET folder FILENAME name)
    string(REGEX REPLACE "^[0-9]+_" "" x ${name})
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/student/${x}.cu)
        continue()  # without kernels
    endif()
    install(FILES ${GRADER_DIR}/contracts/cuda/${x}_cuda.h DESTINATION assignments/${name} COMPONENT kit EXCLUDE_FROM_ALL)
endforeach()
install(FILES ../datasets/README.md ../datasets/chelsea.png ../datasets/digits.csv.gz ../datasets/lecture_sentences.txt
    ../datasets/alice.txt.gz DESTINATION datasets COMPONENT kit EXCLUDE_FROM_ALL)
install(DIRECTORY ../datasets/weights DESTINATION datasets COMPONENT kit EXCLUDE_FROM_ALL)
install(FILES ${GRADER_DIR}/COMMIT DESTINATION grader COMPONENT kit EXCLUDE_FROM_ALL)
install(FILES ../LICENSE DESTINATION . COMPONENT kit EXCLUDE_FROM_ALL)

# The shared libraries that a minimal machine may lack. The libraries of g++ come from the machine.
install(CODE "set(programs $<TARGET_FILE:kit_grader>)\nset(SECCOMP_ARCHIVE \"${SECCOMP_ARCHIVE}\")\nset(inside \"${inside_a_kit}\")"
    COMPONENT kit EXCLUDE_FROM_ALL)
install(SCRIPT kits/bundle.cmake COMPONENT kit EXCLUDE_FROM_ALL)

# The kits are made once for all tests that need them, but not from a build with sanitizers.
if(NOT ATTN_SANITIZE)
    set(kits_folder ${PROJECT_BINARY_DIR}/kits_of_tests)
    add_test(NAME kits COMMAND ${PROJECT_SOURCE_DIR}/grader/kits/make_all.sh ${PROJECT_BINARY_DIR} ${kits_folder})
    # It compiles the kit, and long tests wait for it.
    set_tests_properties(kits PROPERTIES FIXTURES_SETUP kits PROCESSORS 2 TIMEOUT 900 COST 1000)
endif()
