"""Reads events with Python 3.9 and nothing else: read_events(url, lambda: access_token, print)"""
import http.client
import json
import time
import urllib.error
import urllib.request

def read_events(url, token, hear, position=None, keep=lambda position: None, query=""):
    """`token` is asked before each connection. Store what `keep` is given, and pass it as `position` the next time."""
    retry = 5.0
    while True:
        headers = {"Accept": "text/event-stream", "Authorization": f"Bearer {token()}"}
        if position:
            headers["Last-Event-ID"] = position
        try:
            request = urllib.request.Request(f"{url}/api/v1/events{query}", headers=headers)
            # Something comes every 15 seconds. What is silent for a minute is dead.
            with urllib.request.urlopen(request, timeout=60) as answer:
                frame = {}
                for line in answer:
                    name, _, value = line.decode().rstrip("\n").partition(": ")
                    if name:
                        frame[name] = value
                        continue
                    retry = float(frame.get("retry", retry * 1000)) / 1000
                    kind, data = frame.get("event"), json.loads(frame.get("data", "null"))
                    # You may be told the same event again after a break: remember the ids of a week.
                    if data is not None and kind != "end":
                        hear(data, kind)
                    position = frame.get("id", position)
                    keep(position)  # Only now: what `hear` did not finish is told again.
                    if kind == "end" and data["reason"] in ("revoked", "paused", "suspended"):
                        return data
                    frame = {}
        except urllib.error.HTTPError as error:
            if error.code in (400, 401, 403):
                return json.load(error)
        except (OSError, http.client.HTTPException) as error:
            print("The stream of events broke off:", error)
        time.sleep(retry)
