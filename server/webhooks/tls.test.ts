import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import path from "node:path";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { minuteMs } from "#server/platform/time";
import { endpointNetwork } from "#server/testing/endpoint-network";
import { untilClosed } from "#server/testing/raw-http";
import { plainAnswer, type RawReceiver, rawReceiver } from "#server/testing/raw-receiver";
import { type AttemptFailure, failureSentences, type ShownFailure } from "./attempt";

const { dns, receiver, network, send, certify, authorityFile } = await endpointNetwork();
const yesterday = new Date(Date.now() - minuteMs);

beforeEach(() => {
  dns.answer((_name, type) => (type === "A" ? ["127.0.0.2"] : []));
  receiver.behave((socket) => socket.end(plainAnswer));
});

/** Redirects the connection; the address is checked all the same. */
const at = (port: number): { network: Pick<typeof network, "connect"> } => ({
  network: { connect: ({ host }) => connect({ host, port }) },
});
const bare = async (certificate?: { key: string; certificate: string }): Promise<RawReceiver> =>
  rawReceiver({ host: "127.0.0.2", ...(certificate && { certificate }) });

test("the connection goes to the checked address, asks for the host of the URL by name, and verifies that name", async () => {
  const own = await bare(await certify("hooks.test"));
  let asked: string | false | null | undefined;
  let address: string | undefined;
  own.behave((socket) => {
    asked = (socket as TLSSocket).servername;
    address = socket.localAddress;
    socket.end(plainAnswer);
  });
  expect(await send({}, at(own.port))).toMatchObject({
    status: 200,
    phases: { tls: expect.any(Number) },
  });
  expect({ asked, address }).toEqual({ asked: "hooks.test", address: "127.0.0.2" });
});

test.each<[string, () => Promise<RawReceiver>, AttemptFailure, RegExp]>([
  [
    "has expired",
    async () => bare(await certify("hooks.test", yesterday)),
    "certificate-expired",
    /expired/,
  ],
  [
    "is for another name",
    async () => bare(await certify("other.test")),
    "certificate-host",
    /another host name/,
  ],
  [
    "is for another name of the same domain",
    async () => bare(await certify("www.hooks.test")),
    "certificate-host",
    /another host name/,
  ],
])(
  "a certificate that %s ends the attempt unsent, and the developer reads why",
  async (_what, open, failure, words) => {
    const own = await open();
    expect(await send({}, at(own.port))).toMatchObject({ failure, phases: { tls: null } });
    expect(own.requests()).toEqual([]);
    expect(failureSentences[failure as ShownFailure]).toMatch(words);
  },
);

test("a receiver that wants a client certificate, under TLS 1.3 after the handshake, is told as that", async () => {
  const { key, certificate } = await certify("hooks.test");
  const server = createTlsServer(
    { key, cert: certificate, requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.3" },
    () => {},
  ).listen(0, "127.0.0.2");
  server.on("tlsClientError", () => {});
  await once(server, "listening");
  const attempt = await send({}, at((server.address() as AddressInfo).port));
  expect(attempt).toMatchObject({ failure: "certificate-wanted" });
  expect(failureSentences["certificate-wanted"]).toMatch(/client certificate/);
  server.close();
});

test("port 443 that answers in plain HTTP is told as that", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"));
  }).listen(0, "127.0.0.2");
  await once(server, "listening");
  const attempt = await send({}, at((server.address() as AddressInfo).port));
  expect(attempt).toMatchObject({ failure: "no-tls" });
  expect(failureSentences["no-tls"]).toMatch(/plain HTTP/);
  server.close();
});

test.each<[string, (socket: Socket) => void]>([
  ["says nothing", () => {}],
  [
    "drips its part byte by byte",
    (socket) => {
      const timer = setInterval(() => socket.write(Buffer.from([22])), 10);
      socket.once("close", () => clearInterval(timer));
    },
  ],
])(
  "a handshake that never ends, with a host that %s, ends at the connection's limit",
  async (_what, behave) => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket.on("error", () => {}));
      socket.once("close", () => open.delete(socket));
      socket.once("data", () => behave(socket));
    }).listen(0, "127.0.0.2");
    await once(server, "listening");
    const attempt = await send(
      {},
      { ...at((server.address() as AddressInfo).port), limits: { connect: 300 } },
    );
    expect(attempt).toMatchObject({ phases: { connect: expect.any(Number), tls: null } });
    expect(["tls-timeout", "no-tls", "tls"]).toContain("failure" in attempt && attempt.failure);
    for (const socket of open) await untilClosed(socket);
    server.close();
  },
);

/** One attempt through the product's network, except that names resolve to this machine. */
const program = (port: number) => `
  const { createOutboundClient } = await import("#server/webhooks/send-attempt");
  const { createPublicNetwork } = await import("#server/webhooks/connection");
  const { connect } = await import("node:net");
  const resolver = () => ({ resolve4: async () => ["127.0.0.2"], resolve6: async () => [], cancel() {} });
  const toPort = ({ host }) => connect({ host, port: ${port} });
  const network = { ...createPublicNetwork(), resolver, isPublic: () => true, connect: toPort };
  const settings = { baseUrl: "https://adjutant.example", webhookLoopback: "refused" };
  const { send } = createOutboundClient({ settings, network });
  console.log(JSON.stringify(await send({ url: "https://hooks.test/", body: "{}", headers: () => ({}) })));
`;

test("an authority of the operator's own is trusted where NODE_EXTRA_CA_CERTS names it, and not otherwise", async () => {
  const own = await bare(await certify("hooks.test"));
  const run = async (environment: Record<string, string>) => {
    const { PATH = "", HOME = "" } = process.env;
    const args = ["--import", "tsx", "--input-type=module", "-e", program(own.port)];
    const cwd = path.join(import.meta.dirname, "../..");
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd,
      env: { PATH, HOME, NODE_ENV: "test", ...environment },
    });
    return JSON.parse(stdout);
  };
  expect(await run({})).toMatchObject({ failure: "certificate-untrusted" });
  // The environment cannot switch verification off.
  expect(await run({ NODE_TLS_REJECT_UNAUTHORIZED: "0" })).toMatchObject({
    failure: "certificate-untrusted",
  });
  expect(own.requests()).toEqual([]);
  expect(await run({ NODE_EXTRA_CA_CERTS: authorityFile })).toMatchObject({ status: 200 });
}, 120_000);
