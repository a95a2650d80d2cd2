# Writes which commit a build is made of into a file, in words: "commit 8603ec25 of 2026-11-27".
#   cmake -D PROJECT=. -D OUTPUT=build/grader/COMMIT -P grader/base/commit.cmake
# It is the last commit that changed the grader, so a student's own commits do not count. An archive of `git archive` has
# the commit in commit.txt. Without that file and without git, the commit is unknown. The file is written only if its text
# changes.
set(commit "unknown commit")
file(READ ${PROJECT}/grader/base/commit.txt archived)
if(archived MATCHES "^([0-9a-f]+) ([0-9-]+)")
    string(SUBSTRING ${CMAKE_MATCH_1} 0 8 number)
    set(commit "commit ${number} of ${CMAKE_MATCH_2}")
elseif(EXISTS ${PROJECT}/.git)  # a clone of this project, not a folder inside another one
    set(code grader reference datasets CMakeLists.txt ":(glob)assignments/**/*.h")
    execute_process(COMMAND git log -1 "--format=%H %cs" -- ${code} WORKING_DIRECTORY ${PROJECT}
        OUTPUT_VARIABLE last ERROR_QUIET)
    if(last MATCHES "^([0-9a-f]+) ([0-9-]+)")
        string(SUBSTRING ${CMAKE_MATCH_1} 0 8 number)
        set(commit "commit ${number} of ${CMAKE_MATCH_2}")
        execute_process(COMMAND git diff --quiet HEAD -- ${code} WORKING_DIRECTORY ${PROJECT}
            RESULT_VARIABLE changed OUTPUT_QUIET ERROR_QUIET)
        if(NOT changed EQUAL 0)
            string(APPEND commit " with changes")
        endif()
    endif()
endif()
set(before "")
if(EXISTS ${OUTPUT})
    file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL "${commit}\n")
    file(WRITE ${OUTPUT} "${commit}\n")
endif()
