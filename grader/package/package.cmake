# What the package for instructors has besides a kit: the class program, the texts and the scripts. `make package` installs the
# component "kit" and then the component "package" into one folder: see make_package.sh. The default target builds none of it.

# Static libraries where the machine has them, as in a kit, so that the archive runs on other systems.
set(class_libraries "")
set(inside_a_package "")
foreach(library yaml nettle sqlite3)
    find_library(PACKAGED_${library} NAMES lib${library}.a ${library} REQUIRED)
    list(APPEND class_libraries ${PACKAGED_${library}})
    if(PACKAGED_${library} MATCHES "[.]a$")
        list(APPEND inside_a_package ${PACKAGED_${library}})
    endif()
endforeach()
set(class_objects "")
foreach(part grader_classes ${parts} installed_in_a_kit)
    list(APPEND class_objects $<TARGET_OBJECTS:${part}>)
endforeach()
add_executable(packaged_class EXCLUDE_FROM_ALL classes/class_main.cpp kits/without_zstd.cpp ${class_objects})
target_link_libraries(packaged_class PRIVATE own_code ${class_libraries} ${kit_libraries} Threads::Threads ${CMAKE_DL_LIBS})
target_link_options(packaged_class PRIVATE -Wl,--disable-new-dtags -Wl,--gc-sections -Wl,--as-needed)
set_target_properties(packaged_class PROPERTIES OUTPUT_NAME grader-class RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/kit
    INSTALL_RPATH "$ORIGIN/lib")
add_custom_target(package_contents DEPENDS kit packaged_class)

install(TARGETS packaged_class RUNTIME DESTINATION grader COMPONENT package EXCLUDE_FROM_ALL)
install(DIRECTORY ../assignments/ DESTINATION assignments COMPONENT package EXCLUDE_FROM_ALL FILES_MATCHING
    PATTERN "*.md" PATTERN secret.toml PATTERN "courses/*.toml")
install(DIRECTORY ../student DESTINATION . COMPONENT package EXCLUDE_FROM_ALL)
# The folders and their templates for `attention-lab kit`. The tests of kits and CMake's files stay here.
install(DIRECTORY kits DESTINATION grader COMPONENT package EXCLUDE_FROM_ALL USE_SOURCE_PERMISSIONS
    PATTERN "*.cpp" EXCLUDE PATTERN "*.cmake" EXCLUDE PATTERN make_all.sh EXCLUDE PATTERN small_machine.sh EXCLUDE)
install(PROGRAMS package/attention-lab DESTINATION . COMPONENT package EXCLUDE_FROM_ALL)
install(FILES package/course.mk DESTINATION . COMPONENT package EXCLUDE_FROM_ALL)
install(FILES package/README.md classes/CHANGES.md DESTINATION doc COMPONENT package EXCLUDE_FROM_ALL)
install(FILES classes/README.md DESTINATION doc RENAME grading.md COMPONENT package EXCLUDE_FROM_ALL)
install(CODE "set(programs $<TARGET_FILE:packaged_class>)\nset(SECCOMP_ARCHIVE \"${SECCOMP_ARCHIVE}\")\nset(inside \"${inside_a_package}\")\nset(licences class_licences)"
    COMPONENT package EXCLUDE_FROM_ALL)
install(SCRIPT kits/bundle.cmake COMPONENT package EXCLUDE_FROM_ALL)
