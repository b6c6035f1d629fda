"""Whether values conform to the JSON Schemas of an OpenAPI document, as far as ours goes."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

Schema = Mapping[str, Any]

_KINDS: Mapping[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) in {int, float},
    "null": lambda value: value is None,
}
_KNOWN = {
    *("$ref", "anyOf", "type", "enum", "const", "pattern"),
    *("minimum", "maximum", "exclusiveMaximum"),
    *("minItems", "maxItems", "items", "required", "properties", "additionalProperties"),
    *("title", "description", "default", "discriminator"),
}


def resolve(document: Schema, ref: str) -> Schema:
    """What a reference within the document leads to."""
    assert ref.startswith("#/"), ref
    found: Any = document
    for key in ref[2:].split("/"):
        found = found[key]
    return found


def problems(document: Schema, schema: Schema, value: object, at: str = "$") -> Iterator[str]:
    """Each place where the value isn't what the schema says."""
    assert set(schema) <= _KNOWN, f"this check doesn't know {set(schema) - _KNOWN}"
    if "$ref" in schema:
        yield from problems(document, resolve(document, schema["$ref"]), value, at)
    if "anyOf" in schema and all(
        any(problems(document, option, value, at)) for option in schema["anyOf"]
    ):
        yield f"{at}: {value!r} is none of the options"
    if "type" in schema and not _KINDS[schema["type"]](value):
        yield f"{at}: {value!r} is no {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r} is not in {schema['enum']}"
    match value:
        case bool():
            pass
        case str() if not re.search(schema.get("pattern", ""), value):
            yield f"{at}: {value!r} doesn't match {schema['pattern']}"
        case int() if not (
            schema.get("minimum", value) <= value <= schema.get("maximum", value)
            and value < schema.get("exclusiveMaximum", value + 1)
        ):
            yield f"{at}: {value} is out of bounds"
        case list():
            yield from _in_array(document, schema, cast("list[object]", value), at)
        case dict():
            yield from _in_object(document, schema, cast("dict[str, object]", value), at)
        case _:
            pass


def _in_array(document: Schema, schema: Schema, value: list[object], at: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{at}: {len(value)} items"
    for place, item in enumerate(value):
        yield from problems(document, schema.get("items", {}), item, f"{at}[{place}]")


def _in_object(
    document: Schema, schema: Schema, value: Mapping[str, object], at: str
) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at}: no {name}"
    for name, item in value.items():
        rest = schema.get("additionalProperties", {})
        if name in properties:
            yield from problems(document, properties[name], item, f"{at}.{name}")
        elif rest is False:
            yield f"{at}: {name} is too much"
        else:
            yield from problems(document, rest, item, f"{at}.{name}")


def references(part: object) -> Iterator[str]:
    """Every reference in a document."""
    if isinstance(part, dict):
        for key, value in cast("dict[str, object]", part).items():
            if key == "$ref":
                yield cast("str", value)
            yield from references(value)
    elif isinstance(part, list):
        for value in cast("list[object]", part):
            yield from references(value)
