/** Why an attempt brought no answer, for machines and the operator. What is shown to developers: `shownFailure`. */
export type AttemptFailure =
  /** The stored URL could not be registered today. */
  | "refused-url"
  | "dns"
  /** The host has an address that is not public, or the connection led to another one than was checked. */
  | "refused-address"
  | "connect"
  | "refused"
  /** A fault of TLS, named where it is known. */
  | "tls"
  | "tls-timeout"
  | "no-tls"
  | "certificate-expired"
  | "certificate-host"
  | "certificate-untrusted"
  /** The receiver wants a certificate of ours. Under TLS 1.3 it says so after the handshake. */
  | "certificate-wanted"
  | "timeout"
  /** After the request was begun, and before there was a status. */
  | "connection-lost"
  | "too-large"
  | "invalid-answer"
  /** We ended it: the caller's signal was aborted. */
  | "aborted";

/** Milliseconds that each phase took; null for those that were not finished. */
export interface Phases {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  /** From the connection to the first byte of the answer. */
  readonly firstByte: number | null;
  readonly total: number;
}

/** A status line that came in time, and what a receiver says beside it. */
export interface AttemptAnswer {
  readonly status: number;
  /** The headers `Retry-After` and `webhook-delivery` as they came. */
  readonly retryAfter: string | null;
  readonly delivery: string | null;
  /** The first printable characters of the body. */
  readonly excerpt: string;
  readonly phases: Phases;
}

export interface UnansweredAttempt {
  readonly failure: AttemptFailure;
  /** The network's own code (`ECONNREFUSED`, `CERT_HAS_EXPIRED`) for the operator's log; null where there is none. */
  readonly code: string | null;
  readonly phases: Phases;
}

export type Attempt = AttemptAnswer | UnansweredAttempt;

/**
 * Developers choose the host: their messages must not reveal names and addresses of our network.
 */
export type ShownFailure = Exclude<AttemptFailure, "refused-address">;

export const shownFailure = (failure: AttemptFailure): ShownFailure =>
  failure === "refused-address" ? "dns" : failure;

export const failureSentences: Readonly<Record<ShownFailure, string>> = {
  "refused-url": "This URL is no longer accepted. Change the endpoint's URL.",
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
};

/** What to do about an answer that is a redirect; null for other answers. */
export const redirectSentence = (status: number | null): string | null =>
  status !== null && status >= 300 && status < 400
    ? `Your endpoint answered with ${status}, a redirect, which we do not follow. Change the endpoint's URL to the address that it leads to.`
    : null;
