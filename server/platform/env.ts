import manifest from "../../package.json" with { type: "json" };
import { parseVariables } from "./environment-variables";
import {
  adminSecondFactorOf,
  baseUrlOf,
  chatBotOf,
  chatSignInOf,
  demoOf,
  metricsOf,
  poolSizesOf,
  redisOf,
  secretOf,
  serverlessOf,
  webhookLoopbackOf,
} from "./setting-rules";

export const version: string = manifest.version;

/** Durations in seconds, limits in calls per clock minute. */
export type Settings = ReturnType<typeof parseEnvironment>;

export interface Needs {
  /** False for commands that open nothing sealed. */
  readonly serverSecret: boolean;
}

export function parseEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  needs: Needs = { serverSecret: true },
) {
  const { nodeEnv, ...given } = parseVariables(source);
  const serverless = serverlessOf(given);
  const base = baseUrlOf(given.baseUrl ?? `http://localhost:${given.port}`);
  return {
    ...given,
    development: nodeEnv === "development",
    metrics: metricsOf(given),
    /** The issuer. */
    baseUrl: base.origin,
    https: base.protocol === "https:",
    databasePools: poolSizesOf(given),
    redis: redisOf(given),
    /** Undefined on PGlite: then generated in the data directory. */
    serverSecret: secretOf(
      "SERVER_SECRET",
      given.serverSecret,
      needs.serverSecret && given.databaseUrl !== undefined,
    ),
    previousServerSecret: secretOf("SERVER_SECRET_PREVIOUS", given.previousServerSecret, false),
    chatSignIn: chatSignInOf(given),
    chatBot: chatBotOf(given),
    adminSecondFactor: adminSecondFactorOf(given.adminSecondFactor, base),
    webhookLoopback: webhookLoopbackOf(given.webhookLoopback, base),
    jobs: serverless ? ("off" as const) : given.jobs,
    serverless,
    demo: demoOf(given.demo, given.gameApiUrl, base),
    accessLog: given.accessLog === "on",
    tokenCache: given.tokenCache === "on",
  };
}

/** The only place that reads `process.env`. */
export const readSettings = (needs?: Needs): Settings => parseEnvironment(process.env, needs);
