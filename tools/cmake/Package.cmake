# What is installed, and Debian's package of it (tools/package). Three components: `program` is in both, `plain` only where
# `cmake --install` puts it, `debian` only in the package, where some things have another place or are packed.
include(GNUInstallDirs)
set(LOGINSTORM_MAINTAINER "loginstorm maintainers <maintainers@loginstorm.example>" CACHE STRING "who answers for the package")

install(TARGETS loginstorm RUNTIME COMPONENT program)
install(DIRECTORY scenarios/ DESTINATION "${CMAKE_INSTALL_DATADIR}/loginstorm/scenarios" COMPONENT program
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.json" PATTERN "*.csv")
install(FILES README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
if(TARGET loginstorm-mpi) # not in the package, which would need Open MPI for it
    install(TARGETS loginstorm-mpi RUNTIME COMPONENT plain)
endif()
install(FILES CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT plain)
if(NOT TARGET described)
    return()
endif()
install(FILES "${LS_DESCRIBED}/bash-completion/completions/loginstorm"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT program)
install(FILES "${LS_DESCRIBED}/fish/vendor_completions.d/loginstorm.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT program)
install(FILES "${LS_DESCRIBED}/zsh/site-functions/_loginstorm"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT plain)
install(FILES "${LS_DESCRIBED}/man/man1/loginstorm.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT plain)

find_program(LS_GZIP gzip)
if(NOT LS_GZIP)
    return()
endif()
set(ls_debian "${CMAKE_BINARY_DIR}/debian")
configure_file(tools/debian/changelog.in "${ls_debian}/changelog.Debian" @ONLY)
set(ls_packed "")
# Without name and time, so that the same text is packed into the same bytes.
function(ls_pack from name)
    add_custom_command(OUTPUT "${ls_debian}/${name}.gz" COMMAND "${LS_GZIP}" -9nc "${from}" > "${ls_debian}/${name}.gz"
                       DEPENDS "${from}" VERBATIM)
    set(ls_packed ${ls_packed} "${ls_debian}/${name}.gz" PARENT_SCOPE)
endfunction()
ls_pack("${LS_DESCRIBED}/man/man1/loginstorm.1" loginstorm.1)
ls_pack("${PROJECT_SOURCE_DIR}/CHANGELOG.md" changelog)
ls_pack("${ls_debian}/changelog.Debian" changelog.Debian)
add_custom_target(packed ALL DEPENDS ${ls_packed})
add_dependencies(packed described)
install(FILES "${ls_debian}/loginstorm.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES tools/debian/copyright "${ls_debian}/changelog.gz" "${ls_debian}/changelog.Debian.gz"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES "${LS_DESCRIBED}/zsh/site-functions/_loginstorm"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME loginstorm)
set(CPACK_PACKAGE_CONTACT "${LOGINSTORM_MAINTAINER}")
set(CPACK_COMPONENTS_ALL program debian)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS tzdata)
# Loaded when the first packed log, event log or capture is met, a live page is asked for, or an exporter is to be read.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libarchive13, libcurl4 | libcurl3-gnutls, libexpat1, libmicrohttpd12, libpcap0.8")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS openssl) # calibrate sets its figures beside it
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "login storms against TLS gateways, measured and simulated")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"loginstorm plays the morning of a remote-access gateway: thousands of users
who log in between 08:00 and 09:00, each with a real TLS handshake at the
moment at which that user is due.

It says how long each login took, what it cost the gateway in CPU and bytes,
which certificate (RSA, ECDSA, Ed25519, ML-DSA) to take, and whether the
measurement can be trusted. The same morning can be played in virtual time,
to plan how many gateways it takes, and recorded mornings can be made of the
logs of other systems.")
include(CPack)
