"""Who sits at the audit's desk: an annotator, by name and token. API_TOKEN is no such token, and theirs opens nothing else."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from api.dependencies import Stored
from api.problems import Declined
from domain.errors import Refused
from store.annotators import Annotator, annotator_of

_ASKED = 'Bearer realm="parallax audit"'


def _annotator(request: Request, database: Stored) -> Annotator:
    """Raises Declined (401), the same whichever of both is wrong; Refused (403) for a model: here people answer."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    name, colon, token = (part.strip() for part in given.partition(":"))  # blanks come with pasting; none is of a token
    if scheme.lower() != "bearer" or not (name and colon and token):
        raise Declined(
            "unauthorized", "An annotator's name and token are needed: Authorization: Bearer <name>:<token>.",
            {"WWW-Authenticate": _ASKED},
        )  # fmt: skip
    try:
        found = annotator_of(database, name, token)
    except Refused as error:
        raise Declined("unauthorized", str(error), {"WWW-Authenticate": f'{_ASKED}, error="invalid_token"'}) from None
    if found.kind != "human":
        raise Refused(
            f"{found.name} is a model, and the desk is for people: nobody answers under a model's name. "
            f"A model is asked by whoever runs the audit (builder audit model)."
        )
    return found


Annotating = Annotated[Annotator, Depends(_annotator)]
"""Who asks. A route that takes this is for annotators alone."""
