import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { routes } from "#server/routes";
import { describeEndpoint } from "./describe-endpoint";
import { endpointSamples } from "./endpoint-samples";

// Runs each sample as a reader would, against a recording server.

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly key: string | undefined;
  readonly body: string;
}

const run = promisify(execFile);
const token = "the-token-of-a-reader";
let received: Received[] = [];
beforeEach(() => {
  received = [];
});

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    const { method, url, headers } = request;
    const { authorization, "content-type": type, "idempotency-key": key } = headers;
    received.push({ method, url, authorization, type, key: key?.toString(), body });
    if (method === "DELETE") response.writeHead(204).end();
    else response.writeHead(200, { "content-type": "application/json" }).end('{"read":true}');
  });
});
const origin = `http://127.0.0.1:${await onLoopback(server, afterAll)}`;

const folder = await mkdtemp(path.join(tmpdir(), "endpoint-samples-"));
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

// A stub of the library's functions in the samples, if it is not installed.
const requests = `
import json as _json, urllib.request
class _Answer:
    def __init__(self, text): self.text = text
    def json(self): return _json.loads(self.text)
    def raise_for_status(self): pass
def _send(method, url, headers, timeout, json=None):
    sent = None if json is None else _json.dumps(json).encode()
    headers = {**headers, **({} if sent is None else {"Content-Type": "application/json"})}
    with urllib.request.urlopen(urllib.request.Request(url, sent, headers, method=method), timeout=timeout) as got:
        return _Answer(got.read().decode())
for _method in ("get", "post", "put", "patch", "delete"):
    globals()[_method] = lambda url, _method=_method.upper(), **more: _send(_method, url, **more)
`;

import { onLoopback } from "#server/testing/on-loopback";

await writeFile(path.join(folder, "requests.py"), requests);
const hasPython = await run("python3", ["--version"]).then(
  () => true,
  () => false,
);

const uuidgen = `command -v uuidgen > /dev/null || uuidgen() { cat /proc/sys/kernel/random/uuid; }`;
/** Inserts the token where a sample expects it; the last output line is the answer. */
const runners: Record<string, (code: string) => Promise<string>> = {
  curl: async (code) =>
    (
      await run("bash", ["-euc", `${uuidgen}\n${code}`], {
        env: { ...process.env, ACCESS_TOKEN: token },
      })
    ).stdout,
  TypeScript: async (code) => {
    const script = `const accessToken: string = "${token}";\n${code}\nconsole.log(JSON.stringify(globalThis.answer ?? null));`;
    const read = script.replace("const answer =", "globalThis.answer =");
    const { code: plain } = await transform(read, { loader: "ts", format: "esm" });
    return (await run("node", ["--input-type=module", "-e", plain])).stdout;
  },
  Python: async (code) => {
    const script = `access_token = "${token}"\n${code}\nimport json\nprint(json.dumps(globals().get("answer")))`;
    return (await run("python3", ["-c", script], { env: { ...process.env, PYTHONPATH: folder } }))
      .stdout;
  },
};

type SampledCall = Parameters<typeof endpointSamples>[0];

/** One endpoint per sample shape is run. */
const shapeOf = ({ method, body, idempotent, answers }: SampledCall) =>
  [method, body !== undefined, idempotent ?? false, answers].join(" ");
const ofTable = routes.map((endpoint): [string, SampledCall] => {
  const { exampleUrl, body } = describeEndpoint(endpoint, origin);
  const { method, idempotent, returns } = endpoint;
  return [
    endpoint.title,
    { method, url: exampleUrl, body: body?.example, idempotent, answers: returns !== undefined },
  ];
});

const ofEachShape = [...new Map(ofTable.map((row) => [shapeOf(row[1]), row])).values()];

const words = {
  text: 'it\'s true, "null" or false',
  yes: true,
  no: false,
  none: null,
  list: [1, 2],
  of: { a: "é\\n" },
};
const odd: [string, SampledCall][] = [
  [
    "a body of quotes, words of the languages, and nested values",
    {
      method: "PUT",
      url: `${origin}/x?a=1&b=2`,
      body: JSON.stringify(words, null, 2),
      answers: true,
    },
  ],
];

describe.each([...ofEachShape, ...odd])("the samples of %s", (_title, subject) => {
  const samples = endpointSamples(subject);
  test.each(samples.filter(({ label }) => hasPython || label !== "Python"))(
    "in $label make the call that is described",
    async ({ label, code }) => {
      const shown = (await runners[label]?.(code))?.trim();
      const sendsBody = subject.method !== "GET" && subject.body !== undefined;
      expect(received).toEqual([
        {
          method: subject.method,
          url: subject.url.slice(origin.length),
          authorization: `Bearer ${token}`,
          type: sendsBody ? "application/json" : undefined,
          key: subject.idempotent ? expect.stringMatching(/^[0-9a-f-]{36}$/) : undefined,
          body: expect.any(String),
        },
      ]);
      const { body = "" } = received[0] ?? {};
      expect(body === "" ? undefined : JSON.parse(body)).toEqual(
        sendsBody ? JSON.parse(subject.body ?? "") : undefined,
      );
      if (subject.answers) expect(JSON.parse(shown ?? "")).toEqual({ read: true });
    },
  );

  test("come in three languages", () => {
    expect(samples.map(({ label }) => label)).toEqual(["curl", "TypeScript", "Python"]);
  });
});
