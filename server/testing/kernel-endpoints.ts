import { z } from "zod";
import { InsufficientVaultBalance } from "#server/failures";
import { gameCallError } from "#server/game/game-call-error";
import { secondMs, toUnixSeconds } from "#server/platform/time";
import { defineEndpoint, reply } from "#server/rest/endpoint";
import {
  queryBoolean,
  queryInteger,
  Snowflake,
  snowflakeCodec,
  UnixSeconds,
} from "#server/rest/shapes";

export const unixSeconds = z.codec(UnixSeconds, z.date(), {
  decode: (seconds) => new Date(seconds * secondMs),
  encode: toUnixSeconds,
});

const given = { description: "", tag: "Test", scopes: [], fails: [] };
/** Must appear in no answer and no log line, because no endpoint declares it. */
export const undeclared = "very-secret";

const Thing = z.object({ id: Snowflake, at: UnixSeconds.nullable(), name: z.string() });
const chat = 1_234_567_890_123_456_789n;

const show = defineEndpoint({
  ...given,
  method: "GET",
  path: "/thing/<int:thing_id>",
  title: "Show",
  did: "Tried",
  scopes: ["identity"],
  query: z.object({
    limit: queryInteger({ min: 1, max: 100 }).default(100),
    deep: queryBoolean.default(false),
  }),
  returns: Thing,
  handle: ({ ctx, params, query }) => {
    const record = {
      id: chat,
      at: toUnixSeconds(ctx.now()),
      name: `${params.thing_id} ${query.limit} ${query.deep}`,
      undeclared,
    };
    return record;
  },
});
const make = defineEndpoint({
  ...given,
  method: "POST",
  path: "/thing/<int:thing_id>",
  title: "Make",
  did: "Tried",
  scopes: ["faction:banking"],
  body: z.object({
    id: snowflakeCodec,
    until: unixSeconds.nullable().default(null),
    note: z.string().max(100).default(""),
  }),
  returns: Thing,
  handle: ({ body }) => ({ id: body.id, at: toUnixSeconds(body.until), name: body.note }),
});
const remove = defineEndpoint({
  ...given,
  method: "DELETE",
  path: "/thing/<int:thing_id>",
  title: "Remove",
  did: "Tried",
  handle: () => {},
});
const list = defineEndpoint({
  ...given,
  method: "GET",
  path: "/things",
  title: "List",
  did: "Tried",
  etag: true,
  query: z.object({ before: queryInteger({ min: 0, max: 1_000 }).optional() }),
  returns: z.array(z.string()),
  handle: ({ query }) => reply([`before ${query.before ?? "now"}`], { next: { before: 5 } }),
});
const kept = defineEndpoint({
  ...given,
  method: "GET",
  path: "/kept",
  title: "Kept",
  did: "Tried",
  cache: { seconds: 3_600 },
  etag: true,
  returns: z.number(),
  handle: ({ ctx }) => toUnixSeconds(ctx.now()),
});
const few = defineEndpoint({
  ...given,
  method: "POST",
  path: "/few",
  title: "Few",
  did: "Tried",
  limit: { policy: "few", setting: "chainList" },
  handle: () => {},
});
const old = defineEndpoint({
  ...given,
  method: "GET",
  path: "/old",
  title: "Old",
  did: "Tried",
  deprecated: {
    since: new Date("2026-01-01"),
    sunset: new Date("2027-12-31T23:59:59Z"),
    link: "/docs/old",
  },
  handle: () => {},
});
const getWithBody = defineEndpoint({
  ...given,
  method: "GET",
  path: "/delays",
  title: "Delays",
  did: "Tried",
  body: z.object({ limit: z.int().default(100) }).prefault({}),
  returns: z.int(),
  handle: ({ body }) => body.limit,
});
const broken = defineEndpoint({
  ...given,
  method: "GET",
  path: "/broken/<how>",
  title: "Broken",
  did: "Tried",
  returns: z.int(),
  handle: ({ params }) => {
    if (params.how === "database")
      throw Object.assign(new Error("x"), { code: "CONNECTION_CLOSED" });
    if (params.how === "game") throw gameCallError({ kind: "timeout", detail: "user/1/profile" });
    if (params.how === "rule")
      throw InsufficientVaultBalance.because({ details: { message: "12 are missing" } });
    if (params.how === "record") return "not an integer" as unknown as number;
    throw Object.assign(new Error(`Failed query, params: ${undeclared}`), {
      query: "select $1",
      params: [undeclared],
    });
  },
});

export const kernelEndpoints = [show, make, remove, list, kept, few, old, getWithBody, broken];
