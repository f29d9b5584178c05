"""Settings given by people, checked against a benchmark's model of them."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from wug.errors import InputError, unknown_name

Settings = TypeVar("Settings", bound=BaseModel)


def validate_settings(model: type[Settings], given: Mapping[str, Any], owner: str) -> Settings:
    """Return the settings with defaults; InputError says in one sentence what is wrong and what would be right."""
    for name in given:
        if name not in model.model_fields:
            raise unknown_name(f"setting of {owner}", name, model.model_fields)
    try:
        return model(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"]) or "settings"
        message = first["msg"].removeprefix("Value error, ")
        description = model.model_fields[name].description if name in model.model_fields else None
        meaning = f" ({description})" if description else ""
        raise InputError(f"setting '{name}' of {owner}{meaning}: {message}, not {first['input']!r}") from None
