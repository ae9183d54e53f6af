"""Calls operations of the REST API with the generated client, as tools/clients/plan.ts lists them, and prints each
result as a line of JSON."""

import datetime
import enum
import importlib
import inspect
import json
import pkgutil
import re
import sys
import typing

import fairlead_client.api
from fairlead_client import AuthenticatedClient


def snake(name):
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name.replace(".", "_").replace("-", "_")).replace("__", "_").lower()


def modules():
    found = pkgutil.walk_packages(fairlead_client.api.__path__, "fairlead_client.api.")
    return {each.name.rsplit(".", 1)[1]: importlib.import_module(each.name) for each in found if not each.ispkg}


def filled(value, saved):
    """filled puts the ids of created objects in place of their names."""
    if isinstance(value, dict):
        return {name: filled(each, saved) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(each, saved) for each in value]
    return saved[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def typed(value, hint):
    """typed returns a value of JSON as the client's own type."""
    if isinstance(value, list):
        items = [each for each in (hint, *typing.get_args(hint)) if typing.get_origin(each) is list]
        return [typed(each, typing.get_args(items[0])[0]) for each in value] if items else value
    for each in (hint, *typing.get_args(hint)):
        if not inspect.isclass(each):
            continue
        if each is datetime.datetime:
            return datetime.datetime.fromisoformat(value)
        if each is datetime.date:
            return datetime.date.fromisoformat(value)
        if issubclass(each, enum.Enum) or hasattr(each, "from_dict"):
            return each.from_dict(value) if hasattr(each, "from_dict") else each(value)
    return value


def run(client, operations, step, saved):
    call = operations[snake(step["operation"])].sync_detailed
    hints = typing.get_type_hints(call)
    arguments = {}
    for name, value in filled(step["parameters"], saved).items():
        own = snake(name) if snake(name) in hints else f"{snake(name)}_"
        arguments[own] = typed(value, hints[own])
    if "body" in step:
        arguments["body"] = typed(filled(step["body"], saved), hints["body"])
    response = call(client=client, **arguments)
    parsed = response.parsed
    if "save" in step and response.status_code < 300:
        saved[step["save"]] = parsed.id
    return {"status": int(response.status_code), "result": parsed.to_dict() if hasattr(parsed, "to_dict") else parsed}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    client = AuthenticatedClient(base_url=plan["url"], token=plan["key"], raise_on_unexpected_status=True)
    operations, saved = modules(), {}
    for step in plan["steps"]:
        try:
            outcome = run(client, operations, step, saved)
        except Exception as error:
            outcome = {"error": f"{type(error).__name__}: {error}"}
        # The content of a file is not compared.
        print(json.dumps({"operation": step["operation"], **outcome}, default=str))


main()
