import { routes } from "#server/routes";
import { demoFactions, demoPersonOf } from "#simulator/demo-people";
import { addedEndpoints, specifiedEndpoints } from "./specified-endpoints";

/** Calls as the demo's developer; the path is relative to /api/v1. */
export type CallApi = (path: string, init?: RequestInit) => Promise<Response>;

const [{ factionId }] = demoFactions;
const outsider = demoPersonOf("outsider").playerId;
const home = `/faction/${factionId}`;

type Json = { readonly [name: string]: unknown } & readonly { readonly [name: string]: unknown }[];
type IsReal = (call: (path: string, init?: RequestInit) => Promise<Json>) => Promise<boolean>;

const post = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const lists =
  (path: string, atLeast: number): IsReal =>
  async (call) =>
    (await call(path)).length >= atLeast;
const findTargets = (call: Parameters<IsReal>[0]) => call("/stat/chain-list", post({ limit: 100 }));
const lengthOf = (found: unknown): number => Object.keys(Object(found)).length;

/** By operation title: what makes an answer real, beyond a non-empty list or object. */
const realAnswers: Readonly<Record<string, IsReal>> = {
  "Get Organized Crimes Names": lists("/faction/crime/names", 20),
  "Get Faction Members": lists(`${home}/members`, 20),
  "Get Faction Positions": async (call) =>
    lengthOf((await call("/faction/positions")).positions) >= 3,
  "Get Faction Member Balance": async (call) =>
    Number((await call("/faction/banking/vault")).money_balance) > 0,
  "Create Faction Vault Request": async (call) =>
    (await call(`${home}/banking`, post({ amount: 1_000, type: "money_balance" }))).amount ===
    1_000,
  "Cancel Faction Vault Request": async (call) => {
    const waiting = (await call(`${home}/banking`)).find(({ amount }) => amount === 1_000);
    await call(`${home}/banking/${waiting?.id}`, { method: "DELETE" });
    return true;
  },
  "List Vault Requests": async (call) => {
    const found = new Set(
      (await call(`${home}/banking?search_type=all`)).map(({ status }) => status),
    );
    return found.has("pending") && found.has("fulfilled");
  },
  "Generate Chain List": async (call) => (await findTargets(call)).length > 36,
  "Get Stocks Data": async (call) => lengthOf(await call("/stocks")) > 30,
  "Get Stock Benefits Data": async (call) => {
    const { active } = (await call("/stocks/benefits")) as {
      active?: { benefit: { value: unknown; item: unknown } }[];
    };
    // With item benefits too, because their prices are read.
    return !!active?.some(({ benefit }) => benefit.item !== null && benefit.value !== null);
  },
  "Get Stock Movers Data": async (call) => {
    const { gainers, losers } = await call("/stocks/movers");
    const lists = [gainers, losers].flatMap((ranking) => Object.values(ranking as object));
    return lists.length === 6 && lists.every((list) => lengthOf(list) === 5);
  },
  "Get User": async (call) => (await call("/user")).name === demoPersonOf("developer").name,
  "Get Specific User": async (call) =>
    (await call(`/user/${outsider}`)).name === demoPersonOf("outsider").name,
  "Get User Stats Estimate": async (call) =>
    Number((await call(`/user/estimate/${outsider}`)).stat_score) > 0,
  "Get User Historical Stats": async (call) => {
    const [first] = (await findTargets(call)) as unknown as { target: { ID: number } }[];
    return Number((await call(`/user/${first?.target.ID}/stat`)).stat_score) > 0;
  },
  "List Events": async (call) => lengthOf((await call("/events")).events) > 0,
};

/** The call from the tests' list of endpoints gives a non-empty answer. */
const givesSomething =
  (title: string): IsReal =>
  async (call) => {
    const { method, path } = routes.find((endpoint) => endpoint.title === title) ?? {};
    const known = [...specifiedEndpoints, ...addedEndpoints].find(
      (one) => one.method === method && one.path === path,
    );
    if (known?.method !== "GET")
      throw new Error(`Say in realAnswers what a real answer of "${title}" is.`);
    return lengthOf(await call(known.asked)) > 0;
  };

export interface Unreal {
  readonly title: string;
  readonly given: string;
}

/** Operations without a real answer for the demo's developer; default all. */
export async function listUnreal(
  callApi: CallApi,
  titles = routes.map(({ title }) => title),
): Promise<Unreal[]> {
  const unreal: Unreal[] = [];
  for (const title of titles) {
    let given = "no call";
    const call = async (path: string, init?: RequestInit) => {
      const answer = await callApi(path, init);
      const text = await answer.text();
      given = `${answer.status} ${text.slice(0, 200)}`;
      if (!answer.ok) throw new Error(given);
      return (text === "" ? {} : JSON.parse(text)) as Json;
    };
    const isReal = await (realAnswers[title] ?? givesSomething(title))(call).catch(
      (error: Error) => {
        if (given === "no call") given = error.message;
        return false;
      },
    );
    if (!isReal) unreal.push({ title, given });
  }
  return unreal;
}
