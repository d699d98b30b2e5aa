"""Runs one Python tool file in a process of its own.

Speaks to the app in lines of JSON over the standard streams as they are at the start. After that, whatever the tool
prints goes to the error stream, and whatever it reads is empty, so that neither is taken for a message.
"""

import asyncio
import importlib.util
import inspect
import json
import os
import sys
import threading
import traceback

if sys.version_info < (3, 10):
    sys.stderr.write("Python 3.10 or newer is needed\n")
    sys.exit(78)

_OUT = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
_IN = os.fdopen(os.dup(0), "r", encoding="utf-8", errors="replace")
os.dup2(2, 1)
_NOTHING = os.open(os.devnull, os.O_RDONLY)
os.dup2(_NOTHING, 0)
sys.stdout = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="replace", buffering=1)
sys.stdin = open(0, encoding="utf-8", closefd=False)

_LOCK = threading.Lock()

# Bytes of address space: a tool that runs away ends itself rather than the computer.
_MOST_MEMORY = 8 * 1024**3


def post(message):
    """Sends one message; what JSON cannot hold raises before a byte has left."""
    line = json.dumps(message, ensure_ascii=True, allow_nan=False)
    with _LOCK:
        _OUT.write(line + "\n")
        _OUT.flush()


def limit_memory():
    try:
        import resource
    except ImportError:
        return
    if sys.platform == "darwin":
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def load(path):
    """The tools of a file: one object of every concrete Tool class that is defined in it."""
    from reachy_mini_conversation_app.tools.core_tools import Tool

    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("the file is no Python module")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    classes = [
        found
        for _, found in inspect.getmembers(module, inspect.isclass)
        if issubclass(found, Tool) and found.__module__ == name and not inspect.isabstract(found)
    ]
    if not classes:
        raise ValueError("it defines no Tool that can be created")
    return [found() for found in classes]


def describe(tool):
    return {
        "name": str(tool.name),
        "description": str(tool.description),
        "parameters": tool.parameters_schema,
    }


async def run(tool, deps, message, tasks):
    call = message["id"]
    try:
        value = await tool(deps, **message["arguments"])
    except asyncio.CancelledError:
        value = {"error": "Tool cancelled"}
    except BaseException as error:  # A tool may raise anything, SystemExit too.
        traceback.print_exc()
        value = {"error": (str(error) or type(error).__name__)[:4000]}
    finally:
        tasks.pop(call, None)
    try:
        post({"type": "result", "id": call, "value": value})
    except (TypeError, ValueError) as error:
        post({"type": "error", "id": call, "kind": "bad-answer", "reason": str(error)[:500]})


async def serve(tools):
    from reachy_mini_conversation_app.tools.core_tools import ToolDependencies

    loop = asyncio.get_running_loop()
    messages = asyncio.Queue()

    def read():
        for line in _IN:
            loop.call_soon_threadsafe(messages.put_nowait, line)
        # The app is gone: a call that still runs has nobody to answer.
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    deps = ToolDependencies()
    tasks = {}
    while True:
        message = json.loads(await messages.get())
        if message["type"] == "call":
            tool = tools.get(message["member"])
            if tool is None:
                post({"type": "error", "id": message["id"], "kind": "failed", "reason": "no such tool"})
                continue
            tasks[message["id"]] = asyncio.create_task(run(tool, deps, message, tasks))
        elif message["type"] == "cancel" and message["id"] in tasks:
            tasks[message["id"]].cancel()


def main():
    limit_memory()
    try:
        found = load(sys.argv[1])
        members = [describe(tool) for tool in found]
        tools = {str(tool.name): tool for tool in found}
        post({"type": "ready", "members": members})
    except BaseException as error:  # An import may raise anything, SystemExit too.
        traceback.print_exc()
        post({"type": "failed", "reason": f"{type(error).__name__}: {error}"[:500]})
        return
    asyncio.run(serve(tools))


main()
