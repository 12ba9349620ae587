"""Forms that refuse in this package's own words: pydantic finds what is wrong, and nobody above hears of pydantic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import ModelWrapValidatorHandler, ValidationError, model_validator

from ..errors import BaccaratError, describe
from ..records.forms import Form

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class SpokenForm(Form):
    """A form with a name of its own, `called`, and an error of its own, `refusal`, for whatever does not fit it."""

    called: ClassVar[str]
    refusal: ClassVar[type[BaccaratError]]

    @model_validator(mode="wrap")
    @classmethod
    def _refuse_in_our_words(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(data)
        except ValidationError as error:
            refusal = cls._refusal(error.errors(include_url=False)[0])
        except BaccaratError as error:
            refusal = cls.refusal(f"{cls.called}, {error.subject}", error.expected, error.found, error.slips)
        raise refusal

    @classmethod
    def _refusal(cls, detail: ErrorDetails) -> BaccaratError:
        """One of pydantic's findings as an error of this form."""
        path = ".".join(map(str, detail["loc"]))
        expected = detail.get("ctx", {}).get("expected") if detail["type"] == "form" else detail["msg"].removeprefix("Input should be ")
        found = "nothing" if detail["type"] == "missing" else describe(detail["input"])
        return cls.refusal(f"{cls.called}, {path}" if path else cls.called, str(expected), found)
