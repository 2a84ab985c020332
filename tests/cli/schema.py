"""Holds JSON files to a schema: schema.py SCHEMA FILE... prints what is wrong, by path; nothing where all hold.
schema.py --strict: keys that the schema does not name are wrong, too, so that it cannot fall behind what is written.
schema.py --broken SCHEMA FILE FOLDER: writes that file there, shortened, with each of its values made wrong once, as
NUMBER.json, and prints for each: NUMBER, whether the schema takes it, where it was changed, and how."""

import copy
import json
import sys

import jsonschema


def closed(schema):
    """The same, but no object may have more than it names."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if isinstance(made.get("properties"), dict) and "type" in made:
        made["additionalProperties"] = False
    return made


def faults(schema, document):
    for fault in jsonschema.Draft7Validator(schema).iter_errors(document):
        yield "%s: %s" % ("/".join(str(part) for part in fault.absolute_path), fault.message[:200])


def shorten(value, key=None):
    """Lists of many rows alike: what a reader still takes. A pair names two sides, a curve ends with share 1."""
    if isinstance(value, dict):
        return {key: shorten(part, key) for key, part in value.items()}
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], list):
        return value[-1:]
    return [shorten(part) for part in value[: 2 if key == "sides" else 1]]


def places(value, path=()):
    """Every key of every object, and every item of a list."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield path + (key,), part
        yield from places(part, path + (key,))


def changed(document, path, how):
    made = copy.deepcopy(document)
    at = made
    for key in path[:-1]:
        at = at[key]
    if how == "gone":
        del at[path[-1]]
    else:
        at[path[-1]] = {"object": {"x": 1}, "negative": -1, "null": None}[how]
    return made


def ways(path, value):
    """How a value may be wrong. What lies within an object or a list is broken by itself."""
    if not isinstance(path[-1], int):
        yield "gone"
    if isinstance(value, (dict, list)):
        return
    yield "object"
    yield "null"
    if not isinstance(value, str):
        yield "negative"


def break_all(schema, document, folder):
    validator = jsonschema.Draft7Validator(schema)
    number = 0
    for path, value in places(document):
        for how in ways(path, value):
            made = changed(document, path, how)
            with open("%s/%d.json" % (folder, number), "w", encoding="utf-8") as out:
                json.dump(made, out)
            print(number, "takes" if validator.is_valid(made) else "refuses", "/".join(map(str, path)), how)
            number += 1


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main(words):
    strict = "--strict" in words
    broken = "--broken" in words
    words = [word for word in words if not word.startswith("--")]
    schema = load(words[0])
    jsonschema.Draft7Validator.check_schema(schema)
    if broken:
        break_all(schema, shorten(load(words[1])), words[2])
        return
    for path in words[1:]:
        for fault in faults(closed(schema) if strict else schema, load(path)):
            print("%s: %s" % (path, fault))


main(sys.argv[1:])
