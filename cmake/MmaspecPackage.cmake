# What cpack makes: .deb packages (mmaspec, mmaspec-dev) and a relocatable archive. packaging/build-packages makes them for others.
#
# Components: runtime (program, libmmaspec.so, its own files), development (the API's headers and CMake package), plugin (what
# plugins are built with), bundled (libraries that the program needs and a system may lack; in the archive alone).

# Libraries that are never bundled: those of the C and C++ compilers, which every system has.
set(mmaspec_of_the_system
  "^lib(c|m|dl|rt|pthread|util|resolv)\\.so" "^ld-linux" "^linux-vdso" "^libstdc\\+\\+\\.so" "^libgcc_s\\.so")

# Call it after all targets are defined.
function(mmaspec_install_documents)
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/mmaspec" RENAME copyright)
  install(FILES "${PROJECT_SOURCE_DIR}/packaging/LICENSES.md" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/mmaspec" COMPONENT bundled
    EXCLUDE_FROM_ALL)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  # The program writes its manual pages and completions.
  set(shared "\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}")
  install(CODE "
    function(write file)
      execute_process(COMMAND \"$<TARGET_FILE:mmaspec>\" \${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
      file(WRITE \"${shared}/\${file}\" \"\${text}\")
    endfunction()
    file(MAKE_DIRECTORY \"${shared}/man/man1\")
    execute_process(COMMAND \"$<TARGET_FILE:mmaspec>\" help --man \"${shared}/man/man1\" COMMAND_ERROR_IS_FATAL ANY)
    write(bash-completion/completions/mmaspec completion bash)
    write(zsh/site-functions/_mmaspec completion zsh)
    write(fish/vendor_completions.d/mmaspec.fish completion fish)
    message(STATUS \"Installing: manual pages and completions\")")
endfunction()

# Call it last.
macro(mmaspec_package)
  install(RUNTIME_DEPENDENCY_SET mmaspec_dependencies
    PRE_EXCLUDE_REGEXES ${mmaspec_of_the_system}
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT bundled EXCLUDE_FROM_ALL)

  set(CPACK_PACKAGE_VENDOR "MMA-Spec")
  set(CPACK_PACKAGE_CONTACT "MMA-Spec <mmaspec@mmaspec.example>")
  set(CPACK_PACKAGE_HOMEPAGE_URL "https://mmaspec.example")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
  set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
  set(CPACK_PACKAGE_FILE_NAME "mmaspec-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
  set(CPACK_GENERATOR TGZ DEB)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_THREADS 0)
  set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/package_of_generator.cmake")

  # Packages for two releases of Debian differ.
  cmake_host_system_information(RESULT system QUERY DISTRIB_INFO)
  set(debian_revision "1~${system_ID}${system_VERSION_ID}")
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_RELEASE "${debian_revision}")
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME mmaspec)
  set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "The program mmaspec and the shared library libmmaspec.so.")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS cadical)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "cvc5, bitwuzla, yosys, iverilog")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME mmaspec-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Headers and CMake package of the C++ API, and what plugins are built with.")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "mmaspec (= ${PROJECT_VERSION}-${debian_revision})")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "cmake, libboost-dev, libfmt-dev")
  include(CPack)
  cpack_add_component(runtime GROUP runtime)
  cpack_add_component(development GROUP development)
  cpack_add_component(plugin GROUP development)
  cpack_add_component(bundled GROUP runtime)
endmacro()
