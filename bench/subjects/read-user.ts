import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { noRedis, type Ours, openOurs, openServices } from "../ours";
import type { LeftOut, Running, Subject } from "../subject";

/** Our hottest path: a bearer token, its scopes, the holder's limit, and the user's own record. */
export const readUser: Subject = {
  id: "user",
  title: "GET /api/v1/user, PostgreSQL on every call, Redis",
  isOurs: true,
  start: (installation) => onServices(installation, { TOKEN_CACHE: "off" }),
};

export const readUserCached: Subject = {
  id: "user-cached",
  title: "the same with the token cache",
  isOurs: true,
  start: (installation) => onServices(installation, { TOKEN_CACHE: "on" }),
};

export const readUserLocal: Subject = {
  id: "user-local",
  title: "the same with the token cache and limits in process",
  isOurs: true,
  start: (installation) => onServices(installation, { TOKEN_CACHE: "on", REDIS_URL: "" }),
};

export const readUserEmbedded: Subject = {
  id: "user-embedded",
  title: "the same on PGlite (all defaults)",
  isOurs: true,
  start: async (installation) => reading(await openOurs({ installation, services: undefined }, {})),
};

async function onServices(
  installation: string,
  settings: Readonly<Record<string, string>>,
): Promise<Running | LeftOut> {
  const services = await openServices();
  return services
    ? reading(await openOurs({ installation, services }, settings))
    : { leftOut: noRedis };
}

/** Every device presents its own token, so that no two calls can share a look into the database. */
async function reading(ours: Ours): Promise<Running> {
  const file = path.join(tmpdir(), `adjutant-bench-${ours.product.process.pid}.tokens`);
  await writeFile(file, ours.tokens.map(({ accessToken }) => `${accessToken}\n`).join(""), {
    mode: 0o600,
  });
  return {
    url: `${ours.product.url}/api/v1/user`,
    pid: ours.product.process.pid ?? 0,
    script: async () => ({ file: path.join(import.meta.dirname, "../read.lua"), args: [file] }),
    stop: async () => {
      await rm(file, { force: true });
      await ours.stop();
    },
  };
}
