# loginstorm::wolfssl and LOGINSTORM_TLS_BUILD, which every result names: CPU figures mean nothing without the library's build.
option(LOGINSTORM_SYSTEM_WOLFSSL "take the system's wolfSSL by pkg-config instead of the tuned build of our own" OFF)

if(LOGINSTORM_SYSTEM_WOLFSSL)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SYSTEM_WOLFSSL REQUIRED IMPORTED_TARGET wolfssl)
    set(LOGINSTORM_TLS_BUILD "system's")
    add_library(loginstorm_wolfssl INTERFACE)
    target_link_libraries(loginstorm_wolfssl INTERFACE PkgConfig::SYSTEM_WOLFSSL)
    # Its structures depend on the options that it was built with.
    target_compile_options(loginstorm_wolfssl INTERFACE "SHELL:-include wolfssl/options.h")
    target_compile_definitions(loginstorm_wolfssl INTERFACE "LS_TLS_BUILD=\"${LOGINSTORM_TLS_BUILD}\"")
    add_library(loginstorm::wolfssl ALIAS loginstorm_wolfssl)
    return()
endif()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/wolfssl/provide"
                                                                "${PROJECT_SOURCE_DIR}/tools/wolfssl/mend"
                                                                "${PROJECT_SOURCE_DIR}/tools/wolfssl/user_settings.h")
execute_process(COMMAND "${PROJECT_SOURCE_DIR}/tools/wolfssl/provide"
                OUTPUT_VARIABLE ls_wolfssl OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE ls_failed)
if(ls_failed)
    message(FATAL_ERROR "tools/wolfssl/provide could not provide the tuned wolfSSL (see above); "
                        "-DLOGINSTORM_SYSTEM_WOLFSSL=ON takes the system's, whose figures are not comparable")
endif()
file(STRINGS "${ls_wolfssl}/build-id" ls_wolfssl_id REGEX "^id ")
string(REGEX REPLACE "^id " "" ls_wolfssl_id "${ls_wolfssl_id}")
set(LOGINSTORM_TLS_BUILD "own build ${ls_wolfssl_id}")

find_package(Threads REQUIRED)
add_library(loginstorm::wolfssl STATIC IMPORTED)
set_target_properties(loginstorm::wolfssl PROPERTIES
    IMPORTED_LOCATION "${ls_wolfssl}/lib/libwolfssl.a"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${ls_wolfssl}/include" # its headers are not held to our warnings
    INTERFACE_INCLUDE_DIRECTORIES "${ls_wolfssl}/include"
    # wolfssl/options.h would undefine settings again.
    INTERFACE_COMPILE_DEFINITIONS "WOLFSSL_USER_SETTINGS;WOLFSSL_NO_OPTIONS_H;LS_TLS_BUILD=\"${LOGINSTORM_TLS_BUILD}\""
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m")
