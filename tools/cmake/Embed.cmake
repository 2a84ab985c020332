# Scripts and styles of the HTML report become constant arrays of ls_report: ours, and Debian's dygraphs (libjs-dygraphs). Included by
# CMakeLists.txt; run with cmake -P (OUT and FILES set) it writes the source file.
if(CMAKE_SCRIPT_MODE_FILE)
    set(text "/* Made by tools/cmake/Embed.cmake. */\n#include \"report/assets.h\"\n")
    foreach(file IN LISTS FILES)
        file(READ "${file}" source)
        get_filename_component(name "${file}" NAME)
        string(REPLACE ".min." "." name "${name}")
        string(REPLACE "." "_" name "${name}")
        # A reader's browser must find nothing to ask for.
        string(REGEX REPLACE "\n//# sourceMappingURL=[^\n]*" "" source "${source}")
        string(REGEX REPLACE "\n/\\*# sourceMappingURL=[^\n]*" "" source "${source}")
        # HTML would end the element there, or read other bytes than were hashed.
        string(TOLOWER "${source}" lower)
        if(lower MATCHES "</(script|style)|<!--|\r")
            message(FATAL_ERROR "${file} cannot stand in an HTML page as it is")
        endif()
        file(WRITE "${OUT}.part" "${source}")
        file(SHA256 "${OUT}.part" hash)
        file(READ "${OUT}.part" hex HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
        string(REGEX REPLACE "(..)" "0x\\1," hash "${hash}")
        string(APPEND text "\nstatic const unsigned char bytes_${name}[] = {${bytes}};\n"
                           "const struct asset asset_${name} = {bytes_${name}, sizeof bytes_${name}, {${hash}}};\n")
    endforeach()
    file(REMOVE "${OUT}.part")
    file(WRITE "${OUT}" "${text}")
    return()
endif()

set(LOGINSTORM_DYGRAPHS "/usr/share/javascript/dygraphs" CACHE PATH "where dygraph.min.js and dygraph.min.css are")
foreach(name IN ITEMS dygraph.min.js dygraph.min.css)
    if(NOT EXISTS "${LOGINSTORM_DYGRAPHS}/${name}")
        message(FATAL_ERROR "no ${LOGINSTORM_DYGRAPHS}/${name}: install libjs-dygraphs (tools/setup run), or set LOGINSTORM_DYGRAPHS")
    endif()
endforeach()
set(ls_embedded "${LOGINSTORM_DYGRAPHS}/dygraph.min.js" "${LOGINSTORM_DYGRAPHS}/dygraph.min.css"
                "${PROJECT_SOURCE_DIR}/src/report/page.js" "${PROJECT_SOURCE_DIR}/src/report/page.css")
set(ls_assets "${CMAKE_BINARY_DIR}/embedded/assets.c")
add_custom_command(OUTPUT "${ls_assets}"
                   COMMAND ${CMAKE_COMMAND} "-DOUT=${ls_assets}" "-DFILES=${ls_embedded}" -P "${CMAKE_CURRENT_LIST_FILE}"
                   DEPENDS ${ls_embedded} "${CMAKE_CURRENT_LIST_FILE}" VERBATIM)
target_sources(ls_report PRIVATE "${ls_assets}")
