# The guide in assignments/README.md, followed to the letter by `grader new`: what it writes builds, the stub gets
# nothing, the right solution everything, and the proof holds:
#   cmake -DBUILT=build -DPROJECT=. -DGENERATOR=Ninja -P grader/testing/new_assignment/test.cmake
cmake_minimum_required(VERSION 3.25)

set(made ${BUILT}/new_assignment)
file(REMOVE_RECURSE ${made})
file(GLOB headers ${PROJECT}/assignments/*.h)
file(COPY ${headers} DESTINATION ${made}/assignments)
file(COPY ${PROJECT}/grader/compile/apart.h DESTINATION ${made}/grader/compile)  # which the functions of the plain loops include

# Runs a command; its exit code has to be CODE and its words have to match SAYS.
function(run code says)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${made} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL code OR NOT text MATCHES "${says}")
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nended with ${result}; expected is ${code}, and words that match '${says}':\n${text}")
    endif()
endfunction()

run(0 "make grade A=20" ${BUILT}/grader/grader new 20 mean_pooling --into ${made})
run(0 "Generating done" ${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT}/grader/testing/new_assignment -B ${made}/build
    -D BUILT=${BUILT} -D PROJECT=${PROJECT} -D MADE=${made} -D FOLDER=20_mean_pooling -D CMAKE_BUILD_TYPE=Release)
run(0 "" ${CMAKE_COMMAND} --build ${made}/build --target grader selfcheck tests exports stand_ins
    reference_archive)
run(0 "No errors" ${made}/build/tests)

set(grade ${made}/build/grader/grader grade)
run(1 "0 / 100.*not implemented" ${grade} ${made}/student --assignment 20 --no-cache)
file(MAKE_DIRECTORY ${made}/solved)
file(COPY_FILE ${made}/grader/assignments/mean_pooling/proof/solution.cpp ${made}/solved/mean_pooling.cpp)
run(0 "100 / 100" ${grade} ${made}/solved --assignment 20 --no-cache)
run(0 "" ${made}/build/grader/selfcheck --assignment 20)
# What is not there is not offered.
run(2 "not offered" ${made}/build/grader/grader run mean_pooling --impl fast)

# A mistake that cannot be made stops the build, which names the line.
function(refused edit says)
    file(WRITE ${made}/wrong.toml "[[mistake]]\nname = \"wrong\"\nwhen = \"w\"\nhint = \"h\"\nedits = [[\"mean_pooling\", ${edit}]]\n")
    run(1 "wrong.toml:5: mistake wrong: ${says}" ${BUILT}/grader/edits reference/mean_pooling.cpp
        assignments/20_mean_pooling/mean_pooling.h ${made}/wrong.toml ${made}/wrong)
endfunction()
refused("\"static_cast<T>(X.size(1))\", \"static_cast<T>(rand())\"" ".*found 'rand'")
refused("\"sums\", \"sum\"" "reference/mean_pooling.cpp: 'sums' occurs 0 times")
