import { createAdmission, keyTextOf } from "./admission";
import { createAnswer } from "./answer";
import { createAnswerCache } from "./answer-cache";
import { type Control, createControl } from "./control";
import { type DemoPerson, demoPeople } from "./demo-people";
import { errorBody } from "./error-body";
import { createFaults, type Fault } from "./faults";
import { createKeys } from "./keys";
import { createWorld } from "./world";

/** The large world is what a visitor sees; the small one is for tests. */
const sizes = {
  demo: { players: 12_000, factions: 150 },
  small: { players: 600, factions: 12 },
} as const;

export interface SimulatorOptions {
  /** An integer. Equal seeds, control calls and times give equal bytes. */
  seed: number;
  /** The moment at which the world's generated past ends. */
  epoch: Date;
  /** The clock; left out, one that stands at `epoch`. `control.advance` moves the game ahead of either. */
  now?: () => Date;
  world?: keyof typeof sizes;
  /** Another number of players than the world's own. */
  players?: number;
}

export interface Simulator {
  /** Where its version 2 lives: the base URL for a client on this `fetch`. The name resolves nowhere else. */
  readonly baseUrl: string;
  /** Answers as the game's API would. `peer.address`, where it is known, has a limit of its own. */
  fetch(request: Request, peer?: { address: string }): Promise<Response>;
  readonly control: Control;
  readonly demoKeys: Readonly<Record<DemoPerson["role"], string>>;
  now(): Date;
}

const json = (body: string) => new Response(body, { headers: { "content-type": "application/json" } });

const page = (status: number) =>
  new Response(`<!DOCTYPE html><html><head><title>${status}</title></head><body>Just a moment...</body></html>`, {
    status,
    headers: { "content-type": "text/html; charset=UTF-8" },
  });

/** Waits, but no longer than the caller does. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

/** The faulty answer, or null where the fault only delays. */
function faulty(fault: Fault, trueAnswer: () => string): Response | null {
  if (fault.drop) throw new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
  if (fault.redirect) return new Response(null, { status: 302, headers: { location: fault.redirect } });
  if (fault.http !== undefined) return page(fault.http);
  if (fault.code !== undefined) return json(errorBody(fault.code));
  if (fault.malformed) return json('{"profile": {"id": 12,, oops');
  if (fault.truncate) {
    const text = trueAnswer();
    return json(text.slice(0, Math.floor(text.length / 2)));
  }
  return null;
}

/** Opens a simulated game. Nothing of it lives outside the value that is returned. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { seed, epoch } = options;
  const size = sizes[options.world ?? "demo"];
  const players = options.players ?? size.players;
  const factions = options.players === undefined ? size.factions : Math.max(3, Math.round(players / 80));

  let moved = 0;
  const now = () => new Date((options.now?.() ?? epoch).getTime() + moved);
  const advance = (seconds: number) => {
    moved += Math.round(seconds * 1000);
  };

  const world = createWorld({ seed, epoch, players, factions });
  const keys = createKeys(seed, world);
  const faults = createFaults();
  const cache = createAnswerCache();
  const answer = createAnswer({ world, keys, cache, admit: createAdmission({ keys, world }) });
  const control = createControl({ world, keys, faults, cache, now, advance });

  async function fetch(request: Request, peer?: { address: string }): Promise<Response> {
    if (request.method !== "GET") return page(405);
    const url = new URL(request.url);
    const call = { url, keyText: keyTextOf(request, url), address: peer?.address ?? null, now: now() };
    const key = call.keyText === null ? null : keys.find(call.keyText);
    const fault = faults.take({
      path: url.pathname.replace(/^\/v2\//, ""),
      key: call.keyText,
      player: key?.playerId ?? null,
    });
    if (fault?.delayMs !== undefined) await pause(fault.delayMs, request.signal);
    return (fault && faulty(fault, () => answer(call))) ?? json(answer(call));
  }

  const demoKeys = Object.fromEntries(demoPeople.map(({ role, key }) => [role, key]));
  return {
    baseUrl: "http://game.invalid/v2",
    fetch,
    control,
    demoKeys: demoKeys as Record<DemoPerson["role"], string>,
    now,
  };
}
