# The manual page and the completions, written by a program of the build from the tables that parse the command line, so that they
# cannot fall behind. In share/ of the build's folder, as they are installed.
set(LS_DESCRIBED "${CMAKE_BINARY_DIR}/share")

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "built for another machine: no manual page and no completions, which a program of this build writes")
    return()
endif()
add_executable(describe tools/describe.c)
target_link_libraries(describe PRIVATE ls_cli ls_warnings)
set(ls_described "")
function(ls_describe what file)
    get_filename_component(folder "${LS_DESCRIBED}/${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${LS_DESCRIBED}/${file}"
                       COMMAND describe ${what} "${LS_DATE}" > "${LS_DESCRIBED}/${file}"
                       DEPENDS describe VERBATIM)
    set(ls_described ${ls_described} "${LS_DESCRIBED}/${file}" PARENT_SCOPE)
endfunction()
ls_describe(man man/man1/loginstorm.1)
ls_describe(bash bash-completion/completions/loginstorm)
ls_describe(zsh zsh/site-functions/_loginstorm)
ls_describe(fish fish/vendor_completions.d/loginstorm.fish)
add_custom_target(described ALL DEPENDS ${ls_described})
