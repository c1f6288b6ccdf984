import { setTimeout as wait } from "node:timers/promises";
import { keyTextOf } from "./admission";
import { createAnswer, createAnswerCache } from "./answer";
import { createGameAreas } from "./areas";
import { isDefaultAgent } from "./behaviour";
import { controlVerbs } from "./control-verbs";
import { type DemoPerson, demoPeople } from "./demo-people";
import { createFaults } from "./faults";
import { createKeys } from "./keys";
import type { StatModelName } from "./people/battle-stats";
import { faultResponse, htmlResponse, jsonResponse } from "./responses";

/** Large for visitors, small for tests. */
const sizes = {
  demo: { players: 12_000, factions: 150 },
  small: { players: 600, factions: 12 },
} as const;

export type SimulatorControl = ReturnType<typeof controlVerbs>;

export interface SimulatorInit extends Pick<RequestInit, "signal"> {
  readonly address?: string;
}

export interface SimulatorOptions {
  /** An integer. Equal seeds, control calls and times give equal bytes. */
  seed: number;
  /** End of the world's generated past. */
  epoch: Date;
  /** Default: always `epoch`. `control.advance` moves the game ahead of the clock. */
  now?: () => Date;
  world?: keyof typeof sizes;
  statModel?: StatModelName;
  players?: number;
}

export interface Simulator {
  /** Base URL of version 2, for clients that use this `fetch`: the host does not resolve. */
  readonly baseUrl: string;
  /** An address, if given, has its own limit. */
  fetch(request: Request, init?: SimulatorInit): Promise<Response>;
  readonly control: SimulatorControl;
  readonly demoKeys: Readonly<Record<DemoPerson["role"], string>>;
  now(): Date;
}

/** `faction?selections=crimes` gives `faction` and `faction/crimes`. */
function pathsOf(url: URL): string[] {
  const path = url.pathname.replace(/^\/v2\//, "");
  const selections = (url.searchParams.get("selections") ?? "").split(",").filter(Boolean);
  return [path, ...selections.map((selection) => `${path}/${selection}`)];
}

const pause = (ms: number, signal: AbortSignal) =>
  wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted());

export function createSimulator(options: SimulatorOptions): Simulator {
  const { seed, epoch, statModel = "plain" } = options;
  const size = sizes[options.world ?? "demo"];
  const players = options.players ?? size.players;
  const factions =
    options.players === undefined ? size.factions : Math.max(3, Math.round(players / 80));

  let ahead = 0;
  const now = () => new Date((options.now?.() ?? epoch).getTime() + ahead);
  const advance = (seconds: number) => {
    ahead += Math.round(seconds * 1000);
  };
  const areas = createGameAreas({ seed, epoch, players, factions, statModel });
  const keys = createKeys({ seed, world: areas.world });
  const faults = createFaults(seed);
  const cache = createAnswerCache();
  const answer = createAnswer({ areas, keys, cache });
  const control = controlVerbs({ ...areas, seed, epoch, keys, faults, cache, now, advance });

  async function fetch(request: Request, init?: SimulatorInit): Promise<Response> {
    if (request.method !== "GET") return htmlResponse(405);
    const url = new URL(request.url);
    if (areas.behaviour.now().agentsWanted && isDefaultAgent(request.headers.get("user-agent")))
      return htmlResponse(403);
    const at = now();
    const keyText = keyTextOf(request, url);
    const player = keyText === null ? null : (keys.find(keyText)?.playerId ?? null);
    const fault = faults.take({ paths: pathsOf(url), key: keyText, player, now: at });
    if (fault?.delayMs !== undefined) await pause(fault.delayMs, request.signal);
    const call = {
      url,
      keyText,
      address: init?.address ?? null,
      now: at,
      stale: fault?.stale ?? false,
    };
    return (fault && faultResponse(fault, () => answer(call))) ?? jsonResponse(answer(call));
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
