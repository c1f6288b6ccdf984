import manifest from "../../package.json" with { type: "json" };
import { chatBotOf, chatSignInOf } from "./chat-settings";
import { parseVariables } from "./environment-variables";
import {
  adminSecondFactorOf,
  demoOf,
  metricsOf,
  poolSizesOf,
  redisOf,
  secretOf,
  serverlessOf,
  webhookLoopbackOf,
} from "./setting-rules";
import { wrongSetting } from "./start-fault";
import { baseUrlOf } from "./url-settings";

/** The product's version, as its package says it. */
export const version: string = manifest.version;

/** The parsed settings. Durations in seconds, limits in calls per clock minute. */
export type Settings = ReturnType<typeof parseEnvironment>;

/** The settings that a process cannot do without. */
export interface Needs {
  /** False for what opens nothing that is sealed, such as a restore. */
  readonly serverSecret: boolean;
}

/**
 * Parses the environment once. An empty one is a working product on embedded parts.
 * @throws WrongSetting with a sentence that names the setting
 */
export function parseEnvironment(
  source: Readonly<Record<string, string | undefined>>,
  needs: Needs = { serverSecret: true },
) {
  const { nodeEnv, ...given } = parseVariables(source, wrongSetting);
  const serverless = serverlessOf(given);
  const base = baseUrlOf(given.baseUrl ?? `http://localhost:${given.port}`);
  return {
    ...given,
    development: nodeEnv === "development",
    metrics: metricsOf(given),
    /** Scheme, host and port, no path, no trailing slash. The issuer. */
    baseUrl: base.origin,
    /** Cookies are Secure and prefixed, HSTS is sent. */
    https: base.protocol === "https:",
    databasePools: poolSizesOf(given),
    redis: redisOf(given),
    /** Undefined on PGlite without the setting: generated into the data directory; and where none is needed. */
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

/** The process's own settings. The one place that reads `process.env`. */
export const readSettings = (needs?: Needs): Settings => parseEnvironment(process.env, needs);
