# Part of the kit's installation: copies the shared libraries that `programs` need into grader/lib, each under the
# name that the loader searches for, and their licences to grader/lib/licences (or to grader/${licences}, if that is set). The
# libraries of the C library and of g++ are not copied.
if(NOT SECCOMP_ARCHIVE)
    message(FATAL_ERROR "The worker of a kit is linked with libseccomp.a, which was missing when CMake configured "
                        "the build. Install libseccomp-dev, remove the build's CMakeCache.txt, and build again.")
endif()
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} RESOLVED_DEPENDENCIES_VAR found
    PRE_EXCLUDE_REGEXES "^(libc|libm|libdl|libpthread|librt|libstdc\\+\\+|libgcc_s|ld-linux.*)[.]so")
set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/grader/lib")
file(MAKE_DIRECTORY ${folder})
if(NOT licences)
    set(licences lib/licences)
endif()
find_program(DPKG_QUERY dpkg-query)
list(FILTER inside EXCLUDE REGEX "/libboost_")  # its licence does not ask for a copy beside machine code
foreach(library ${found} ${inside})
    cmake_path(GET library FILENAME name)
    file(REAL_PATH ${library} file)
    if(NOT name MATCHES "[.]a$")
        file(INSTALL DESTINATION ${folder} TYPE FILE RENAME ${name} FILES ${file})
    endif()
    if(DPKG_QUERY)  # the licence from the library's Debian package
        cmake_path(GET file FILENAME real_name)
        execute_process(COMMAND ${DPKG_QUERY} --search "*/${real_name}" OUTPUT_VARIABLE package ERROR_QUIET)
        string(REGEX REPLACE "[:\n].*" "" package "${package}")
        if(EXISTS "/usr/share/doc/${package}/copyright" AND package)
            file(REAL_PATH "/usr/share/doc/${package}/copyright" licence)
            file(INSTALL DESTINATION ${folder}/../${licences} TYPE FILE RENAME ${package} FILES ${licence})
        endif()
    endif()
endforeach()
