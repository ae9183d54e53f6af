"""What the OpenAPI document states only in words: rules between fields, and refusals that depend on what exists. Only valid input is changed, so that invalid input stays as it was generated."""

import atexit
import collections
import ipaddress
import re
import uuid

import schemathesis

TIME = re.compile(r"^\d{4}(-\d\d-\d\d(T|$))")
ETAG = re.compile(r'^(\*|(W/)?"\d{1,15}([.][\w-]*)?")$')

# Refusals of valid input that are expected: operations, and what each error says.
EXPECTED = [
    # They depend on what exists, or on the time.
    ("agent.update", r"The agent runs as \S+"),
    ("cluster.update", r"Enter an access key of the account"),
    ("cluster.writeRouterConfig", r"The cluster has no routing yet"),
    ("addressMap.try", r"no instance of this map is called"),
    ("apiKey.create", r"choose a moment in the future|The role \S+ does not include"),
    ("member.update", r"An owner has all permissions"),
    ("cost.estimate", r"There are no prices for \S+ yet|There is no region .* with prices"),
    ("cost.estimate", r"No prices of \S+ are available"),
    (r"cost.list|cost.export|usage.list", r"from is not over yet|that is more than \d+ days"),
    ("negotiatedPrice.create", r".* lists no price of|Of your own, only egress in any region is a price"),
    (r"exposure.(create|update|plan|planCost)", r"There is no address pool|The pool \S+ belongs to"),
    # Reserved ranges, which are in no schema.
    ("addressPool.create", r"\S+ can't be a pool"),
    # The sum of several fields.
    (r"ownMachine.(create|update)", r"With these values it costs nothing"),
    # What an engine, a delivery and an addressing have together.
    (r"exposure.(create|update|plan|planCost)", r"only our own balancers have it|only \S+ has the scheduler"),
    (r"exposure.(create|update|plan|planCost)", r"\S+ can't deliver by|\S+ leaves the port as it is|only a proxy can write"),
    # A text of blanks is empty once it is trimmed.
    (r".*", r"Invalid key in record"),
]


refusals = collections.Counter()


@atexit.register
def report():
    if refusals:
        print("expected refusals:", ", ".join(f"{count} × {rule}" for rule, count in refusals.most_common()))


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    name = operation_of(case)
    if isinstance(case.query, dict):
        case.query = obey_in_query(name, with_valid_texts(case.query))
    if isinstance(case.body, dict):
        case.body = obey_in_body(name, with_valid_texts(case.body))
    # A generated key is repeated, with another body.
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    # The coverage phase ignores the pattern when it combines headers.
    if not ETAG.match(str(case.headers.get("If-Match", "*"))):
        case.headers["If-Match"] = '"0"'


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if type(failure).__name__ != "RejectedPositiveData" or response.status_code != 422:
        return True
    problem = response.json()
    messages = [error["message"] for error in problem.get("errors", [])] or [problem["detail"]]
    expected = [text for operations, text in EXPECTED if re.fullmatch(operations, operation_of(case))]
    rules = [next((text for text in expected if re.match(text, each)), None) for each in messages]
    if None in rules:
        return True
    refusals.update(rules)
    return False


def operation_of(case):
    return case.operation.definition.raw["operationId"]


def with_valid_texts(value):
    if isinstance(value, dict):
        return {name: with_valid_texts(each) for name, each in value.items()}
    if isinstance(value, list):
        return [with_valid_texts(each) for each in value]
    return valid_text(value) if isinstance(value, str) else value


def valid_text(text):
    # Times are from 1971 to 2199: at the ends, the offset matters.
    if TIME.match(text):
        year = min(max(int(text[:4]), 1971), 2198)
        return TIME.sub(rf"{year}\1", text)
    # Prefixes have no host bits.
    try:
        return str(ipaddress.ip_network(text, strict=False)) if "/" in text else text
    except ValueError:
        return text


def obey_in_query(name, query):
    # Only the server makes cursors.
    query.pop("cursor", None)
    # from is before to.
    start, end = query.get("from"), query.get("to")
    if isinstance(start, str) and isinstance(end, str):
        query["from"], query["to"] = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
    # wait needs after.
    if "wait" in query:
        query.setdefault("after", 0)
    # Exactly one of the two.
    if name == "addressMapping.lookUp":
        if "externalAddress" in query:
            query.pop("address", None)
        else:
            query.setdefault("address", "10.0.5.5")
    # Of all agents, it searches for an address or a prefix; only one agent's table has pages.
    if name == "routingTable.query":
        query.pop("after", None)
        if not any(field in query for field in ("agentId", "covers", "prefix")):
            query["covers"] = "192.0.2.1"
    return query


def obey_in_body(name, body):
    if isinstance(body.get("workload"), dict):
        obey_in_workload(body["workload"])
    # A port is listed once for each protocol.
    if isinstance(body.get("ports"), list):
        body["ports"] = list({(each.get("protocol", "tcp"), each["port"]): each for each in body["ports"]}.values())
    if isinstance(body.get("profile"), dict):
        obey_in_profile(body["profile"])
    if isinstance(body.get("routing"), dict):
        obey_in_routing(body["routing"])
    # An Elastic IP leads to one address.
    if isinstance(body.get("cloudRoute"), dict) and "elasticAddresses" in body["cloudRoute"]:
        body["cloudRoute"]["elasticAddresses"] = body["cloudRoute"]["elasticAddresses"][:1]
    # A kubeconfig is YAML, which a schema can't describe, and the controller here runs in no cluster.
    if name in ("cluster.create", "cluster.update"):
        body.pop("kubernetes", None)
    # keys are listed exactly with the mode keys.
    if name == "addressMap.updateAccess":
        body.pop("keys", None)
        body.pop("mode", None)
    # A server name needs by: tls.
    if name == "addressMap.try" and body.get("by") != "tls":
        body.pop("serverName", None)
    if name == "currencyRate.create" and body["from"] == body["to"]:
        body["to"] = "EUR" if body["from"] != "EUR" else "USD"
    # A reusable token is for many nodes, and only such a token may be valid for more than a week.
    if name == "enrollmentToken.create":
        if body.get("reusable"):
            body.pop("nodeName", None)
        else:
            body["expiresInMinutes"] = min(body.get("expiresInMinutes", 60), 10080)
    # Percentages have two decimals.
    price = body.get("price")
    if isinstance(price, dict) and "percent" in price:
        price["percent"] = max(round(price["percent"], 2), 0.01)
    return body


def obey_in_workload(workload):
    # A selector has labels, every other kind a name.
    if workload.get("kind") == "selector":
        workload.setdefault("selector", {"app": "web"})
    else:
        workload.setdefault("name", "web")


def obey_in_routing(routing):
    # Keepalives are sent at least three times in the hold time.
    routing.pop("keepaliveSeconds", None)
    # A peer is listed once, by name and by address.
    for field in ("reflectors", "routers"):
        for key in ("name", "address"):
            if field in routing:
                routing[field] = list({each[key]: each for each in routing[field]}.values())


def obey_in_profile(profile):
    # The peak is the average or more; connections follow from rate and duration; capacity is given in one way.
    if "peakMbps" in profile:
        profile["peakMbps"] = profile["averageMbps"]
    if "connectionDurationSeconds" in profile:
        profile.pop("activeConnections", None)
    if "backendMbps" in profile:
        profile.pop("corePercentPerMbps", None)
    # Only http and quic have requests, and plain UDP has no TLS.
    if profile.get("protocol", "tcp") not in ("http", "quic"):
        profile.pop("requestsPerSecond", None)
    if profile.get("protocol") == "udp":
        profile.pop("tls", None)
