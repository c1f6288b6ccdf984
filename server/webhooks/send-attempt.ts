import { version } from "#server/platform/env";
import { secondMs } from "#server/platform/time";
import { createDeadline } from "#server/platform/within";
import type { Attempt, AttemptFailure, Phases } from "./attempt";
import {
  type Network,
  open,
  publicNetwork,
  resolvePublic,
  type Stopped,
  stopped,
} from "./connection";
import { type EndpointSettings, readEndpointUrl } from "./endpoint-url";
import { exchange } from "./exchange";

/** Milliseconds for an attempt and its parts. */
export interface AttemptLimits {
  readonly total: number;
  readonly dns: number;
  /** TCP and TLS together. */
  readonly connect: number;
  /** For the body, once there is a status. */
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
  /** The monotonic clock, in milliseconds. */
  readonly elapsed?: () => number;
}

/** A request to one endpoint. */
export interface Outgoing {
  /** As stored. It is judged again. */
  readonly url: string;
  /** JSON. */
  readonly body: string;
  /**
   * Called once the connection is open, right before the request is written, so that the signature has the time of the attempt.
   * It may ask the database whether the consent still holds, and abort the signal. What it throws is thrown to the caller.
   */
  readonly headers: () =>
    | Readonly<Record<string, string>>
    | Promise<Readonly<Record<string, string>>>;
  /** Ends the attempt at once, with the failure `aborted`. */
  readonly signal?: AbortSignal;
}

export type SendAttempt = (outgoing: Outgoing) => Promise<Attempt>;

/** Makes the one function that posts to endpoints: one attempt, which never throws for anything that a receiver does. */
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
          "content-type": "application/json",
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

/** Does a step within a time of its own, and within that of the attempt. */
async function limited<T>(
  milliseconds: number,
  reason: AttemptFailure,
  parent: AbortSignal,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, end } = createDeadline(milliseconds, reason, parent);
  return step(signal).finally(end);
}

/** The addresses of a loopback target, which the rule for URLs lets pass over plain http alone. */
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
