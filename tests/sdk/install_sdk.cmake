# Installs the SDK alone into SCRATCH/installed and moves it to SCRATCH/moved. Its files must not
# contain the first path.
#
#   cmake -DBUILD=<build tree> -DSCRATCH=<folder> -P install_sdk.cmake
file(REMOVE_RECURSE ${SCRATCH})
execute_process(
  COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/installed --component sdk
  COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${SCRATCH}/installed ${SCRATCH}/moved)
