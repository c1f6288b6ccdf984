export const failureSentences = {
  "refused-url": "This URL is no longer accepted. Change the endpoint's URL.",
  "secret-lost": "The secret can no longer be read, so nothing was signed or sent. Rotate it.",
  dns: "The host was not found, or is not on the public internet. Check its DNS records.",
  connect:
    "No connection to the host on port 443 within 5 seconds. Check that it is running and reachable.",
  refused:
    "The host refused the connection. Check that your server is running and listens on the port of the URL.",
  tls: "The TLS connection failed. Check that your server speaks TLS 1.2 or later.",
  "tls-timeout":
    "The host accepted the connection, and the TLS handshake did not end within 5 seconds. Check that port 443 speaks TLS.",
  "no-tls":
    "Port 443 does not speak TLS: it answered with something else, such as plain HTTP. Switch TLS on there.",
  "certificate-expired": "The TLS certificate has expired, or is not valid yet. Renew it.",
  "certificate-host":
    "The TLS certificate is for another host name. Get one for the host in the URL.",
  "certificate-untrusted":
    "The TLS certificate is not from an authority that is publicly trusted, or its chain is incomplete. Send the intermediate certificates too.",
  "certificate-wanted":
    "The host asks for a client certificate, and we have none. Let requests to this URL pass without one, and check their signature.",
  timeout: "No answer within 15 seconds. Answer at once and do the work afterwards.",
  "connection-lost": "The connection ended before there was an answer.",
  "too-large": "The headers of the answer were longer than 16 kB.",
  "invalid-answer": "The answer was not HTTP/1.1.",
  aborted: "The request was stopped because its consent ended or the endpoint changed.",
} as const;

/** A shown failure must not reveal our network, because developers choose the host. */
export type ShownFailure = keyof typeof failureSentences;

/** `refused-address`: the address is private, or differs from the checked one. */
export type AttemptFailure = ShownFailure | "refused-address";

export const shownFailure = (failure: AttemptFailure): ShownFailure =>
  failure === "refused-address" ? "dns" : failure;

/** Milliseconds; null for an unfinished phase. */
export interface Phases {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  /** From the open connection to the first byte of the answer. */
  readonly firstByte: number | null;
  readonly total: number;
}

export interface AttemptAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly delivery: string | null;
  readonly excerpt: string;
  readonly phases: Phases;
}

interface UnansweredAttempt {
  readonly failure: AttemptFailure;
  /** Such as `ECONNREFUSED`. */
  readonly code: string | null;
  readonly phases: Phases;
}

export type Attempt = AttemptAnswer | UnansweredAttempt;

export const unsignedAttempt: UnansweredAttempt = {
  failure: "secret-lost",
  code: null,
  phases: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
};

export const attemptColumnsOf = (attempt: Attempt) =>
  "failure" in attempt
    ? { status: null, failure: attempt.failure, phases: attempt.phases, excerpt: null }
    : { status: attempt.status, failure: null, phases: attempt.phases, excerpt: attempt.excerpt };

export interface AttemptView {
  readonly status: number | null;
  readonly failure: string | null;
  readonly phases: Phases;
  readonly excerpt: string | null;
}

export const viewAttempt = (attempt: Attempt): AttemptView => {
  const columns = attemptColumnsOf(attempt);
  const failure = columns.failure && failureSentences[shownFailure(columns.failure)];
  return { ...columns, failure };
};

export const isSuccess = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

export const describeRedirect = (status: number | null): string | null =>
  status !== null && status >= 300 && status < 400
    ? `Your endpoint answered with ${status}, a redirect, which we do not follow. Change the endpoint's URL to the address that it leads to.`
    : null;
