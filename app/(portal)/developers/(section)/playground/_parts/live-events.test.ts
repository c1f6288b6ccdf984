import { expect, test } from "vitest";
import { type PollResult, pollEvents } from "./live-events";

/** Serves one answer per request and stops after the last. */
async function readAll(answers: readonly (() => Response)[]) {
  const asked: string[] = [];
  const read: PollResult[] = [];
  const controller = new AbortController();
  const send: typeof fetch = async (input) => {
    asked.push(String(input));
    const answer = answers[asked.length - 1];
    if (answer) return answer();
    controller.abort();
    throw new Error("aborted");
  };
  for await (const polled of pollEvents("token", controller.signal, send)) read.push(polled);
  return { asked, read };
}

const page = (cursor: string, ...types: string[]) => {
  const events = types.map((type) => ({ type, cursor }));
  return () => Response.json({ events, cursor });
};

test("events are asked from when the reader began, then behind the last position with a wait", async () => {
  const { asked, read } = await readAll([
    page("a"),
    page("b", "member.joined", "member.left"),
    () => Response.error(),
    page("c"),
  ]);
  expect(asked[0]).toMatch(/^\/api\/v1\/events\?since=\d+$/);
  expect(asked.slice(1)).toEqual([
    "/api/v1/events?after=a&wait=20",
    "/api/v1/events?after=b&wait=20",
    "/api/v1/events?after=b&wait=20",
    "/api/v1/events?after=c&wait=20",
  ]);
  expect(read[1]?.events.map(({ type }) => type)).toEqual(["member.joined", "member.left"]);
  expect(read.slice(0, 4).map(({ kind }) => kind)).toEqual([
    "live",
    "live",
    "reconnecting",
    "live",
  ]);
});

test("a token that is refused ends the reader, in the API's words", async () => {
  for (const status of [401, 403]) {
    const message = "The access token is unknown, expired or revoked.";
    const { asked, read } = await readAll([() => Response.json({ message }, { status })]);
    expect(asked).toHaveLength(1);
    expect(read).toMatchObject([{ kind: "ended", why: message }]);
  }
});

test("a server that is full is asked again after the time that it names", async () => {
  const full = { status: 503, headers: { "retry-after": "7" } };
  const { read } = await readAll([() => Response.json({ message: "Full." }, full)]);
  expect(read[0]).toMatchObject({ kind: "reconnecting", why: "Full.", pause: 7_000 });
});
