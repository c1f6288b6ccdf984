import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { type Authority, makeAuthority } from "#server/testing/certificates";
import { freePort } from "#server/testing/free-port";
import { recordedLog } from "#server/testing/recorded-log";
import { spawnRedis } from "#server/testing/redis";
import { createLimiter } from "./create-limiter";

const [authority, stranger] = await Promise.all([makeAuthority(), makeAuthority()]);
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  for (const { folder } of [authority, stranger])
    await rm(folder, { recursive: true, force: true });
});

/**
 * A Redis with TLS only, and a certificate for this name.
 * @returns undefined if built without TLS
 */
async function startTlsRedis(
  { folder, file, issue }: Authority,
  name: string,
): Promise<string | undefined> {
  const { key, certificate } = await issue([{ type: "dns", value: name }]);
  const [keyFile, certificateFile] = ["key", "crt"].map((kind) =>
    path.join(folder, `${name}.${kind}`),
  ) as [string, string];
  await writeFile(keyFile, key, { mode: 0o600 });
  await writeFile(certificateFile, certificate);
  const port = await freePort();
  const own = [
    "--tls-cert-file",
    certificateFile,
    "--tls-key-file",
    keyFile,
    "--tls-ca-cert-file",
    file,
  ];
  const server = await spawnRedis(0, [
    "--tls-port",
    String(port),
    "--tls-auth-clients",
    "no",
    ...own,
  ]);
  if (!server) return undefined;
  ends.push(
    () =>
      new Promise((resolve) => {
        server.once("exit", resolve);
        server.kill("SIGTERM");
      }),
  );
  return `rediss://localhost:${port}`;
}

const url = await startTlsRedis(authority, "localhost");
const elsewhere = await startTlsRedis(authority, "elsewhere.example");
if (!url)
  process.stdout.write("note: no redis-server that speaks TLS: its certificates are not tried\n");

const window = { policy: "over-tls", subject: `somebody ${process.pid}`, limit: 3 };

async function limiterOn(address: string, caFile?: string) {
  const log = recordedLog();
  const now = () => new Date("2026-03-01T12:00:10Z");
  const limiter = await createLimiter({ settings: { redis: { url: address, caFile } }, now, log });
  ends.unshift(() => limiter.close());
  return { limiter, log };
}

test.skipIf(!url)(
  "a Redis over TLS is trusted by its authority's file, and its windows are shared",
  async () => {
    const [one, other] = [
      await limiterOn(url ?? "", authority.file),
      await limiterOn(url ?? "", authority.file),
    ];
    for (const { limiter } of [one, other, one])
      expect((await limiter.take(window)).allowed).toBe(true);
    expect((await other.limiter.take(window)).allowed).toBe(false);
    for (const { limiter } of [one, other])
      expect(limiter.status()).toEqual({ kind: "redis", shared: true });
  },
);

test.skipIf(!url).each([
  [
    "that another authority has signed",
    () => url,
    () => stranger.file,
    /VERIFY|SELF_SIGNED|SIGNATURE|ISSUER|CERT/,
  ],
  [
    "that the system does not know",
    () => url,
    () => undefined,
    /VERIFY|SELF_SIGNED|SIGNATURE|ISSUER|CERT/,
  ],
  [
    "that is for another name",
    () => elsewhere,
    () => authority.file,
    /ERR_TLS_CERT_ALTNAME_INVALID/,
  ],
])(
  "a certificate %s is refused: nothing is sent there, and the log says why",
  async (_why, at, trusted, reason) => {
    const { limiter, log } = await limiterOn(at() ?? "", trusted());
    expect((await limiter.take(window)).allowed).toBe(true);
    expect(limiter.status()).toEqual({ kind: "redis", shared: false });
    expect(log.lines).toMatchObject([
      { level: "warn", fields: { reason: expect.stringMatching(reason) } },
    ]);
  },
);

test("a file that holds no certificate stops the start with a sentence", async () => {
  const file = path.join(authority.folder, "no.crt");
  await writeFile(file, "nothing of the kind");
  for (const wrong of [file, path.join(authority.folder, "absent.crt")])
    await expect(limiterOn("rediss://localhost:1", wrong)).rejects.toThrow(
      /^REDIS_CA_FILE is wrong: [^\n]+\.$/,
    );
});
