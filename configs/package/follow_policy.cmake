# Changes the files of a Debian package, before it is packed, to what the policy of Debian wants:
# copyright, changelogs, compressed manual pages, the folder where Debian's zsh looks, permissions.
#
# Run by cpack, once for all packages, with its variables. CPACK_TEMPORARY_DIRECTORY has a folder for
# each component, with usr/ in it.
cmake_minimum_required(VERSION 3.25)

set(for_all_to_read OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

# Without them the packages would have no dependencies, and apt would install no libraries.
foreach(tool file dpkg-shlibdeps gzip)
  find_program(path_of_${tool} ${tool})
  if(NOT path_of_${tool})
    message(FATAL_ERROR "the packages need the program ${tool}, which is not installed. "
      "`configs/setup build` installs what cpack needs")
  endif()
endforeach()

# compress(<file>): FILE.gz in place of FILE, equal bytes for equal content.
function(compress file)
  file(CHMOD ${file} PERMISSIONS ${for_all_to_read})
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# add_documents(<root> <package>): the two files that each package must have. $SOURCE_DATE_EPOCH sets
# the date of the changelog.
function(add_documents root package)
  set(folder ${root}/usr/share/doc/${package})
  configure_file(${CPACK_SCULPT_COPYRIGHT} ${folder}/copyright COPYONLY
    FILE_PERMISSIONS ${for_all_to_read})
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  set(version ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
  file(WRITE ${folder}/changelog.Debian
    "sculpt (${version}) unstable; urgency=medium\n\n"
    "  * Built by cpack. /usr/share/doc/sculpt/changelog.gz says what changed.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  compress(${folder}/changelog.Debian)
endfunction()

set(host ${CPACK_TEMPORARY_DIRECTORY}/host)
add_documents(${host} sculpt)
add_documents(${CPACK_TEMPORARY_DIRECTORY}/library libsculpt0)
add_documents(${CPACK_TEMPORARY_DIRECTORY}/sdk sculpt-dev)
set(documents ${host}/usr/share/doc/sculpt)
file(REMOVE ${documents}/LICENSE) # copyright names the copy that Debian has
file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
compress(${documents}/changelog)
file(READ ${documents}/README.md page)
string(REPLACE "(CHANGELOG.md)" "(changelog.gz)" page "${page}")
file(WRITE ${documents}/README.md "${page}")

file(GLOB manual ${host}/usr/share/man/man1/*.1)
foreach(page IN LISTS manual)
  compress(${page})
endforeach()

file(RENAME ${host}/usr/share/zsh/site-functions ${host}/usr/share/zsh/vendor-completions)

# allow_ldconfig(<root> <package>): cpack writes scripts that call ldconfig, and cannot be told not to.
function(allow_ldconfig root package)
  set(overrides ${root}/usr/share/lintian/overrides/${package})
  file(WRITE ${overrides}
    "# The scripts that cpack makes do so, beside the trigger.\nmaintscript-calls-ldconfig\n")
  file(CHMOD ${overrides} PERMISSIONS ${for_all_to_read})
endfunction()
allow_ldconfig(${CPACK_TEMPORARY_DIRECTORY}/library libsculpt0)

set(mpi ${CPACK_TEMPORARY_DIRECTORY}/mpi)
if(EXISTS ${mpi})
  add_documents(${mpi} sculpt-mpi)
  allow_ldconfig(${mpi} sculpt-mpi)
endif()

# The loader finds libsculpt in its own folders.
file(RPATH_REMOVE FILE ${host}/usr/bin/sculpt)

# Python looks in a folder of its own. The plugin follows a link to it. `pip list` reads METADATA.
set(python ${CPACK_TEMPORARY_DIRECTORY}/python)
if(EXISTS ${python})
  add_documents(${python} python3-sculpt)
  set(packages ${python}/usr/lib/python3/dist-packages)
  file(MAKE_DIRECTORY ${packages})
  file(RENAME ${python}/usr/lib/sculpt/python/sculpt ${packages}/sculpt)
  file(CREATE_LINK ../../python3/dist-packages/sculpt ${python}/usr/lib/sculpt/python/sculpt
    SYMBOLIC)
  set(metadata ${packages}/sculpt-${CPACK_PACKAGE_VERSION}.dist-info)
  file(WRITE ${metadata}/METADATA
    "Metadata-Version: 2.1\nName: sculpt\nVersion: ${CPACK_PACKAGE_VERSION}\n")
  file(WRITE ${metadata}/INSTALLER "debian\n")
  file(CHMOD ${metadata}/METADATA ${metadata}/INSTALLER PERMISSIONS ${for_all_to_read})
endif()

# Others must be able to enter the folders, whatever the umask is.
foreach(component host library sdk python mpi)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  file(GLOB_RECURSE entries LIST_DIRECTORIES true ${root}/*)
  foreach(entry IN LISTS entries ITEMS ${root})
    if(IS_DIRECTORY ${entry})
      file(CHMOD ${entry} PERMISSIONS
        ${for_all_to_read} OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
    endif()
  endforeach()
endforeach()
