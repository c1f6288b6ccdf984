import { hash } from "node:crypto";
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeEach, expect, test } from "vitest";
import { parseTheme, themeCookie } from "#app/_ui/theme.tsx";
import { sharedPageHeader } from "#server/platform/peer-address";
import { testDatabase } from "#server/testing/database";
import { onLoopback } from "#server/testing/on-loopback";
import { testContext } from "#server/testing/test-context";
import { createFront } from "./create-front";

const { ctx, clock } = await testContext({
  database: await testDatabase(),
  settings: { rates: { pages: 100_000 } },
});
const session = "adjutant_session=somebody";

let rendered: IncomingMessage[] = [];
/** Makes shared renderings fail. */
let failing = false;
let waiting: Promise<void> | undefined;

/** The cache has room for two. */
const large = "x".repeat(2_000_000);

/** Echoes its whole request, to detect leaks into the cache. */
const pageOf = ({ url, headers }: IncomingMessage) =>
  `<html><script src="/a.js"></script><script id="x">run(${JSON.stringify(url)})</script>${"–".repeat(500)}` +
  `<p>${headers.cookie ?? "nobody"}</p><script>run("<!--")</script></html>`;

const server = createFront({
  ctx,
  pages: async (request, response) => {
    rendered.push(request);
    await waiting;
    const isShared = request.headers[sharedPageHeader] !== undefined;
    if (request.url === "/docs/cookie") response.setHeader("set-cookie", "a=b");
    response.statusCode = isShared && failing ? 500 : request.url === "/docs/none" ? 404 : 200;
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.setHeader("content-security-policy", "script-src 'none'");
    response.setHeader("cache-control", "no-store");
    response.setHeader("x-request-id", "of the rendering");
    response.end(request.url?.startsWith("/docs/large") ? large : pageOf(request));
  },
  limits: { kept: 5_000_000 },
});
const port = await onLoopback(server, afterAll);

beforeEach(() => {
  // Makes earlier tests' entries stale.
  clock.advance(600);
  [rendered, failing, waiting] = [[], false, undefined];
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { port, host: "127.0.0.1", path, method, headers, agent: false },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part) => parts.push(part));
        answer.once("end", () => {
          const body = Buffer.concat(parts);
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body,
            text: body.toString(),
          });
        });
      },
    );
    sent.once("error", reject).end();
  });
}

test.each(["/", "/docs", "/docs/oauth", "/docs/api/get-user"])(
  "%s is rendered once, in nobody's name, for everybody who is not signed in",
  async (path) => {
    const visitor = {
      cookie: "adjutant_browser=mine; other=x",
      "x-private": "mine",
      "user-agent": "mine",
      host: "odd.test",
    };
    const first = await ask(path, visitor);
    const second = await ask(path);
    expect([first.status, second.status, rendered.length]).toEqual([200, 200, 1]);
    expect(second.text).toBe(first.text);
    expect(JSON.stringify(rendered[0]?.rawHeaders)).not.toMatch(/mine|odd\.test/);
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
    expect(second.headers).toMatchObject({
      "cache-control": "private, no-cache",
      vary: "Cookie, Accept-Encoding",
    });
  },
);

test("HD-03: what a signed-in player is shown is rendered for them alone and is never kept", async () => {
  for (const path of ["/", "/docs"]) {
    const own = await ask(path, { cookie: `a=b; ${session}` });
    expect([own.text, own.headers["cache-control"]]).toEqual([
      expect.stringContaining(session),
      "no-store",
    ]);
    const shared = await ask(path);
    expect(shared.text).toContain("<p>nobody</p>");
    expect((await ask(path, { cookie: session })).text).toContain(session);
    expect((await ask(path)).text).toBe(shared.text);
  }
  expect(rendered.filter(({ headers }) => headers[sharedPageHeader] && headers.cookie)).toEqual([]);
});

test("no visitor can have a page rendered as if it were everybody's", async () => {
  await ask("/sign-in", { [sharedPageHeader]: "1" });
  expect(rendered[0]?.headers).not.toHaveProperty(sharedPageHeader);
});

test("a page is kept in each theme that the pages know", async () => {
  for (const theme of ["light", "dark", "system", "neon", '"><script>'])
    for (let visit = 0; visit < 2; visit++) {
      const { text } = await ask("/", { cookie: `${themeCookie}=${theme}` });
      const kept = parseTheme(theme) === "system" ? "nobody" : `${themeCookie}=${theme}`;
      expect(text).toContain(`<p>${kept}</p>`);
    }
  expect(rendered).toHaveLength(3);
});

test("HD-01: its policy names each inline script by its hash, and nothing else runs", async () => {
  const { text, headers } = await ask("/docs");
  const scripts = [...text.matchAll(/<script(?: id="x")?>(.*?)<\/script>/g)].map(
    ([, script = ""]) => script,
  );
  expect(scripts).toEqual(['run("/docs")', 'run("<!--")']);
  const hashes = scripts.map((script) => `'sha256-${hash("sha256", script, "base64")}'`);
  const policy = headers["content-security-policy"];
  expect(policy).toContain(`; script-src 'self' ${hashes.join(" ")}; style-src 'self'; `);
  expect(policy).toMatch(new RegExp(`form-action 'self' ${ctx.settings.baseUrl}$`));
});

test("it is sent packed to browsers that take it so, and is the same page in each coding", async () => {
  const plain = await ask("/docs");
  const packed = {
    br: await ask("/docs", { "accept-encoding": "gzip, br" }),
    gzip: await ask("/docs", { "accept-encoding": "gzip, br;q=0" }),
  };
  expect(brotliDecompressSync(packed.br.body)).toEqual(plain.body);
  expect(gunzipSync(packed.gzip.body)).toEqual(plain.body);
  for (const [coding, answer] of Object.entries(packed))
    expect(answer.headers).toMatchObject({
      "content-encoding": coding,
      "content-length": String(answer.body.length),
      etag: plain.headers.etag,
    });
});

test("HEAD has the headers of the GET and no body; who has the page already is told that it is the same", async () => {
  const got = await ask("/docs");
  const head = await ask("/docs", {}, "HEAD");
  expect([head.status, head.text, head.headers["content-length"]]).toEqual([
    200,
    "",
    String(got.body.length),
  ]);
  const { etag = "" } = got.headers;
  for (const known of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
    const again = await ask("/docs", { "if-none-match": known });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
    expect(again.headers["content-security-policy"]).toBe(got.headers["content-security-policy"]);
  }
  expect((await ask("/docs", { "if-none-match": '"other"' })).status).toBe(200);
  expect((await ask("/docs", { "if-none-match": etag, cookie: session })).status).toBe(200);
});

test.each([
  ["a query", "/docs?a=b", {}],
  ["a part of a page", "/docs", { rsc: "1" }],
  ["another page", "/sign-in", {}],
  ["another spelling", "/docs/", {}],
  ["an escape", "/docs/%6Fauth", {}],
])("%s is rendered for each visitor", async (_, path, headers) => {
  await ask(path, headers);
  await ask(path, headers);
  expect(rendered.map((request) => request.headers[sharedPageHeader])).toEqual([
    undefined,
    undefined,
  ]);
});

test("a page that is not there is not kept, since anybody could name any number of them", async () => {
  expect([
    (await ask("/docs/none")).status,
    (await ask("/docs/none")).status,
    rendered.length,
  ]).toEqual([404, 404, 2]);
});

test("a rendering that fails, or sets a cookie, is nobody's but the visitor's own", async () => {
  failing = true;
  for (let visit = 0; visit < 2; visit++)
    expect((await ask("/docs/fails")).headers["cache-control"]).toBe("no-store");
  failing = false;
  expect((await ask("/docs/fails")).headers["cache-control"]).toBe("private, no-cache");
  await ask("/docs/cookie");
  expect((await ask("/docs/cookie")).headers["cache-control"]).toBe("no-store");
});

test("visitors who come while it is rendered share that one rendering", async () => {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  waiting = promise;
  const visits = Array.from({ length: 4 }, () => ask("/docs"));
  await expect.poll(() => rendered.length).toBe(1);
  goOn();
  expect((await Promise.all(visits)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(rendered).toHaveLength(1);
});

test("a page is rendered again after five minutes", async () => {
  await ask("/docs");
  clock.advance(299);
  await ask("/docs");
  expect(rendered).toHaveLength(1);
  clock.advance(2);
  await ask("/docs");
  expect(rendered).toHaveLength(2);
});

test("what is kept is bounded: the page that was asked for longest ago goes", async () => {
  for (const page of ["1", "2", "1", "3", "1", "2"]) await ask(`/docs/large-${page}`);
  expect(rendered.map(({ url }) => url)).toEqual([
    "/docs/large-1",
    "/docs/large-2",
    "/docs/large-3",
    "/docs/large-2",
  ]);
});
