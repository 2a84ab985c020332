# A static library for each room of tools/layers.txt that has sources: ls_base, ls_scenario, ...
# A room links what the table lets it include, so a new include across rooms is a change of the table first.
set(ls_library_of_jansson.h PkgConfig::JANSSON)
set(ls_library_of_yaml.h PkgConfig::YAML)
set(ls_library_of_wolfssl/ loginstorm::wolfssl)
set(ls_library_of_uv.h PkgConfig::UV)
set(ls_library_of_zlib.h PkgConfig::ZLIB)
set(ls_library_of_pthread.h Threads::Threads)
set(ls_library_of_archive.h "") # loaded by who needs it
set(ls_library_of_expat.h "")   # likewise
set(ls_library_of_pcap/ "")     # likewise
set(ls_library_of_microhttpd.h "") # likewise
set(ls_library_of_curl/ "")     # likewise
set(ls_library_of_mpi.h PkgConfig::MPI)

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/layers.txt"
                                                                "${PROJECT_SOURCE_DIR}/tools/headers.txt")
file(STRINGS "${PROJECT_SOURCE_DIR}/tools/layers.txt" ls_rows REGEX "^[a-z]")
set(LS_ROOMS "")
foreach(row IN LISTS ls_rows)
    string(REGEX REPLACE "[ \t]+" ";" cells "${row}")
    list(GET cells 0 room)
    list(GET cells 1 rooms)
    list(GET cells 2 libraries)
    file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${room}/*.c")
    list(FILTER sources EXCLUDE REGEX "/main\\.c$") # a program's, not a room's
    if(NOT sources OR (room STREQUAL "mpi" AND NOT TARGET PkgConfig::MPI))
        continue()
    endif()
    list(APPEND LS_ROOMS ${room})
    add_library(ls_${room} STATIC ${sources})
    target_include_directories(ls_${room} PUBLIC "${PROJECT_SOURCE_DIR}/include" PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(ls_${room} PRIVATE ls_warnings PUBLIC m)
    # A fused multiply-add rounds once where the source rounds twice: due times would hang on the CPU.
    target_compile_options(ls_${room} PRIVATE -ffp-contract=off)
    string(REPLACE "," ";" rooms "${rooms}")
    foreach(other IN LISTS rooms)
        if(TARGET ls_${other})
            target_link_libraries(ls_${room} PUBLIC ls_${other})
        endif()
    endforeach()
    string(REPLACE "," ";" libraries "${libraries}")
    foreach(library IN LISTS libraries)
        if(NOT library STREQUAL "-")
            target_link_libraries(ls_${room} PUBLIC ${ls_library_of_${library}})
        endif()
    endforeach()
endforeach()

# Every public header compiles alone, in the room that owns it.
file(STRINGS "${PROJECT_SOURCE_DIR}/tools/headers.txt" ls_headers REGEX "^[a-z]")
foreach(row IN LISTS ls_headers)
    string(REGEX REPLACE "[ \t]+" ";" cells "${row}")
    list(GET cells 0 h)
    list(GET cells 1 room)
    if(NOT TARGET ls_${room})
        continue()
    endif()
    string(MAKE_C_IDENTIFIER ${h} id)
    file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/alone/${id}.c"
         CONTENT "#include \"loginstorm/@h@\"\n#include \"loginstorm/@h@\"\nextern int ls_alone_${id};\n" @ONLY)
    target_sources(ls_${room} PRIVATE "${CMAKE_BINARY_DIR}/alone/${id}.c")
endforeach()
