import { randomBytes } from "node:crypto";
import { openPostgres } from "#db/client";
import { type RunningPostgres, startPostgres } from "#server/testing/postgres";
import { type RunningProduct, startProduct } from "#server/testing/product";
import { type RunningRedis, startRedis } from "#server/testing/redis";
import { demoPeople } from "#simulator/demo-people";
import { type Credentials, openVisitor, type Tokens } from "../e2e/support/visitor";

/** The built product with an application that a demo player let in on several devices. */
export interface Ours {
  readonly product: RunningProduct;
  readonly client: Credentials;
  /** The demo player's, as a browser sends it. */
  readonly cookie: string;
  /** Those of each device. */
  readonly tokens: readonly Tokens[];
  readonly serverSecret: string;
  stop(): Promise<void>;
}

export interface Services {
  readonly postgres: RunningPostgres;
  readonly redis: RunningRedis;
  /** Address of an empty database. The product migrates it when it starts. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

const unlimited = "1000000000";
/** Limits would end a benchmark within a second, and jobs would disturb it. */
const settings = {
  RATE_HOLDER: unlimited,
  RATE_PEER: unlimited,
  RATE_CLIENT: unlimited,
  JOBS: "off",
  LOG_LEVEL: "warn",
};
const redirectUri = "https://bench.example/callback";
const scopes = ["identity"];
/** As many as there are connections; more in a minute would meet the limit of the public door. */
const devices = 32;

/** PostgreSQL that waits for the disk, as in production, with an empty database, and a Redis; undefined where there is no Redis. */
export async function openServices(): Promise<Services | undefined> {
  const redis = await startRedis();
  if (!redis) return undefined;
  const postgres = await startPostgres({ durable: true });
  const admin = openPostgres({ url: postgres.url("postgres") });
  await admin.script("create database bench");
  await admin.close();
  return {
    postgres,
    redis,
    databaseUrl: postgres.url("bench"),
    stop: async () => {
      await Promise.all([postgres.stop(), redis.stop()]);
    },
  };
}

/**
 * Starts the product on the services, or on its embedded parts without them, and goes through the public doors once.
 * @param at.installation the folder that it is built in
 */
export async function openOurs(
  at: { readonly installation: string; readonly services: Services | undefined },
  own: Readonly<Record<string, string>>,
): Promise<Ours> {
  const { installation, services } = at;
  const serverSecret = randomBytes(48).toString("base64");
  const parts = services && { DATABASE_URL: services.databaseUrl, REDIS_URL: services.redis.url };
  const product = await startProduct(
    { ...settings, SERVER_SECRET: serverSecret, ...parts, ...own },
    installation,
  );
  const stop = async () => {
    await product.stop();
    await services?.stop();
  };
  try {
    const visitor = await openVisitor(product.url, demoPeople[0]?.key ?? "");
    const client = await visitor.register({ name: "Benchmark", redirectUri, scopes });
    const tokens: Tokens[] = [];
    while (tokens.length < devices)
      tokens.push(await visitor.authorize(client, { redirectUri, scopes }));
    return { product, client, cookie: visitor.cookie(), tokens, serverSecret, stop };
  } catch (error) {
    await stop();
    throw new Error(`The product could not be prepared. It said:\n${product.output()}`, {
      cause: error,
    });
  }
}

/** Why what needs the services is left out. */
export const noRedis = "neither redis-server nor TEST_REDIS_URL is there";
