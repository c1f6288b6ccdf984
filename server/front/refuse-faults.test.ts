import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { onLoopback } from "#server/testing/on-loopback";
import { replaceServerError } from "./refuse-faults";

let close = () => {};
afterEach(() => close());

/** With a known or unknown fault of the page. */
async function ask(
  page: (response: ServerResponse, request: IncomingMessage) => void,
  known = true,
) {
  let refusals = 0;
  const server = createServer((request, response) => {
    response.setHeader("X-Content-Type-Options", "nosniff");
    replaceServerError(
      response,
      () => known,
      () => {
        refusals += 1;
        response.writeHead(503, { "Retry-After": "5", "Content-Type": "text/plain" });
        response.end("The database does not answer.\n");
      },
    );
    page(response, request);
  });
  const port = await onLoopback(server, (end) => {
    close = end;
  });
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  return { status: answer.status, headers: answer.headers, text: await answer.text(), refusals };
}

const faults: [string, (response: ServerResponse) => void][] = [
  [
    "by writeHead and end",
    (response) => response.writeHead(500, { "X-Of-The-Page": "1" }).end("a fault"),
  ],
  [
    "by statusCode and end",
    (response) => Object.assign(response, { statusCode: 500 }).end("a fault"),
  ],
  [
    "by a stream that is written piece by piece",
    (response) => {
      response.statusCode = 502;
      response.setHeader("Content-Encoding", "gzip");
      const packed = createGzip();
      packed.pipe(response);
      packed.end("a fault");
    },
  ],
  [
    "by headers that are sent before anything else",
    (response) => {
      response.statusCode = 500;
      response.flushHeaders();
      response.write("a ");
      response.end("fault");
    },
  ],
];

test.each(faults)(
  "a page that fails %s while the reason is known is answered once, with the refusal alone",
  async (_, page) => {
    const { status, headers, text, refusals } = await ask(page);
    expect([status, text, refusals]).toEqual([503, "The database does not answer.\n", 1]);
    expect([headers.get("retry-after"), headers.get("content-type")]).toEqual(["5", "text/plain"]);
    // The front's headers stay; the page's are dropped.
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect([headers.get("content-encoding"), headers.get("x-of-the-page")]).toEqual([null, null]);
  },
);

test.each(faults.slice(0, 2))(
  "a page that fails %s for an unknown reason is answered as it says",
  async (_, page) => {
    expect(await ask(page, false)).toMatchObject({ status: 500, text: "a fault", refusals: 0 });
  },
);

test("a page that does not fail is answered as it says, whatever is known", async () => {
  const page = (response: ServerResponse) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.write("a ");
    response.end("page");
  };
  expect(await ask(page)).toMatchObject({ status: 200, text: "a page", refusals: 0 });
});

test("a page whose answer has begun goes on, though its status is changed afterwards", async () => {
  const { status, text, refusals } = await ask((response) => {
    response.write("begun, ");
    response.statusCode = 500;
    response.end("ended");
  });
  expect([status, text, refusals]).toEqual([200, "begun, ended", 0]);
});
