import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type Database, openPostgres } from "#db/client";
import { migrate } from "#db/migrate";
import { accounts } from "#db/schema/accounts";
import { consentPeriods } from "#db/schema/events";
import { accessTokens, applications, consents, grants } from "#db/schema/oauth";
import { players } from "#db/schema/players";
import type { Context } from "#server/context";
import { createContext } from "#server/create-context";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { parseEnvironment } from "#server/platform/env";
import { mintSecret } from "#server/platform/secret-text";
import type { ScopeName } from "#server/scopes";
import { type Instance, prepareInstances } from "#server/testing/instances";
import { openServices, type Services } from "./ours";

export interface StreamWorld {
  readonly instance: Instance;
  /** A token of each player; the players of a faction stand together. */
  readonly tokens: readonly string[];
  readonly factions: number;
  /** Something happens in a faction, in another process than the instance. @returns when it had committed */
  happen(faction: number, subject: string): Promise<number>;
  stop(): Promise<void>;
}

const scopes: ScopeName[] = ["identity", "faction"];
const chunk = 500;
const firstId = 600_000;

/** @param readers how many players, a tenth of them in each faction */
export async function openStreamWorld(readers: number): Promise<StreamWorld | undefined> {
  const services = await openServices();
  if (!services) return undefined;
  const serverSecret = randomBytes(48).toString("base64");
  const database = openPostgres({ url: services.databaseUrl });
  await migrate(database);
  const settings = {
    ...parseEnvironment({ SERVER_SECRET: serverSecret, JOBS: "off" }),
    demo: "off" as const,
  };
  const ctx = await createContext(settings, { database });
  const factions = 10;
  const tokens = await fill(ctx, database, { readers, factions });
  await database.script("analyze");
  const instances = await prepareInstances();
  const instance = await instances.start(instanceSettings(services, serverSecret));
  return {
    instance,
    tokens,
    factions,
    happen: async (faction, subject) => {
      await database.transaction((tx) =>
        recordEvents(ctx, tx, [{ type: retaliationOpened, subject, factionId: firstId + faction }]),
      );
      return performance.now();
    },
    stop: async () => {
      await instance.end();
      instances.remove();
      await ctx.close();
      await database.close();
      await services.stop();
    },
  };
}

const instanceSettings = ({ databaseUrl, redis }: Services, serverSecret: string) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: redis.url,
  SERVER_SECRET: serverSecret,
  DEMO: "0",
  RATE_HOLDER: "1000000000",
});

/** By the tables: the way through the pages would take minutes for so many. */
async function fill(
  ctx: Context,
  { query }: Database,
  { readers, factions }: { readers: number; factions: number },
) {
  const past = new Date(ctx.now().getTime() - 60_000);
  const later = new Date(ctx.now().getTime() + 6 * 3_600_000);
  const clientId = "bench-streams";
  const rows = Array.from({ length: readers }, (_, n) => ({
    playerId: firstId + n,
    factionId: firstId + Math.floor((n * factions) / readers),
    ...{ accountId: ctx.ids.uuid(), consentId: ctx.ids.uuid(), grantId: ctx.ids.uuid() },
    token: mintSecret("access", ctx.ids.bytes),
  }));
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.slice(from, from + chunk);
    await query.insert(players).values(
      some.map(({ playerId, factionId }) => ({
        ...{ id: playerId, name: `Player${playerId}`, level: 10, lastRefresh: past },
        ...{ factionId, factionSince: past },
      })),
    );
    await query
      .insert(accounts)
      .values(
        some.map(({ accountId, playerId }) => ({ id: accountId, playerId, createdAt: past })),
      );
    if (from === 0)
      await query
        .insert(applications)
        .values(applicationOf(some[0]?.accountId ?? "", clientId, past));
    await query.insert(consents).values(
      some.map(({ consentId, accountId }) => ({
        ...{ id: consentId, accountId, clientId, scopes, createdAt: past, updatedAt: past },
        applicationOwner: some[0]?.accountId ?? "",
      })),
    );
    await query
      .insert(consentPeriods)
      .values(some.map(({ consentId }) => ({ consentId, began: past, scopes })))
      .onConflictDoNothing();
    await query.insert(grants).values(
      some.map(({ grantId, consentId }) => ({
        ...{ id: grantId, consentId, clientId, scopes, createdAt: past, absoluteExpiry: later },
      })),
    );
    await query.insert(accessTokens).values(
      some.map(({ token, grantId }) => {
        const { hash, keyId } = ctx.keyring.hmac("token", token);
        return { hash, hashKeyId: keyId, grantId, scopes, issuedAt: past, expiresAt: later };
      }),
    );
  }
  return rows.map(({ token }) => token);
}

const applicationOf = (ownerId: string, clientId: string, at: Date) => ({
  ...{
    clientId,
    ownerId,
    kind: "confidential" as const,
    name: "Streams",
    redirectUris: ["https://bench.example/cb"],
  },
  ...{
    scopes,
    clientUri: "https://bench.example/",
    tosUri: "https://bench.example/",
    privacyUri: "https://bench.example/",
  },
  privacy: { data: "None.", use: "None.", retention: "None.", deletion: "None.", sharing: "None." },
  ...{ createdAt: at, updatedAt: at },
});

/** Opens a stream for each token. @returns what ends them all. @param hear each chunk that comes, and when */
export async function openStreams(
  url: string,
  tokens: readonly string[],
  hear: (text: string, at: number) => void,
): Promise<() => Promise<void>> {
  const open = await inGroups(tokens, 50, (token) => {
    const headers = { accept: "text/event-stream", authorization: `Bearer ${token}` };
    return new Promise<{ end(): void; gone: Promise<void> }>((resolve, reject) => {
      const sent = httpRequest(`${url}/api/v1/events`, { headers, agent: false }, (answer) => {
        if (answer.statusCode !== 200)
          return reject(new Error(`A stream was refused: ${answer.statusCode}.`));
        answer.setEncoding("utf8");
        answer.on("data", (text: string) => hear(text, performance.now())).on("error", () => {});
        const gone = new Promise<void>((done) => answer.once("close", done));
        answer.once("data", () => resolve({ end: () => void sent.destroy(), gone }));
      });
      sent.once("error", reject).end();
    });
  });
  return async () => {
    for (const stream of open) stream.end();
    await Promise.all(open.map(({ gone }) => gone));
    await wait(500);
  };
}

async function inGroups<T, R>(
  items: readonly T[],
  size: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += size)
    done.push(...(await Promise.all(items.slice(from, from + size).map(work))));
  return done;
}

/** Kilobytes of memory that a process holds; NaN where the system does not tell. */
export function residentKilobytes(pid: number): number {
  try {
    return Number(
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN,
    );
  } catch {
    return Number.NaN;
  }
}
