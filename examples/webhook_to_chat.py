"""Receives Triptych's webhooks, checks their signature, and posts one message per finished run to a chat platform.

Only the standard library. Start it on this computer, and add its address in Triptych:

    WEBHOOK_SECRET=… CHAT_KIND=slack CHAT_URL=… python examples/webhook_to_chat.py 8765
    triptych webhooks add http://127.0.0.1:8765/ --events loop_end,loop_error

CHAT_KIND is slack, feishu, dingtalk or wecom; CHAT_URL the address of that platform's incoming webhook. CHAT_SECRET is
the signing secret of Feishu and DingTalk, where the robot was made with one.
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.parse
import urllib.request
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LONGEST = 3_000
OLDEST = 300
"""Seconds after which a signed message is taken for a replay."""
SEEN: "OrderedDict[str, None]" = OrderedDict()


def is_signed(body: bytes, header: str, secret: str, now: float) -> bool:
    fields = dict(part.partition("=")[::2] for part in header.split(","))
    stamp = fields.get("t", "")
    if not stamp.isdecimal() or abs(now - int(stamp)) > OLDEST:
        return False
    expected = hmac.new(secret.encode(), stamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, fields.get("v1", ""))


def text_of(message: dict[str, Any]) -> str:
    if message["event"] == "loop_end":
        return f"{message['agent']}: {message['answer']}"[:LONGEST]
    if message["event"] == "loop_error":
        return f"{message['agent']}: {message['error']['code']} – {message['error']['message']}"[:LONGEST]
    if message["event"] == "approval":
        return f"{message['agent']}: {message['text'].get('en') or message['tool']}"[:LONGEST]
    return str(message.get("answer", message["event"]))


def request_of(kind: str, url: str, text: str, secret: str, now: float) -> tuple[str, dict[str, Any]]:
    """The address and body that the platform's documentation asks for."""
    if kind == "slack":
        return url, {"text": text}
    if kind == "feishu":
        body: dict[str, Any] = {"msg_type": "text", "content": {"text": text}}
        if secret:
            key = f"{int(now)}\n{secret}".encode()
            sign = base64.b64encode(hmac.new(key, b"", hashlib.sha256).digest()).decode()
            body = {"timestamp": str(int(now)), "sign": sign, **body}
        return url, body
    if kind in ("dingtalk", "wecom"):
        if kind == "dingtalk" and secret:
            stamp = str(round(now * 1000))
            digest = hmac.new(secret.encode(), f"{stamp}\n{secret}".encode(), hashlib.sha256).digest()
            query = urllib.parse.urlencode({"timestamp": stamp, "sign": base64.b64encode(digest).decode()})
            url += ("&" if "?" in url else "?") + query
        return url, {"msgtype": "text", "text": {"content": text}}
    raise SystemExit(f"CHAT_KIND is slack, feishu, dingtalk or wecom, not {kind!r}")


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1_000_000))
        signature = self.headers.get("X-Triptych-Signature", "")
        if not is_signed(body, signature, os.environ["WEBHOOK_SECRET"], time.time()):
            self.answer(401)
            return
        delivery = self.headers.get("X-Triptych-Delivery", "")
        if delivery in SEEN:  # sent a second time: it was taken before
            self.answer(200)
            return
        kind, secret = os.environ.get("CHAT_KIND", "slack"), os.environ.get("CHAT_SECRET", "")
        url, message = request_of(kind, os.environ["CHAT_URL"], text_of(json.loads(body)), secret, time.time())
        request = urllib.request.Request(url, json.dumps(message).encode(), {"Content-Type": "application/json"})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=10) as reply:  # noqa: S310 - typed by the person
                is_taken = 200 <= reply.status < 300
        except OSError:
            is_taken = False
        if is_taken:
            SEEN[delivery] = None
            while len(SEEN) > 1_000:
                SEEN.popitem(last=False)
        self.answer(200 if is_taken else 502)  # Triptych tries again later

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
