"""A server that speaks the protocol of language models over real HTTP, with a model behind it that is a function: for tests of the real client.

It can refuse ways of asking, keys and models, answer with errors, or hang; and it keeps every request.
"""

import json
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "tide-7b"
KEY = "sk-harbour-0123456789"

Facts = list[dict[str, object]]
Model = Callable[[str], str]
"""From the request of the user to what the model says."""

_BLOCK = re.compile(r"^<<<(?P<code>\w+) (?P<name>b\d+)\n(?P<text>.*?)\n(?P=code)>>>$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Reply:
    """An answer out of turn: a status with headers and a text, after a pause."""

    status: int = 200
    text: str = "{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0.0


@dataclass(frozen=True)
class Asked:
    """One request of a completion, as it came."""

    body: dict[str, Any]
    authorization: str

    @property
    def rung(self) -> str:
        return str(self.body.get("response_format", {}).get("type", "prompt"))

    @property
    def told(self) -> str:
        return "\n".join(turn["content"] for turn in self.body["messages"])

    @property
    def blocks(self) -> dict[str, str]:
        return blocks_of(self.body["messages"][1]["content"])


def blocks_of(request: str) -> dict[str, str]:
    """Return the blocks of a request by their ids."""
    return {found["name"]: found["text"] for found in _BLOCK.finditer(request)}


def stated(quote: str, subject: str, predicate: str, value: str, **others: object) -> dict[str, object]:
    """Return a fact as a model writes it."""
    fact = {"quote": quote, "subject": subject, "predicate": predicate, "object": value, "kind": "relation", "negated": False}
    return {**fact, "start": "", "end": "", "qualifiers": [], "confidence": 0.95, **others}


def answer(facts: Mapping[str, Sequence[Mapping[str, object]]]) -> str:
    """Return an answer with the facts of each block."""
    return json.dumps({"blocks": [{"block": name, "facts": list(some)} for name, some in facts.items()]})


def knowing(facts: Mapping[str, Facts]) -> Model:
    """Return a model that states given facts of the blocks that hold a given text."""

    def model(request: str) -> str:
        return answer({name: [fact for text, some in facts.items() if text in block for fact in some] for name, block in blocks_of(request).items()})

    return model


class ModelServer:
    """The server. `takes` are the response formats that it knows; `takes_limit` the name of the bound; `replies` come before the model."""

    def __init__(self, model: Model | None = None) -> None:
        self.model = model or knowing({})
        self.takes = {"json_schema", "json_object"}
        self.takes_limit = "max_tokens"
        self.takes_temperature = True
        self.refusal = 400
        self.key = ""
        self.lists = True
        self.counts = True
        self.serves = {MODEL}
        self.finish = "stop"
        self.pause = 0.0
        self.replies: deque[Reply] = deque()
        self.asked: list[Asked] = []
        self.at_once = self._under_way = 0
        self.lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (_Protocol,), {"owner": self}))
        self._server.daemon_threads = True

    def __enter__(self) -> "ModelServer":
        threading.Thread(target=lambda: self._server.serve_forever(0.02), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def rungs(self) -> list[str]:
        return [asked.rung for asked in self.asked]

    def came(self, asked: Asked) -> None:
        with self.lock:
            self.asked.append(asked)
            self._under_way += 1
            self.at_once = max(self.at_once, self._under_way)

    def went(self) -> None:
        with self.lock:
            self._under_way -= 1

    def next_reply(self) -> Reply | None:
        with self.lock:
            return self.replies.popleft() if self.replies else None

    def fault(self, asked: Asked) -> Reply | None:
        """Return what is wrong with a request."""
        if self.key and asked.authorization != f"Bearer {self.key}":
            return _error(401, f"Incorrect API key provided: {asked.authorization.removeprefix('Bearer ')}")
        if asked.body.get("model") not in self.serves:
            return _error(404, f"The model {asked.body.get('model')!r} does not exist")
        if asked.rung != "prompt" and asked.rung not in self.takes:
            return _error(self.refusal, f"'response_format' of type {asked.rung!r} is not supported", "response_format")
        for name in ("max_tokens", "max_completion_tokens"):
            if name in asked.body and name != self.takes_limit:
                return _error(400, f"Unsupported parameter: {name!r}. Use {self.takes_limit!r} instead.", name)
        if "temperature" in asked.body and not self.takes_temperature:
            return _error(400, "Unsupported value: 'temperature' does not support 0", "temperature")
        return None


def _error(status: int, message: str, param: str | None = None) -> Reply:
    return Reply(status, json.dumps({"error": {"message": message, "type": "invalid_request_error", "param": param, "code": None}}))


class _Protocol(BaseHTTPRequestHandler):
    """The protocol, over one connection."""

    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        owner = self.owner
        if owner.key and self.headers.get("Authorization") != f"Bearer {owner.key}":
            self._send(_error(401, f"Incorrect API key provided: {self.headers.get('Authorization')}"))
        elif self.path != "/v1/models" or not owner.lists:
            self._send(_error(404, "no such page"))
        else:
            models = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in sorted(owner.serves)]
            self._send(Reply(text=json.dumps({"object": "list", "data": models})))

    def do_POST(self) -> None:
        owner = self.owner
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = Asked(body, self.headers.get("Authorization", ""))
        owner.came(asked)
        try:
            reply = owner.next_reply()
            time.sleep(reply.pause if reply else owner.pause)
            self._send(reply or owner.fault(asked) or self._completion(asked))
        except OSError:
            pass  # the client has lost its patience
        finally:
            owner.went()

    def _completion(self, asked: Asked) -> Reply:
        said = self.owner.model("\n".join(turn["content"] for turn in asked.body["messages"] if turn["role"] == "user"))
        choice = {"index": 0, "finish_reason": self.owner.finish, "message": {"role": "assistant", "content": said}}
        usage = {"prompt_tokens": len(asked.told) // 4, "completion_tokens": len(said) // 4, "total_tokens": (len(asked.told) + len(said)) // 4}
        whole = {"id": "1", "object": "chat.completion", "created": 0, "model": asked.body["model"], "choices": [choice]}
        return Reply(text=json.dumps({**whole, **({"usage": usage} if self.owner.counts else {})}))

    def _send(self, reply: Reply) -> None:
        raw = reply.text.encode()
        self.send_response(reply.status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(raw)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
