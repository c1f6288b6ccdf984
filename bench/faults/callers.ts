import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { demoPeople, demoPersonOf } from "#simulator/demo-people";
import { basic, type Credentials, openVisitor, type Tokens, type Visitor } from "../../e2e/support/visitor";

/** One call as its caller saw it. Instants are of the monotonic clock; status 0: no answer. */
export interface Call {
  readonly kind: Kind;
  readonly began: number;
  readonly took: number;
  readonly status: number;
  /** What was answered, where it is no success. */
  readonly text: string;
}
export type Kind = "read" | "refresh" | "authorize" | "revoke" | "vault" | "page" | "docs";

interface Reply {
  readonly status: number;
  readonly text: string;
}

const redirectUri = "https://faults.example/callback";
const scopes = ["identity", "faction:banking", "service_key:usage"];
const faction = 7001;
const chains = 6;
/** Milliseconds after which a call counts as one that hangs for ever, and between two calls of one caller. */
const forEver = 120_000;
const pause = 60;
/** Milliseconds. Each request reads the vault with a player's key, which the game answers 60 times a minute. */
const betweenRequests = 2_500;
/** Milliseconds after which a call that was given up is not carried out any more. */
const longestWork = 6_000;

export interface Callers {
  readonly calls: readonly Call[];
  /** Promises that were broken: what was acknowledged and does not hold. */
  readonly broken: readonly string[];
  /** Refreshes that were refused after an answer to an earlier one was lost: nothing was acknowledged, but a player signs in again. */
  readonly signedOut: () => number;
  /** How many writes were acknowledged. */
  readonly acknowledged: () => number;
  /** Asks each of these servers for everything that was acknowledged. */
  verify(urls: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

const callersStop = new Error("callers stop");

/** Begins to call `url` as players and applications do, without end. */
export async function startCallers(url: string): Promise<Callers> {
  const agent = new Agent({ keepAlive: true });
  const visitors: Visitor[] = [];
  for (const { key } of demoPeople) visitors.push(await openVisitor(url, key));
  const visitor = (role: Parameters<typeof demoPersonOf>[0]) =>
    visitors[demoPeople.indexOf(demoPersonOf(role))] as Visitor;
  const client = await visitor("developer").register({ name: "Faults", redirectUri, scopes });
  const calls: Call[] = [];
  const broken: string[] = [];
  const revoked: string[] = [];
  const granted: Tokens[] = [];
  const requested = new Map<number, { amount: number; cancelled: boolean }>();
  let [acknowledged, signedOut, over] = [0, 0, false];

  async function timed(kind: Kind, work: () => Promise<Reply>): Promise<Reply> {
    const began = performance.now();
    const reply = await work().catch((error) => ({
      status: Number(/answered (\d+)/.exec(String(error))?.[1] ?? 0),
      text: String(error),
    }));
    const text = reply.status < 300 ? "" : reply.text.slice(0, 200);
    calls.push({ kind, began, took: performance.now() - began, status: reply.status, text });
    return reply;
  }
  const send = (address: string, options: Sent = {}) => ask(new URL(address, url), agent, options);
  const form = (fields: Record<string, string>, of: Credentials = client): Sent => ({
    headers: { authorization: basic(of), "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
  const bearer = (token: string, more: Record<string, string> = {}) => ({
    authorization: `Bearer ${token}`,
    ...more,
  });
  const authorize = async (who: Visitor): Promise<Tokens | undefined> => {
    let tokens: Tokens | undefined;
    await timed("authorize", async () => {
      tokens = await who.authorize(client, { redirectUri, scopes });
      return { status: 200, text: "" };
    });
    if (tokens) acknowledged += 1;
    return tokens;
  };
  const until = async <Found>(look: () => Promise<Found | undefined>): Promise<Found> => {
    for (;;) {
      const found = await look();
      if (over) throw callersStop;
      if (found) return found;
      await wait(pause * 5);
    }
  };

  /** An application that refreshes a player's tokens again and again, and reads with the new one. */
  async function chain(who: Visitor): Promise<void> {
    let tokens = await until(() => authorize(who));
    let unanswered = false;
    while (!over) {
      const { refreshToken } = tokens;
      const reply = await timed("refresh", () =>
        send("/oauth/token", form({ grant_type: "refresh_token", refresh_token: refreshToken })),
      );
      if (reply.status === 200) {
        acknowledged += 1;
        unanswered = false;
        const said = JSON.parse(reply.text);
        tokens = { accessToken: said.access_token, refreshToken: said.refresh_token };
        const read = await timed("read", () =>
          send("/api/v1/user", { headers: bearer(tokens.accessToken) }),
        );
        if (read.status === 401) broken.push(`a token that was just issued: ${read.text}`);
      } else if (reply.status === 400) {
        if (unanswered) signedOut += 1;
        else broken.push(`a refresh token that was acknowledged: ${reply.text}`);
        tokens = await until(() => authorize(who));
        unanswered = false;
      } else unanswered = true;
      await wait(pause);
    }
  }

  /** Players that allow an application, and end it again. */
  async function comeAndGo(): Promise<void> {
    for (let n = 0; !over; n++) {
      const tokens = await authorize(visitor("outsider"));
      if (tokens && n % 2 === 0) granted.push(tokens);
      else if (tokens) {
        const reply = await timed("revoke", () =>
          send("/oauth/revoke", form({ token: tokens.refreshToken })),
        );
        if (reply.status === 200) {
          acknowledged += 1;
          revoked.push(tokens.accessToken);
          const read = await timed("read", () =>
            send("/api/v1/user", { headers: bearer(tokens.accessToken) }),
          );
          if (read.status === 200) broken.push("a token that was revoked before");
        }
      }
      await wait(pause * 6);
    }
  }

  /** A member that asks for money and takes it back, each once however often it is sent. */
  async function bank(): Promise<void> {
    const { accessToken } = await until(() => authorize(visitor("member")));
    const headers = bearer(accessToken, { "content-type": "application/json" });
    for (let amount = 1_001; !over; amount++) {
      let key = randomUUID();
      const body = JSON.stringify({ amount, type: "money_balance" });
      const address = `/api/v1/faction/${faction}/banking`;
      const id = await until(async () => {
        const reply = await timed("vault", () =>
          send(address, { headers: { ...headers, "idempotency-key": key }, body }),
        );
        if (reply.status === 200) return JSON.parse(reply.text).id as number;
        if (reply.status !== 409) return undefined;
        // The server that worked on it died or lost the database: only the caller can find out what became of it.
        await wait(longestWork);
        const listed = await timed("read", () =>
          send(`${address}?search_type=all&limit=20`, { headers }),
        );
        if (listed.status !== 200) return undefined;
        const found = (JSON.parse(listed.text) as { id: number; amount: number }[]).find(
          (each) => each.amount === amount,
        );
        if (!found) key = randomUUID();
        return found?.id;
      });
      if (over) return;
      acknowledged += 1;
      requested.set(id, { amount, cancelled: false });
      const gone = await until(async () => {
        const { status } = await timed("vault", () =>
          send(`${address}/${id}`, { headers, method: "DELETE" }),
        );
        return status === 204 || status === 404 || status === 409 ? status : undefined;
      });
      if (gone === 204) {
        acknowledged += 1;
        requested.set(id, { amount, cancelled: true });
      }
      await wait(betweenRequests);
    }
  }

  async function browse(): Promise<void> {
    while (!over) {
      await timed("page", () =>
        send("/account", { headers: { cookie: visitor("loner").cookie() } }),
      );
      await timed("docs", () => send("/docs"));
      await wait(pause * 5);
    }
  }

  const running = [
    ...Array.from({ length: chains }, (_, n) => chain(visitors[n % 2 ? 0 : 3] as Visitor)),
    ...[comeAndGo(), bank(), browse()],
  ];
  const banker = await authorize(visitor("member"));
  return {
    calls,
    broken,
    signedOut: () => signedOut,
    acknowledged: () => acknowledged,
    verify: async (urls) => {
      for (const base of urls) {
        const status = async (token: string) =>
          (await ask(new URL("/api/v1/user", base), agent, { headers: bearer(token) })).status;
        for (const token of revoked.slice(-40))
          if ((await status(token)) !== 401) broken.push(`a revocation, at ${base}`);
        for (const { accessToken } of granted.slice(-40))
          if ((await status(accessToken)) !== 200) broken.push(`a token, at ${base}`);
        // The member goes on meanwhile: only what was acknowledged before these questions must be in their answers.
        const promised = [...requested].slice(-60);
        const address = `/api/v1/faction/${faction}/banking?search_type=all&limit=100`;
        const { text } = await ask(new URL(address, base), agent, {
          headers: bearer(banker?.accessToken ?? ""),
        });
        const listed = JSON.parse(text) as { id: number; amount: number }[];
        const pending = JSON.parse(
          (
            await ask(new URL(address.replace("all", "pending"), base), agent, {
              headers: bearer(banker?.accessToken ?? ""),
            })
          ).text,
        ) as { id: number }[];
        const amounts = listed.map(({ amount }) => amount);
        if (new Set(amounts).size < amounts.length)
          broken.push(`a vault request is there twice, at ${base}`);
        for (const [id, { cancelled }] of promised) {
          if (!listed.some((each) => each.id === id))
            broken.push(`vault request ${id}, at ${base}`);
          if (cancelled && pending.some((each) => each.id === id))
            broken.push(`the end of vault request ${id}, at ${base}`);
        }
      }
    },
    stop: async () => {
      over = true;
      await Promise.allSettled(running);
      agent.destroy();
    },
  };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ask(
  url: URL,
  agent: Agent,
  { headers = {}, body, method = body ? "POST" : "GET" }: Sent,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, method, headers, signal: AbortSignal.timeout(forEver) },
      (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        answer
          .once("error", reject)
          .once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.once("error", reject).end(body);
  });
}
