# Makes the .deb of a folder that make_package.sh has filled, in the folder above that: see there. CPack applies its -D after
# this file, so the values come from the environment.
set(TREE $ENV{PACKAGE_TREE})
set(VERSION $ENV{PACKAGE_VERSION})
cmake_path(GET TREE PARENT_PATH OUTPUT)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME attention-lab)
set(CPACK_PACKAGE_VERSION ${VERSION})
set(CPACK_PACKAGE_VENDOR "The developers of Attention Lab")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "grader for a course about attention and transformers")
set(CPACK_PACKAGE_DESCRIPTION "The grader of the Attention Lab tells students where an answer is wrong and which mistake they made.
This package has the grader, the program that grades whole classes, the assignments, and the kits for students and
course platforms.")
set(CPACK_PACKAGE_FILE_NAME attention-lab-${VERSION})
set(CPACK_PACKAGE_DIRECTORY ${OUTPUT})
set(CPACK_INSTALL_CMAKE_PROJECTS "")
# Not below /usr, which student code can read while it is compiled. The links of /usr/bin lead there.
set(CPACK_INSTALLED_DIRECTORIES "${TREE};/opt/attention-lab" "${OUTPUT}/links;/usr")
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# A Debian package has to name an address. The project has no mailbox, so mail to this address reaches nobody.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${CPACK_PACKAGE_VENDOR} <nobody@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# The libraries that programs ask for, and what grading starts or reads: g++ compiles submissions, zoneinfo has the zones of
# courses, make and zip are for course folders and kits.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${TREE}/lib/attention-lab/grader/lib)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ (>= 4:12), make, tzdata, zip")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gdb, similarity-tester, python3-numpy, slurm-client")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(here ${CMAKE_CURRENT_LIST_DIR}/debian)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${here}/postinst;${here}/prerm;${here}/triggers")
