import type { Fault } from "./faults";

const sentences: Readonly<Record<number, string>> = {
  0: "Unknown error",
  1: "Key is empty",
  2: "Incorrect key",
  3: "Wrong type",
  4: "Wrong fields",
  5: "Too many requests",
  6: "Incorrect ID",
  7: "Incorrect ID-entity relation",
  8: "IP block",
  9: "API disabled",
  10: "Key owner is in federal jail",
  11: "Key change error",
  12: "Key read error",
  13: "The key is temporarily disabled due to owner inactivity",
  14: "Daily read limit reached",
  15: "Temporary error",
  16: "Access level of this key is not high enough",
  17: "Backend error occurred, please try again",
  18: "API key has been paused by the owner",
  19: "Must be migrated to crimes 2.0",
  20: "Race not yet finished",
  21: "Incorrect category",
  22: "This selection is only available in API v1",
  23: "This selection is only available in API v2",
  24: "Closed temporarily",
  25: "Invalid stat requested",
  26: "Only category or stats can be requested",
  27: "Must be migrated to organized crimes 2.0",
};

/** Sent with HTTP 200. */
export const errorBody = (code: number): string =>
  JSON.stringify({ error: { code, error: sentences[code] ?? "Unknown error" } });

const hugeMegabytes = 50;

export const jsonResponse = (body: BodyInit | null) =>
  new Response(body, { headers: { "content-type": "application/json" } });

/** HTML where JSON was expected. */
export const htmlResponse = (status: number) =>
  new Response(
    `<!DOCTYPE html><html><head><title>${status}</title></head><body>Just a moment...</body></html>`,
    {
      status,
      headers: { "content-type": "text/html; charset=UTF-8" },
    },
  );

/** Generated lazily, so that only the reader's memory is at risk. */
function endless(): ReadableStream<Uint8Array> {
  const text = new TextEncoder();
  const block = text.encode('{"id":1},'.repeat(116_509));
  let sent = 0;
  return new ReadableStream({
    start: (stream) => stream.enqueue(text.encode('{"members":[')),
    pull: (stream) => {
      sent += 1;
      if (sent <= hugeMegabytes) stream.enqueue(block);
      else stream.close();
    },
  });
}

function otherTypes(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, otherTypes(inner)]),
  );
}

/** Null if the fault only delays. A dropped call throws as `fetch` does. */
export function faultResponse(fault: Fault, trueAnswer: () => string): Response | null {
  if (fault.drop) throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
  if (fault.redirect)
    return new Response(null, { status: 302, headers: { location: fault.redirect } });
  if (fault.cloudflare) return htmlResponse(403);
  if (fault.http !== undefined) return htmlResponse(fault.http);
  if (fault.code !== undefined) return jsonResponse(errorBody(fault.code));
  if (fault.malformed) return jsonResponse('{"profile": {"id": 12,, oops');
  if (fault.empty) return jsonResponse(null);
  if (fault.huge) return jsonResponse(endless());
  if (fault.encoding)
    return jsonResponse(
      new Uint8Array([...new TextEncoder().encode('{"profile":{"name":"'), 0xc3, 0x28, 0xff]),
    );
  if (fault.wrongTypes) return jsonResponse(JSON.stringify(otherTypes(JSON.parse(trueAnswer()))));
  if (fault.truncate) {
    const text = trueAnswer();
    return jsonResponse(text.slice(0, Math.floor(text.length / 2)));
  }
  return null;
}
