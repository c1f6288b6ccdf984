import { expect, test } from "vitest";
import { type LiveEvent, type ReaderState, readLiveEvents } from "./event-reader";

/** Serves one answer per request and stops after the last. */
async function readAll(answers: readonly (() => Response)[]) {
  const asked: { address: string; accept: string | null }[] = [];
  const events: LiveEvent[] = [];
  const states: ReaderState[] = [];
  const pauses: number[] = [];
  const controller = new AbortController();
  await readLiveEvents({
    accessToken: "token",
    signal: controller.signal,
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    pause: async (milliseconds) => void pauses.push(milliseconds),
    fetch: async (input, init) => {
      asked.push({ address: String(input), accept: new Headers(init?.headers).get("accept") });
      const answer = answers[asked.length - 1];
      if (answer) return answer();
      controller.abort();
      throw new Error("aborted");
    },
  });
  return { asked, events, states, pauses };
}

const stream = (text: string) => () =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });
const json = (body: unknown) => () => Response.json(body);

test("a stream that breaks goes on behind the last position, also one that came without an event", async () => {
  const { asked, events, pauses } = await readAll([
    stream('retry: 2500\nid: a\n\nid: b\nevent: member.joined\ndata: {"id":"1"}\n\nid: c\n\n'),
    stream('id: d\nevent: member.left\ndata: {"id":"2"}\n\n'),
  ]);
  expect(asked.map(({ address }) => address)).toEqual([
    "/api/v1/events",
    "/api/v1/events?after=c",
    "/api/v1/events?after=d",
  ]);
  expect(events.map(({ type }) => type)).toEqual(["member.joined", "member.left"]);
  expect(pauses).toEqual([2_500, 2_500]);
});

test("a reset is shown, and the stream goes on", async () => {
  const { events } = await readAll([stream('id: z\nevent: reset\ndata: {"reason":"too_old"}\n\n')]);
  expect(events).toEqual([expect.objectContaining({ type: "reset", cursor: "z" })]);
});

test("a token that expired ends the reader, with a sentence that says what to do", async () => {
  const { asked, states } = await readAll([
    stream('event: end\ndata: {"reason":"token_expired"}\n\n'),
  ]);
  expect(asked).toHaveLength(1);
  expect(states.at(-1)).toEqual({ kind: "ended", why: "The token expired. Connect again." });
  expect((await readAll([() => new Response(null, { status: 401 })])).states.at(-1)).toMatchObject({
    kind: "ended",
  });
});

test("where only the list is served it is asked with a wait, from when the reader began", async () => {
  const event = { cursor: "k", type: "stocks.tick", id: "1" };
  const { asked, events } = await readAll([
    json({ events: [], cursor: "old" }),
    json({ events: [event], cursor: "k" }),
    json({ events: [], cursor: "l" }),
  ]);
  expect(asked.map(({ accept }) => accept)).toEqual([
    "text/event-stream",
    ...Array(3).fill("application/json"),
  ]);
  expect(asked[1]?.address).toMatch(/^\/api\/v1\/events\?wait=20&since=\d+$/);
  expect(asked[2]?.address).toBe("/api/v1/events?after=k&wait=20");
  expect(events.map(({ type }) => type)).toEqual(["stocks.tick"]);
});

test("a server that is full is asked again after the time that it names", async () => {
  const full = () => new Response(null, { status: 503, headers: { "retry-after": "7" } });
  const { states, pauses } = await readAll([full]);
  expect(pauses[0]).toBe(7_000);
  expect(states.at(-1)).toMatchObject({ kind: "reconnecting" });
});
