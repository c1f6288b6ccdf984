import { noRedis, openOurs, openServices } from "../ours";
import type { LeftOut, Running, Subject } from "../subject";

/** Our hottest path: a bearer token, its scopes, the holder's limit, and the user's own record. */
export const readUser: Subject = {
  id: "user",
  title: "GET /api/v1/user, PostgreSQL on every call, Redis",
  start: () => onServices({ TOKEN_CACHE: "off" }),
};

export const readUserCached: Subject = {
  id: "user-cached",
  title: "the same with the token cache",
  start: () => onServices({ TOKEN_CACHE: "on" }),
};

export const readUserLocal: Subject = {
  id: "user-local",
  title: "the same with the token cache and limits in process",
  start: () => onServices({ TOKEN_CACHE: "on", REDIS_URL: "" }),
};

export const readUserEmbedded: Subject = {
  id: "user-embedded",
  title: "the same on PGlite (all defaults)",
  start: async () => reading(await openOurs(undefined, {})),
};

async function onServices(settings: Readonly<Record<string, string>>): Promise<Running | LeftOut> {
  const services = await openServices();
  return services ? reading(await openOurs(services, settings)) : { leftOut: noRedis };
}

function reading(ours: Awaited<ReturnType<typeof openOurs>>): Running {
  return {
    url: `${ours.product.url}/api/v1/user`,
    pid: ours.product.process.pid ?? 0,
    headers: { authorization: `Bearer ${ours.tokens.accessToken}` },
    stop: ours.stop,
  };
}
