import { version } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { createDeadline } from "#server/platform/within";
import type { Attempt, AttemptFailure, Phases } from "./attempt";
import {
  type Network,
  open,
  publicNetwork,
  resolvePublic,
  resolveTexts,
  type Stopped,
  stopped,
} from "./connection";
import { type EndpointSettings, readEndpointUrl } from "./endpoint-url";
import { exchange } from "./exchange";

/** Milliseconds. */
export interface AttemptLimits {
  readonly total: number;
  readonly dns: number;
  /** TCP and TLS together. */
  readonly connect: number;
  /** Starts at the status. */
  readonly body: number;
}

export const attemptLimits: AttemptLimits = {
  total: 15 * secondMs,
  dns: 2 * secondMs,
  connect: 5 * secondMs,
  body: 2 * secondMs,
};

export interface SenderOptions {
  readonly settings: EndpointSettings;
  readonly network?: Network;
  readonly limits?: AttemptLimits;
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number;
}

export interface Outgoing {
  /** As stored; checked again. */
  readonly url: string;
  /** Without one, the request is a GET. */
  readonly body?: string;
  /**
   * Called right before the request is written, so that the signature has the attempt's time. May
   * check the consent and abort the signal; its errors are rethrown.
   */
  readonly headers: () =>
    | Readonly<Record<string, string>>
    | Promise<Readonly<Record<string, string>>>;
  readonly signal?: AbortSignal;
}

export type SendAttempt = (outgoing: Outgoing) => Promise<Attempt>;

/** One attempt; a receiver cannot make it throw. */
export function createSender(options: SenderOptions): SendAttempt {
  const {
    settings,
    network = publicNetwork(),
    limits = attemptLimits,
    elapsed = () => performance.now(),
  } = options;
  const userAgent = `adjutant/${version} (+${settings.baseUrl})`;

  return async function sendAttempt({ url: text, body, headers, signal: ended }) {
    const watch = startWatch(elapsed);
    const failed = (failure: Stopped): Attempt => ({
      ...(ended?.aborted ? stopped("aborted") : failure),
      phases: watch.phases(),
    });
    if (ended?.aborted) return failed(stopped("aborted"));
    const read = readEndpointUrl(text, settings);
    if ("why" in read) return failed(stopped("refused-url"));
    const url = new URL(read.url);
    const all = createDeadline(limits.total, "timeout", ended);
    try {
      const addresses =
        localAddresses(url) ??
        (await limited(limits.dns, "dns", all.signal, (signal) =>
          resolvePublic(url.hostname, network, signal),
        ));
      if ("failure" in addresses) return failed(addresses);
      watch.finished("dns");
      const socket = await limited(limits.connect, "connect", all.signal, (signal) =>
        open({
          url,
          addresses,
          network,
          signal,
          limitMs: limits.connect,
          onConnect: () => watch.finished("connect"),
        }),
      );
      if ("failure" in socket) return failed(socket);
      if (url.protocol === "https:") watch.finished("tls");
      const answer = await exchange(socket, {
        url,
        body,
        headers: async () => ({
          "user-agent": userAgent,
          ...(body === undefined ? asPlainText : { "content-type": "application/json" }),
          ...(await headers()),
        }),
        signal: all.signal,
        bodyMs: limits.body,
        onFirstByte: () => watch.finished("firstByte"),
      });
      return "failure" in answer ? failed(answer) : { ...answer, phases: watch.phases() };
    } finally {
      all.end();
    }
  };
}

/** A packed body is not read. */
const asPlainText = { accept: "text/plain", "accept-encoding": "identity" };

/** Of TXT records, each in one piece; none for an unknown name. */
export type ReadTexts = (name: string) => Promise<readonly string[] | Stopped>;

export const createTextReader =
  ({
    network = publicNetwork(),
    limits = attemptLimits,
  }: Pick<SenderOptions, "network" | "limits"> = {}): ReadTexts =>
  (name) =>
    limited(limits.dns, "dns", undefined, (signal) => resolveTexts(name, network, signal));

async function limited<T>(
  milliseconds: number,
  reason: AttemptFailure,
  parent: AbortSignal | undefined,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, end } = createDeadline(milliseconds, reason, parent);
  return step(signal).finally(end);
}

/** Only plain http may name a loopback target. */
function localAddresses({ protocol, hostname }: URL): readonly string[] | undefined {
  if (protocol !== "http:") return undefined;
  return hostname === "localhost" ? ["127.0.0.1", "::1"] : [hostname.replace(/^\[|\]$/g, "")];
}

function startWatch(elapsed: () => number) {
  const start = elapsed();
  let last = start;
  const taken: { -readonly [Phase in Exclude<keyof Phases, "total">]: Phases[Phase] } = {
    ...{ dns: null, connect: null, tls: null, firstByte: null },
  };
  return {
    finished: (phase: keyof typeof taken) => {
      const now = elapsed();
      taken[phase] = Math.round(now - last);
      last = now;
    },
    phases: (): Phases => ({ ...taken, total: Math.round(elapsed() - start) }),
  };
}
