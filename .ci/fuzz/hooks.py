"""What schemathesis cannot know of this API, and what it is to remember of its answers."""

import collections
import itertools
import json
import os
import re

import schemathesis
from schemathesis.core.parameters import ParameterLocation

KEY = "Idempotency-Key"
# What the description shows: a case that is wrong in another header carries it as it stands.
SHOWN = "a-key-of-your-own"
SHOWN_WAIT = "wait=10"
DEADLINE = "Recourse-Deadline"
NUMBERS = itertools.count()
# Two runs may use the same account.
RUN = os.environ["FUZZ_RUN"]
QUOTING = "/v1/bookings/{id}/cancellations"
CONFIRMING = "/v1/cancellations/{id}/confirm"
DECIDING = "/v1/cases/{id}/verdict"
# By operation the id that it does with what it is for, at any time: a booking that waits for a
# person, or its case. And all such ids, whose wait nobody is to end.
SURE = json.loads(os.environ["FUZZ_SURE"])
KEPT = set(json.loads(os.environ["FUZZ_KEPT"]))
# The quotes of the booking that is kept for them which nobody has confirmed.
QUOTED = []
TURNS = collections.Counter()


def is_wrong(case, location):
    """Whether a case is wrong on purpose there."""
    return case.meta is not None and case.meta.is_negative_at(location)


@schemathesis.hook
def filter_case(context, case):
    """
    Whether a case shows something else than others do. Every currency would be a trip of its own,
    and they go alike: those that are asked for here have two, no and three decimals.
    """
    if case.meta is None or case.meta.phase.name != "coverage" or not isinstance(case.body, dict):
        return True
    payment = case.body.get("payment")
    currency = payment.get("currency") if isinstance(payment, dict) else None
    return is_wrong(case, ParameterLocation.BODY) or currency in (None, "INR", "JPY", "KWD")


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
    # A booking that waits for a person moves no more, and a longer wait shows nothing else.
    if headers.get("Prefer") == SHOWN_WAIT:
        headers["Prefer"] = "wait=1"
    # One booking may have a reference at a time: the others would only ever be told so.
    body = case.body
    if isinstance(body, dict) and "reference" in body and not is_wrong(case, ParameterLocation.BODY):
        body["reference"] = f"{RUN}{next(NUMBERS)} {body['reference']}"[:200]
    # A cursor is one that was given out, and no schema can say which were.
    query = case.query or {}
    if "cursor" in query and not is_wrong(case, ParameterLocation.QUERY):
        del query["cursor"]
    steer(case, headers, body)
    # The word of a person would end the wait: of what is kept it is only asked what it would do.
    if (case.path_parameters or {}).get("id") in KEPT and isinstance(body, dict):
        ends = case.operation.path == DECIDING or body.get("action") == "abandon"
        if ends and not is_wrong(case, ParameterLocation.BODY):
            body["dry_run"] = True


def steer(case, headers, body):
    """
    Sends every other request that means well, the first of each operation too, where it does what
    it is for: no schema can say which states allow it, nor which tokens were given out. The others
    are seen to be refused. Along the links it is known already.
    """
    meta = case.meta
    if meta is None or meta.phase.name == "stateful" or not meta.generation.mode.is_positive:
        return
    operation = f"{case.method} {case.operation.path}"
    confirms = operation == f"POST {CONFIRMING}" and QUOTED
    # What waits for a person can be cancelled again and again, and has nothing to retry.
    action = body.get("action", "cancel") if isinstance(body, dict) else "cancel"
    if not confirms and (operation not in SURE or action != "cancel"):
        return
    TURNS[operation] += 1
    if TURNS[operation] % 2 == 0:
        return
    if confirms:
        case.path_parameters["id"], body["token"] = QUOTED.pop()
    else:
        case.path_parameters["id"] = SURE[operation]
        # It is allowed whatever was seen before.
        headers.pop("If-Match", None)


def remember(case, response):
    """Keeps the tokens that were given out."""
    if case.operation.path != QUOTING or response.status_code != 201:
        return
    told = response.json()
    if told["booking"] == SURE[f"POST {QUOTING}"]:
        QUOTED.append((told["id"], told["token"]))


@schemathesis.hook
def after_call(context, case, response):
    remember(case, response)
    headers = {name.lower(): values[0] for name, values in response.headers.items()}
    line = {
        "run": RUN,
        "operation": f"{response.request.method} {case.operation.path}",
        "status": response.status_code,
        "claimed": "idempotency-expires" in headers,
        "replayed": "idempotent-replayed" in headers,
        "sent": response.request.url,
    }
    with open(os.environ["FUZZ_ANSWERS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
