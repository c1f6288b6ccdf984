import { rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { setPriority, tmpdir } from "node:os";
import path from "node:path";
import { startProduct } from "#server/testing/product";
import { noRedis, type Ours, openOurs, openServices, type Services } from "../ours";
import type { LeftOut, Running, Subject } from "../subject";
import { putLoad } from "../wrk";
import { renderers, visitScript, warmUp } from "./trivial-next";

const script = (name: string) => path.join(import.meta.dirname, "..", name);
const settings = { RATE_PAGES: "1000000000" };

async function open(installation: string): Promise<Ours | undefined> {
  const services = await openServices();
  return services && openOurs({ installation, services }, settings);
}

/** The subjects that open pages of one installation share one product. */
const shared = new Map<string, { readonly ours: Promise<Ours | undefined>; users: number }>();

const visit = (id: string, title: string, address: string, signedIn: boolean): Subject => ({
  id,
  title,
  isOurs: true,
  start: async (installation): Promise<Running | LeftOut> => {
    const opened = shared.get(installation) ?? { ours: open(installation), users: 0 };
    shared.set(installation, opened);
    const ours = await opened.ours;
    if (!ours) return { leftOut: noRedis };
    opened.users += 1;
    if (signedIn) await warmUp(ours.product.url + address, { cookie: ours.cookie });
    return {
      url: ours.product.url + address,
      pid: ours.product.process.pid ?? 0,
      ...(signedIn && { connections: renderers }),
      script: async () => ({ file: visitScript, args: signedIn ? [ours.cookie] : [] }),
      stop: async () => {
        opened.users -= 1;
        if (opened.users === 0) await ours.stop();
      },
    };
  },
});

export const landing = visit("landing", "the landing page, signed out", "/", false);
export const docs = visit("docs", "/docs/oauth, signed out", "/docs/oauth", false);
export const developers = visit("developers", "/developers, signed in", "/developers", true);
export const account = visit("account", "/account, signed in", "/account", true);

/** Connections, and the milliseconds that each rests before a call: some 200 calls a second, which leave the machine time. */
const callers = 4;
const rest = 20;
const viewsASecond = 50;
/** Two of three are of pages that everybody shares, and the third is its reader's own. */
const views = ["/", "/docs", "/developers", "/docs/oauth", "/docs/api", "/account"].map(
  (address) => ({
    address,
    signedIn: ["/developers", "/account"].includes(address),
  }),
);

/** Opens pages at a pace that does not wait for the answers. @returns ends it, with how many were not answered by 200 */
function openPages(ours: Ours, site: string): () => number {
  const agent = new Agent({ keepAlive: true });
  let opened = 0;
  let faults = 0;
  const timer = setInterval(() => {
    const { address, signedIn } = views[opened++ % views.length] ?? {
      address: "/",
      signedIn: false,
    };
    const headers = {
      "accept-encoding": "gzip, deflate, br",
      ...(signedIn && { cookie: ours.cookie }),
    };
    get(site + address, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) faults += 1;
      answer.resume();
    }).once("error", () => {
      faults += 1;
    });
  }, 1_000 / viewsASecond);
  return () => {
    clearInterval(timer);
    return faults;
  };
}

/** As `cpu_shares` of the pages in compose.yaml: a quarter of the default weight. */
const niceness = 6;

/** Another instance of the same service. */
async function openBeside(installation: string, { serverSecret }: Ours, services: Services) {
  const other = await startProduct(
    {
      ...settings,
      ...{ SERVER_SECRET: serverSecret, JOBS: "off", DEMO: "still" },
      ...{ DATABASE_URL: services.databaseUrl, REDIS_URL: services.redis.url },
    },
    installation,
  );
  setPriority(other.process.pid ?? 0, niceness);
  return other;
}

/** Calls of the API at an even pace, with or without pages that are opened meanwhile: what counts is the p99. */
const beside = (id: string, title: string, pages: "none" | "here" | "elsewhere"): Subject => ({
  id,
  title,
  isOurs: true,
  ...(pages !== "none" && { besides: "user-paced" }),
  start: async (installation): Promise<Running | LeftOut> => {
    const services = await openServices();
    if (!services) return { leftOut: noRedis };
    const ours = await openOurs({ installation, services }, settings);
    const other =
      pages === "elsewhere" ? await openBeside(installation, ours, services) : undefined;
    const file = path.join(tmpdir(), `adjutant-bench-${ours.product.process.pid}.tokens`);
    await writeFile(file, ours.tokens.map(({ accessToken }) => `${accessToken}\n`).join(""), {
      mode: 0o600,
    });
    const running = { url: `${ours.product.url}/api/v1/user`, pid: ours.product.process.pid ?? 0 };
    const calls = { file: script("paced.lua"), args: [file, String(rest)] };
    return {
      ...running,
      load: async (seconds) => {
        const site = (other ?? ours.product).url;
        const end = pages === "none" ? () => 0 : openPages(ours, site);
        const load = { connections: callers, seconds };
        const round = await putLoad(
          { ...running, script: async () => calls, stop: async () => {} },
          load,
        );
        return { ...round, faults: round.faults + end() };
      },
      stop: async () => {
        await rm(file, { force: true });
        await other?.stop();
        await ours.stop();
      },
    };
  },
});

export const userPaced = beside("user-paced", "GET /api/v1/user, 200 calls a second", "none");
export const userBesidePages = beside(
  "user-pages",
  `the same beside ${viewsASecond} pages a second`,
  "here",
);
export const userPagesElsewhere = beside(
  "user-pages-elsewhere",
  "the same, pages on another instance",
  "elsewhere",
);
