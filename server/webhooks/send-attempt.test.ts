import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { DnsQuestion } from "#server/testing/dns-server";
import { endpointNetwork } from "#server/testing/endpoint-network";
import { plainAnswer, rawReceiver } from "#server/testing/raw-receiver";
import { failureSentences, shownFailure } from "./attempt";
import { createPublicNetwork } from "./connection";
import { attemptLimits, createOutboundClient } from "./send-attempt";
import { signWebhook } from "./signature";

const { dns, receiver, network, send, certify } = await endpointNetwork();

beforeEach(() => {
  dns.answer(() => ["127.0.0.1"]);
  receiver.behave((socket) => socket.end(plainAnswer));
});

test("an event is posted as it is, over TLS, with the headers of its attempt, and the answer's status is told", async () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = '{"type":"vault_request.created","name":"Größe 🏦"}';
  let connected = false;
  const noted: typeof network.connect = (to) =>
    network.connect(to).once("connect", () => {
      connected = true;
    });
  const headers = () => {
    // The time of the attempt is that of its writing.
    expect(connected).toBe(true);
    return signWebhook({ id: "evt_1", body }, new Date(), [secret]);
  };
  const attempt = await send({ body, headers }, { network: { connect: noted } });
  expect(attempt).toEqual({
    status: 200,
    retryAfter: null,
    delivery: null,
    excerpt: "ok",
    phases: {
      ...{ dns: expect.any(Number), connect: expect.any(Number), tls: expect.any(Number) },
      ...{ firstByte: expect.any(Number), total: expect.any(Number) },
    },
  });
  const [request, second] = receiver.requests();
  expect(second).toBeUndefined();
  const [line, ...lines] = request?.head.split("\r\n") ?? [];
  expect(line).toBe("POST /in?tenant=1 HTTP/1.1");
  const received = Object.fromEntries(lines.map((each) => each.split(/: (.*)/, 2)));
  expect(received).toEqual({
    host: "hooks.test",
    "user-agent": expect.stringMatching(/^adjutant\/\S+ \(\+https:\/\/adjutant\.example\)$/),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
    "webhook-id": "evt_1",
    "webhook-timestamp": expect.any(String),
    "webhook-signature": expect.any(String),
    "webhook-version": expect.any(String),
  });
  expect(new Webhook(secret).verify(request?.body ?? "", received)).toEqual(JSON.parse(body));
});

test("an attempt has 15 seconds, of which resolution has 2 and the connection 5", () => {
  expect(attemptLimits).toMatchObject({ total: 15_000, dns: 2_000, connect: 5_000 });
});

test("what the receiver says of retries and of itself is told as it came", async () => {
  const head =
    "HTTP/1.1 503 Busy\r\nRetry-After: 120\r\nRetry-After: 3\r\nWebhook-Delivery: disable\r\n";
  receiver.behave((socket) => socket.end(`${head}Content-Length: 0\r\n\r\n`));
  expect(await send()).toMatchObject({
    status: 503,
    retryAfter: "120",
    delivery: "disable",
    excerpt: "",
  });
});

describe("names", () => {
  test.each([
    [["127.0.0.1", "10.0.0.1"]],
    [["10.0.0.1", "127.0.0.1"]],
    [["127.0.0.1", "169.254.169.254"]],
    [["127.0.0.1", "::ffff:127.0.0.1"]],
    [["127.0.0.1", "64:ff9b::7f00:1"]],
    [["127.0.0.1", "fd00::1"]],
    [["::1", "2002:7f00:1::"]],
    [[...Array.from({ length: 20 }, () => "127.0.0.1"), "192.168.0.1"]],
    [["0.0.0.0"]],
  ])(
    "a host with the addresses %j is not connected to, though some of them are public",
    async (addresses) => {
      dns.answer(() => addresses);
      expect(await send()).toMatchObject({
        failure: "refused-address",
        code: null,
        phases: { dns: null },
      });
      expect(receiver.connections()).toBe(0);
    },
  );

  test("a developer cannot tell a host inside our network from one that is not there", async () => {
    dns.answer(() => ["10.0.0.1"]);
    const inside = await send();
    dns.answer(() => "no such name");
    const absent = await send();
    if (!("failure" in inside && "failure" in absent)) throw new Error("both must fail");
    expect(inside.failure).not.toBe(absent.failure);
    expect(shownFailure(inside.failure)).toBe(shownFailure(absent.failure));
    expect(failureSentences[shownFailure(inside.failure)]).toMatch(
      /not found, or is not on the public internet/,
    );
    expect({ ...inside.phases, total: 0 }).toEqual({ ...absent.phases, total: 0 });
  });

  test.each([
    ["does not exist", () => "no such name" as const, "ENODATA"],
    ["has no address", () => [], "ENODATA"],
    ["is of a nameserver that fails", () => "failure" as const, "ESERVFAIL"],
    ["has addresses of one kind, and the nameserver fails for the other", half, "ESERVFAIL"],
  ])("a host that %s is a failure, and is not connected to", async (_what, answer, code) => {
    dns.answer(answer);
    expect(await send()).toMatchObject({ failure: "dns", code });
    expect(receiver.connections()).toBe(0);
  });

  test("a name is resolved once for an attempt; the connection goes to the very address that was checked", async () => {
    // A second lookup would return a private address.
    dns.answer((_name, type, asked) =>
      asked > 0 ? ["10.0.0.1"] : type === "A" ? ["127.0.0.1"] : [],
    );
    expect(await send()).toMatchObject({ status: 200 });
    expect([...dns.questions()].sort()).toEqual(["A hooks.test", "AAAA hooks.test"]);
    expect(await send()).toMatchObject({ failure: "refused-address" });
    expect(receiver.connections()).toBe(1);
  });

  test("nameservers that never answer end their own attempts alone, and hold up no others and no thread", async () => {
    dns.answer((name) => (name.startsWith("tarpit") ? "silence" : ["127.0.0.1"]));
    let waiting = 100;
    const enough = new AbortController();
    const stuck = Array.from({ length: waiting }, async (_, at) => {
      const outgoing = { url: `https://tarpit${at}.test/`, signal: enough.signal };
      const attempt = await send(outgoing, { limits: { dns: 600_000, total: 600_000 } });
      waiting--;
      return attempt;
    });
    const others = await Promise.all(Array.from({ length: 20 }, () => send()));
    // Reading a file needs a thread that `dns.lookup` would block.
    await Promise.all(Array.from({ length: 20 }, () => readFile(import.meta.filename)));
    expect(waiting).toBe(100);
    expect(others.map((attempt) => "status" in attempt && attempt.status)).toEqual(
      Array(20).fill(200),
    );
    enough.abort();
    for (const attempt of await Promise.all(stuck))
      expect(attempt).toMatchObject({ failure: "aborted" });
  });

  test("an attempt to a silent nameserver ends at its limit", async () => {
    dns.answer(() => "silence");
    const attempt = await send({}, { limits: { dns: 50 } });
    expect(attempt).toMatchObject({ failure: "dns", phases: { dns: null } });
    expect(attempt.phases.total).toBeGreaterThanOrEqual(50);
    expect(attempt.phases.total).toBeLessThan(4_000);
  });
});

/** IPv4 works, IPv6 does not. */
function half(_name: string, type: DnsQuestion) {
  return type === "A" ? ["127.0.0.1"] : ("failure" as const);
}

describe("connections", () => {
  const hasIpv6 = Object.values(networkInterfaces()).some((own) =>
    own?.some(({ address }) => address === "::1"),
  );

  test.skipIf(!hasIpv6)("a host with IPv6 alone is reached", async () => {
    const six = await rawReceiver({ host: "::1", certificate: await certify("hooks.test") });
    dns.answer(() => ["::1"]);
    const toSix: typeof network.connect = ({ host }) => connect({ host, port: six.port });
    expect(await send({}, { network: { connect: toSix } })).toMatchObject({ status: 200 });
    expect(six.requests()).toHaveLength(1);
  });

  test("where one address refuses, the next one is tried; IPv4 comes first", async () => {
    const asked: string[] = [];
    const noted: typeof network.connect = (to) => {
      asked.push(to.host);
      return network.connect(to);
    };
    dns.answer(() => ["::1", "127.0.0.3", "127.0.0.1"]);
    expect(await send({}, { network: { connect: noted } })).toMatchObject({ status: 200 });
    expect(asked).toEqual(["127.0.0.3", "127.0.0.1"]);
  });

  test("no more than three addresses of a host are tried", async () => {
    const tried: string[] = [];
    const refuse: typeof network.connect = ({ host }) => {
      tried.push(host);
      return new Socket().destroy(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    };
    dns.answer(() => ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "2606:4700::1"]);
    const attempt = await send({}, { network: { connect: refuse } });
    expect(attempt).toMatchObject({
      failure: "refused",
      code: "ECONNREFUSED",
      phases: { connect: null },
    });
    expect(tried).toHaveLength(3);
  });

  test("a connection that leads elsewhere than to the checked address is closed before anything is written", async () => {
    dns.answer(() => ["127.0.0.2"]);
    const elsewhere: typeof network.connect = ({ port }) =>
      network.connect({ host: "127.0.0.1", port });
    expect(await send({}, { network: { connect: elsewhere } })).toMatchObject({
      failure: "refused-address",
    });
    await receiver.idle();
    expect(receiver.requests()).toEqual([]);
  });

  test("a silent host costs its attempt the connection's limit, and leaves time for its other addresses", async () => {
    // A socket that never connects, as with dropped packets.
    const silent: typeof network.connect = (to) =>
      to.host === "127.0.0.1" ? network.connect(to) : new Socket();
    dns.answer(() => ["1.1.1.1"]);
    const changes = { limits: { connect: 60 }, network: { connect: silent } };
    expect(await send({}, changes)).toMatchObject({
      failure: "connect",
      phases: { connect: null },
    });
    dns.answer(() => ["1.1.1.1", "127.0.0.1"]);
    expect(await send({}, { ...changes, limits: { connect: 1_000 } })).toMatchObject({
      status: 200,
    });
  });

  test("a certificate for another name, or by an authority that nobody knows, ends the attempt unsent", async () => {
    const headers = vi.fn(() => ({}));
    const url = "https://other.test/";
    expect(await send({ url, headers })).toMatchObject({
      failure: "certificate-host",
      code: "ERR_TLS_CERT_ALTNAME_INVALID",
    });
    const { secureContext } = createPublicNetwork();
    const unknown = await send({ headers }, { network: { secureContext } });
    expect(unknown).toMatchObject({
      failure: "certificate-untrusted",
      code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      phases: { tls: null },
    });
    expect(headers).not.toHaveBeenCalled();
    expect(receiver.requests()).toEqual([]);
  });

  test("a host that speaks no TLS, or nothing at all, ends the attempt unsent", async () => {
    const plain = await rawReceiver();
    const toPlain: typeof network.connect = ({ host }) => connect({ host, port: plain.port });
    plain.behave((socket) => socket.end(plainAnswer));
    const changes = { limits: { connect: 300 }, network: { connect: toPlain } };
    // It waits for the end of the request, and we wait for its handshake.
    expect(await send({}, changes)).toMatchObject({
      ...{ failure: "tls-timeout", phases: { connect: expect.any(Number), tls: null } },
    });
    const shouting = createServer((socket) => socket.on("error", () => {}).end(plainAnswer)).listen(
      0,
      "127.0.0.1",
    );
    await once(shouting, "listening");
    const { port } = shouting.address() as AddressInfo;
    const toShouting: typeof network.connect = ({ host }) => connect({ host, port });
    expect(await send({}, { network: { connect: toShouting } })).toMatchObject({
      failure: "no-tls",
    });
    shouting.close();
  });

  test("proxies of the environment are not used", async () => {
    const proxy = await rawReceiver();
    const url = `http://127.0.0.1:${proxy.port}`;
    for (const name of ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"])
      vi.stubEnv(name, name === "NODE_USE_ENV_PROXY" ? "1" : url);
    expect(await send()).toMatchObject({ status: 200 });
    vi.unstubAllEnvs();
    expect(proxy.connections()).toBe(0);
  });
});

describe("which URLs", () => {
  test.each([
    "http://hooks.test/",
    "https://127.0.0.1/",
    "https://hooks.test:8443/",
    "https://adjutant.example/",
  ])("%s is not sent to, though it is stored: it could not be registered", async (url) => {
    expect(await send({ url })).toMatchObject({ failure: "refused-url" });
    expect(dns.questions()).toEqual([]);
    expect(receiver.connections()).toBe(0);
  });

  test("for development a loopback address is reached over plain http, on its port, and only where that is allowed", async () => {
    const plain = await rawReceiver();
    const { send: local } = createOutboundClient({
      settings: { baseUrl: "http://localhost:3000", webhookLoopback: "allowed" },
    });
    const { send: live } = createOutboundClient({
      settings: { baseUrl: "http://localhost:3000", webhookLoopback: "refused" },
    });
    for (const host of ["127.0.0.1", "localhost"]) {
      const outgoing = { url: `http://${host}:${plain.port}/in`, body: "{}", headers: () => ({}) };
      expect(await live(outgoing)).toMatchObject({ failure: "refused-url" });
      expect(await local(outgoing)).toMatchObject({ status: 200, phases: { tls: null } });
    }
    expect(plain.requests().map(({ head }) => /host: (.*)/.exec(head)?.[1])).toEqual([
      ...[`127.0.0.1:${plain.port}`, `localhost:${plain.port}`],
    ]);
  });

  test("where loopback is allowed, a name that leads there is refused all the same", async () => {
    const settings = { baseUrl: "http://localhost:3000", webhookLoopback: "allowed" } as const;
    const { send: local } = createOutboundClient({
      settings,
      network: { ...createPublicNetwork(), resolver: dns.resolver },
    });
    const outgoing = { url: "https://hooks.test/", body: "{}", headers: () => ({}) };
    expect(await local(outgoing)).toMatchObject({ failure: "refused-address" });
  });
});
