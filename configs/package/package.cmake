# The Debian packages sculpt, libsculpt0, sculpt-dev, python3-sculpt and sculpt-mpi:
#   cpack --config build/release/CPackConfig.cmake
# Included by the CMakeLists.txt at the top, behind all rules of install().

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME ${PROJECT_NAME})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own, the first line of its description
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
# Who builds the packages, for the fields of Debian that must name somebody. ".invalid" is reserved
# for addresses that do not exist: cpack -D CPACK_PACKAGE_CONTACT="NAME <ADDRESS>" names you.
set(CPACK_PACKAGE_CONTACT "The sculpt developers <developers@sculpt.invalid>")

set(CPACK_COMPONENTS_ALL ${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME} library sdk)
if(TARGET python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(TARGET sculpt_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 0local1) # any package of Debian itself, -1, is newer
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(CPACK_DEBIAN_HOST_PACKAGE_NAME sculpt)
set(CPACK_DEBIAN_HOST_PACKAGE_SECTION science)
set(CPACK_DEBIAN_HOST_PACKAGE_SHLIBDEPS ON)
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_DEBIAN_HOST_PACKAGE_DEPENDS "libsculpt0 (= ${version})")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib) # libsculpt itself
set(CPACK_DEBIAN_HOST_PACKAGE_SUGGESTS
  "python3-sculpt (>= ${PROJECT_VERSION}), sculpt-mpi (>= ${PROJECT_VERSION}), sculpt-dev (>= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_HOST_DESCRIPTION
"learns to predict structured outputs, with a proved gap
sculpt learns to predict label sequences, trees, alignments, rankings,
clusterings, label sets and segmentations. An experiment is a short JSON file
that names a dataset, features, a loss, an oracle and a solver. Each of them
is exchanged by one word.
.
Solvers include structural support vector machines, conditional random fields,
perceptrons and kernel methods. Every run reports the primal, the dual and the
gap between them. This package contains the program, its plugins, manual
pages, completion for shells, and experiments with small data.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libsculpt0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
# What programs depend on that are linked with it, and that the loader must learn of it.
set(control ${PROJECT_BINARY_DIR}/package)
file(CONFIGURE OUTPUT ${control}/shlibs CONTENT "libsculpt 0 libsculpt0 (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${control}/shlibs ${control}/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
"library that learns to predict structured outputs
The program sculpt learns to predict structured outputs, such as label
sequences, trees and rankings, with a proved gap.
.
This package contains what it is made of: a library with an interface in C,
which trains models and predicts in the process of its caller. The package
sculpt has the plugins that read data and define the tasks.")

# Headers, CMake files and a link only, so one package serves every architecture.
set(CPACK_DEBIAN_SDK_PACKAGE_NAME sculpt-dev)
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_SDK_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS "libsculpt0 (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS
  "sculpt (>= ${PROJECT_VERSION}), g++ | c++-compiler, cmake, pkg-config")
set(CPACK_COMPONENT_SDK_DESCRIPTION
"headers to write plugins for sculpt, and programs that use it
The program sculpt learns to predict structured outputs. Its plugins read
data, define features and losses, and find the best output.
.
This package contains what a plugin needs: headers for C and C++ that depend
on nothing, files for CMake and pkg-config, and the pages of the SDK. It also
has what a program needs that trains and predicts by libsculpt.
.
The command \"sculpt new\" of the package sculpt makes a plugin to begin with.")

# The package for Python is the same for each version of Python. The plugin beside it embeds one.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-sculpt)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "sculpt (= ${version}), python3:any, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-sklearn, python3-torch, python3-pandas")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/python/postinst ${CMAKE_CURRENT_LIST_DIR}/python/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"trains and extends sculpt from Python
The program sculpt learns to predict structured outputs, such as label
sequences, trees and rankings, with a proved gap.
.
This package trains and predicts in the process of Python, on arrays of numpy
or on files, and has estimators as scikit-learn has them. A class of Python
can be a task: data, features, a loss and an oracle. The plugin in this
package lets the program sculpt use such a class, too.")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME sculpt-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "sculpt (= ${version}), openmpi-bin")
set(CPACK_COMPONENT_MPI_DESCRIPTION
"runs sculpt on several machines
The program sculpt learns to predict structured outputs, such as label
sequences, trees and rankings, with a proved gap.
.
This package lets one training use the cores of several machines, started by
mpirun of Open MPI or by srun of Slurm. The results are the same to the last
bit.")

# What the policy of Debian wants beyond what install() does.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/follow_policy.cmake)
set(CPACK_SCULPT_COPYRIGHT ${CMAKE_CURRENT_LIST_DIR}/copyright)

include(CPack)
