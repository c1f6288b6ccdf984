import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"]  # begins with whsec_
seen = set()  # Keep these ids for eight days, in your database.


def read_event(headers, body):
    """The event; ValueError where the signature is wrong or old. `body` are the bytes as they came."""
    message_id, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(sent or 0)) > 300:
        raise ValueError("more than five minutes off")
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = f"{message_id}.{sent}.".encode() + body
    right = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # Two signatures stand there while a secret is being rotated.
    given = (headers["webhook-signature"] or "").encode().split()
    if not any(hmac.compare_digest(right, one) for one in given):
        raise ValueError("wrong signature")
    return json.loads(body)


def on_event(event):
    print(event["type"], event["id"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"] or 0))
        try:
            event = read_event(self.headers, body)
        except ValueError:
            return self.answer(401)
        if event["type"] == "endpoint.verify":
            return self.answer(200, event["data"]["code"].encode())
        self.answer(204)
        if event["id"] not in seen:
            seen.add(event["id"])
            on_event(event)

    def answer(self, status, body=b""):
        self.send_response(status)
        if body:
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
    print("listening on", server.server_port, flush=True)
    server.serve_forever()
