/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/xml.h"

#include <dlfcn.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "curve/clean.h"

#define LIBRARY "libexpat.so.1"
#define DEEPEST 32
#define TAG_LONGEST ((XML_Index)1024 * 1024)
#define PIECE ((size_t)16 * 1024)
#define ROOT "<r>"
#define ROOT_END "</r>"
#define CUT "it breaks off before its end, as a log does that is still being written"

#define FUNCTIONS(X)                                                                               \
    X(XML_ParserCreate_MM)                                                                         \
    X(XML_ParserFree)                                                                              \
    X(XML_SetUserData)                                                                             \
    X(XML_SetElementHandler)                                                                       \
    X(XML_SetCharacterDataHandler)                                                                 \
    X(XML_Parse)                                                                                   \
    X(XML_StopParser)                                                                              \
    X(XML_GetErrorCode)                                                                            \
    X(XML_ErrorString)                                                                             \
    X(XML_GetCurrentLineNumber)                                                                    \
    X(XML_GetCurrentByteIndex)                                                                     \
    X(XML_GetInputContext)

struct xml {
    struct sink *sink;
    const struct xml_calls *calls;
    void *data;
    void *library;
    XML_Parser parser;
    struct clean clean;
    size_t depth; /* of open elements, our own root too */
    bool too_deep;
    XML_Index fed;
    enum ls_code code; /* of a call that failed, and why */
    struct ls_error failed;
    char piece[PIECE];
#define MEMBER(name) __typeof__(name)(*(name));
    FUNCTIONS(MEMBER)
#undef MEMBER
    /* From 2.6 on, and in what distributions made of 2.5 (CVE-2023-52425), expat puts off what it has seen only
     * a part of, and may then know less of a log that breaks off than has come. NULL: it never does. */
    XML_Bool(XMLCALL *defer)(XML_Parser parser, XML_Bool enabled);
};

static bool load(struct xml *xml)
{
    bool good;

    xml->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    good = xml->library != NULL;
#define FIND(name)                                                                                 \
    if (good) {                                                                                    \
        void *at = dlsym(xml->library, #name);                                                     \
                                                                                                   \
        memcpy(&xml->name, &at, sizeof at);                                                        \
        good = at != NULL;                                                                         \
    }
    FUNCTIONS(FIND)
#undef FIND
    if (good) {
        void *at = dlsym(xml->library, "XML_SetReparseDeferralEnabled");

        memcpy(&xml->defer, &at, sizeof at);
    }
    return good;
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    struct xml *xml = data;

    if (xml->code != LS_OK || xml->too_deep) {
        return;
    }
    if (xml->depth > DEEPEST) {
        xml->too_deep = true;
        (void)xml->XML_StopParser(xml->parser, XML_FALSE);
        return;
    }
    if (xml->depth > 0) {
        xml->calls->start(xml->data, xml->depth, name, (const char *const *)attributes);
    }
    xml->depth++;
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
    struct xml *xml = data;

    (void)name;
    if (xml->code != LS_OK || xml->too_deep) {
        return;
    }
    xml->depth--;
    if (xml->depth > 0) {
        xml->code = xml->calls->end(xml->data, xml->depth, &xml->failed);
        if (xml->code != LS_OK) {
            (void)xml->XML_StopParser(xml->parser, XML_FALSE);
        }
    }
}

static void XMLCALL on_text(void *data, const XML_Char *text, int size)
{
    struct xml *xml = data;

    if (xml->code == LS_OK && !xml->too_deep) {
        xml->calls->text(xml->data, text, (size_t)size);
    }
}

int64_t xml_line(const struct xml *xml)
{
    return (int64_t)xml->XML_GetCurrentLineNumber(xml->parser);
}

static void break_off(struct xml *xml, const char *why)
{
    (void)ls_error_set_at(&xml->sink->broken, xml->sink->path, (int)xml_line(xml), 0, "%s", why);
}

/* Whether the parser gave up at "<!DOCTYPE": it points at the D, which nothing may be behind "<!". */
static bool is_doctype(const struct xml *xml)
{
    int at = 0;
    int size = 0;
    const char *text = xml->XML_GetInputContext(xml->parser, &at, &size);

    return text != NULL && at >= 2 && at < size && text[at - 2] == '<' && text[at - 1] == '!' &&
           (text[at] | 32) == 'd';
}

/* Why the parser gave up: an error, or the place where the log breaks off. */
static enum ls_code gave_up(struct xml *xml, struct ls_error *err)
{
    const enum XML_Error why = xml->XML_GetErrorCode(xml->parser);
    const char *word = xml->XML_ErrorString(why);

    if (xml->code != LS_OK) {
        *err = xml->failed;
        return xml->code;
    }
    if (why == XML_ERROR_NO_MEMORY) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read the XML of %s", xml->sink->path);
    }
    if (xml->too_deep) {
        break_off(xml, "its elements are nested more than 32 deep: nothing from there on is read");
    } else if (is_doctype(xml)) {
        return ls_error_set_at(err, xml->sink->path, (int)xml_line(xml), 0,
                               "it has a DOCTYPE, which no event log has: it is not read");
    } else {
        char text[160];

        (void)snprintf(text, sizeof text,
                       "its XML makes no sense (%s): nothing from there on is read",
                       word == NULL ? "nobody knows why" : word);
        break_off(xml, text);
    }
    return LS_OK;
}

static enum ls_code parse(struct xml *xml, const char *bytes, size_t size, struct ls_error *err)
{
    XML_Index at;

    if (xml->XML_Parse(xml->parser, bytes, (int)size, 0) != XML_STATUS_OK) {
        return gave_up(xml, err);
    }
    xml->fed += (XML_Index)size;
    at = xml->XML_GetCurrentByteIndex(xml->parser);
    if (at >= 0 && xml->fed - at > TAG_LONGEST) {
        break_off(xml, "a tag or comment of more than 1 MiB: nothing from there on is read");
    }
    return LS_OK;
}

enum ls_code xml_new(struct xml **out, struct sink *sink, const struct xml_calls *calls, void *data,
                     struct ls_error *err)
{
    static const XML_Memory_Handling_Suite memory = {malloc, realloc, free};
    struct xml *xml = calloc(1, sizeof *xml);
    enum ls_code code = LS_OK;

    if (xml == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read XML");
    }
    xml->sink = sink;
    xml->calls = calls;
    xml->data = data;
    if (!load(xml)) {
        code = ls_error_set(err, LS_ELIMIT,
                            "%s is XML, and " LIBRARY " (Debian's libexpat1) is not there to read "
                            "it",
                            sink->path);
    } else {
        xml->parser = xml->XML_ParserCreate_MM("UTF-8", &memory, NULL);
        if (xml->parser == NULL) {
            code = ls_error_set(err, LS_ENOMEM, "no memory to read XML");
        }
    }
    if (code == LS_OK) {
        /* What it guards against, a long token in many small pieces, TAG_LONGEST and PIECE bound. */
        if (xml->defer != NULL) {
            (void)xml->defer(xml->parser, XML_FALSE);
        }
        xml->XML_SetUserData(xml->parser, xml);
        xml->XML_SetElementHandler(xml->parser, on_start, on_end);
        xml->XML_SetCharacterDataHandler(xml->parser, on_text);
        code = parse(xml, ROOT, strlen(ROOT), err);
    }
    if (code != LS_OK) {
        xml_free(xml);
        return code;
    }
    *out = xml;
    return LS_OK;
}

void xml_free(struct xml *xml)
{
    if (xml == NULL) {
        return;
    }
    if (xml->parser != NULL) {
        xml->XML_ParserFree(xml->parser);
    }
    if (xml->library != NULL) {
        (void)dlclose(xml->library);
    }
    free(xml);
}

enum ls_code xml_feed(struct xml *xml, const char *bytes, size_t size, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    while (size > 0 && code == LS_OK && xml->sink->broken.code == LS_OK) {
        const size_t given = clean_take(&xml->clean, &bytes, &size, xml->piece, PIECE);

        if (given > 0) {
            code = parse(xml, xml->piece, given, err);
        }
    }
    return code;
}

enum ls_code xml_end(struct xml *xml, struct ls_error *err)
{
    const size_t given = clean_end(&xml->clean, xml->piece);
    enum ls_code code = LS_OK;

    if (xml->sink->broken.code == LS_OK && given > 0) {
        code = parse(xml, xml->piece, given, err);
    }
    if (code != LS_OK || xml->sink->broken.code != LS_OK) {
        return code;
    }
    /* Whether nothing is open is seen by closing our own root. */
    if (xml->depth > 1 ||
        xml->XML_Parse(xml->parser, ROOT_END, (int)strlen(ROOT_END), 1) != XML_STATUS_OK) {
        if (xml->XML_GetErrorCode(xml->parser) == XML_ERROR_NO_MEMORY) {
            return gave_up(xml, err);
        }
        break_off(xml, CUT);
    }
    return LS_OK;
}
