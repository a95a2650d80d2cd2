# Every object that includes a generated file is compiled after it, whatever is built first. Ninja knows both what an object
# included when it was compiled and what it waits for, and lists the differences:
#   cmake -D BUILD=build -D GENERATOR=Ninja -D NINJA=ninja -P generated_files_test.cmake
if(NOT GENERATOR STREQUAL "Ninja")
    message("skipped: only Ninja knows which files an object included")
    return()
endif()

# Copies of Ninja's notes are read, because another test may build in this folder at the same time.
set(notes generated_files_test)
file(MAKE_DIRECTORY ${BUILD}/${notes})
file(WRITE ${BUILD}/${notes}/build.ninja "builddir = ${notes}\ninclude build.ninja\n")
file(COPY ${BUILD}/.ninja_deps ${BUILD}/.ninja_log DESTINATION ${BUILD}/${notes})
function(ninja tool)
    execute_process(COMMAND ${NINJA} -n -f ${notes}/build.ninja -t ${tool} ${ARGN} WORKING_DIRECTORY ${BUILD}
        RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    set(result ${result} PARENT_SCOPE)
    set(text "${text}" PARENT_SCOPE)
endfunction()

# By name, because what a target leaves out of `all` would not be looked at.
ninja(targets all)
string(REGEX MATCHALL "[^\n]+[.]o: CXX_COMPILER" objects "${text}")
list(TRANSFORM objects REPLACE ": CXX_COMPILER$" "")
ninja(deps ${objects})
string(REGEX MATCHALL "\n +[^\n]*grader/contracts/[^\n]*" includes "${text}")
list(LENGTH includes included)
if(included EQUAL 0)
    message(FATAL_ERROR "In ${BUILD} no object is compiled that includes a generated file, so there is nothing to check.")
endif()
ninja(missingdeps ${objects})
if(NOT result EQUAL 0 OR NOT text MATCHES "No missing dependencies")
    message(FATAL_ERROR "These objects include a file that they do not wait for, so a build from nothing can fail. "
                        "Link their targets with from_contracts (grader/assignments/add_assignment.cmake).\n${text}")
endif()
list(LENGTH objects number)
message("${number} objects, ${included} includes of generated files: each waits for what it includes")
