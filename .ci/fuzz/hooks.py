"""What schemathesis cannot know of this API, and what it is to remember of its answers."""

import itertools
import json
import os
import re

import schemathesis
from schemathesis.core.parameters import ParameterLocation

KEY = "Idempotency-Key"
# What the description shows: a case that is wrong in another header carries it as it stands.
SHOWN = "a-key-of-your-own"
DEADLINE = "Recourse-Deadline"
NUMBERS = itertools.count()
# Two runs may use the same account.
RUN = os.environ["FUZZ_RUN"]
QUOTING = "/v1/bookings/{id}/cancellations"
CONFIRMING = "/v1/cancellations/{id}/confirm"
# The bookings that nobody has asked about, and the quotes that nobody has confirmed.
BOOKED = []
QUOTED = []


def is_wrong(case, location):
    """Whether a case is wrong on purpose there."""
    return case.meta is not None and case.meta.is_negative_at(location)


def is_nobodys(case):
    """Whether a case is about what is answered without an API key."""
    data = case.meta.phase.data if case.meta is not None else None
    return getattr(data, "parameter", None) == "Authorization"


@schemathesis.hook
def before_call(context, case, kwargs):
    # One whose headers are changed here is sent with a key after all.
    if is_nobodys(case):
        return
    # A key that was used for another request is refused, and no schema can say which were. So
    # each request that means well has one of its own, in the form that the case has chosen.
    headers = case.headers or {}
    given = str(headers.get(KEY))
    if KEY in headers and (given == SHOWN or not is_wrong(case, ParameterLocation.HEADER)):
        quoted = given.startswith('"')
        own = f"{RUN}{next(NUMBERS):06d}" + ("" if quoted else given[len(RUN) + 6 :])
        headers[KEY] = f'"{own}"' if quoted else own
    # A time that has passed is a reason to refuse, and no schema can say which have.
    if re.match(r"\d{4}-\d\d-\d\d[Tt ]", str(headers.get(DEADLINE, ""))):
        del headers[DEADLINE]
    # One booking may have a reference at a time: the others would only ever be told so.
    body = case.body
    if isinstance(body, dict) and "reference" in body and not is_wrong(case, ParameterLocation.BODY):
        body["reference"] = f"{RUN}{next(NUMBERS)} {body['reference']}"[:200]
    # A cursor is one that was given out, and no schema can say which were.
    query = case.query or {}
    if "cursor" in query and not is_wrong(case, ParameterLocation.QUERY):
        del query["cursor"]
    # A token is one that was given out, for one quote, and no schema can say which were. Every other
    # request is about one that was, so that the others are seen to be refused.
    if is_wrong(case, ParameterLocation.PATH) or next(NUMBERS) % 2 == 0:
        return
    if case.operation.path == QUOTING and BOOKED:
        case.path_parameters["id"] = BOOKED.pop()
    if case.operation.path == CONFIRMING and QUOTED and isinstance(body, dict) and "token" in body:
        if not is_wrong(case, ParameterLocation.BODY):
            case.path_parameters["id"], body["token"] = QUOTED.pop()


def remember(case, response):
    """Keeps the ids and tokens that were given out."""
    if response.request.method != "POST" or response.status_code not in (201, 202):
        return
    told = response.json()
    if case.operation.path == "/v1/bookings":
        BOOKED.append(told["id"])
    if case.operation.path == QUOTING:
        QUOTED.append((told["id"], told["token"]))


@schemathesis.hook
def after_call(context, case, response):
    remember(case, response)
    headers = {name.lower(): values[0] for name, values in response.headers.items()}
    line = {
        "operation": f"{response.request.method} {case.operation.path}",
        "status": response.status_code,
        "claimed": "idempotency-expires" in headers,
        "replayed": "idempotent-replayed" in headers,
        "sent": response.request.url,
    }
    with open(os.environ["FUZZ_ANSWERS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
