import { Resolver } from "node:dns/promises";
import { connect, isIP, type Socket, SocketAddress } from "node:net";
import { createSecureContext, type SecureContext, connect as tlsConnect } from "node:tls";
import { isPublicAddress } from "#server/platform/public-address";
import { secondMs } from "#server/platform/time";
import { networkCode } from "#server/platform/upstream";
import { createDeadline } from "#server/platform/within";
import type { AttemptFailure } from "./attempt";

export interface Network {
  resolver(): Pick<Resolver, "resolve4" | "resolve6" | "resolveTxt" | "cancel">;
  isPublic(address: string): boolean;
  connect(to: { readonly host: string; readonly port: number }): Socket;
  /** Holds the trusted certificate authorities. */
  secureContext(): SecureContext;
}

export interface ConnectionFailure {
  readonly failure: AttemptFailure;
  readonly code: string | null;
}

export const connectionFailure = (failure: AttemptFailure, error?: unknown): ConnectionFailure => ({
  failure,
  code: error === undefined ? null : networkCode(error),
});

const failuresByCode: Readonly<Record<string, AttemptFailure>> = {
  ECONNREFUSED: "refused",
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate-untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate-untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "certificate-untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-untrusted",
  // The peer's bytes were not a TLS record.
  ERR_SSL_WRONG_VERSION_NUMBER: "no-tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "no-tls",
};

/** If a deadline aborted the signal, the signal's reason is the failure. */
export const abortFailureOf = ({ reason }: AbortSignal): ConnectionFailure =>
  connectionFailure(
    reason === "timeout" || reason === "dns" || reason === "connect" ? reason : "aborted",
  );

/** Uses c-ares, because a silent nameserver would block the four threads of `dns.lookup`. */
export function createPublicNetwork(): Network {
  let context: SecureContext | undefined;
  return {
    resolver: () => new Resolver({ timeout: 0.8 * secondMs, tries: 2 }),
    isPublic: isPublicAddress,
    connect: ({ host, port }) => connect({ host, port, autoSelectFamily: false }),
    secureContext: () => {
      context ??= createSecureContext({ minVersion: "TLSv1.2" });
      return context;
    },
  };
}

/** Bounds how many addresses one host name can make us probe. */
const mostAddresses = 3;

/** One private address disqualifies a host, because the next lookup may list that address first. */
export async function resolvePublic(
  host: string,
  network: Network,
  signal: AbortSignal,
): Promise<readonly string[] | ConnectionFailure> {
  const found = await ask(network, signal, (resolver) =>
    Promise.all([
      resolver.resolve4(host).catch(noneOfThisKind),
      resolver.resolve6(host).catch(noneOfThisKind),
    ]),
  );
  if ("failure" in found) return found;
  const addresses = found.flat();
  // The code distinguishes an empty answer from a silent nameserver.
  if (addresses.length === 0) return { failure: "dns", code: "ENODATA" };
  return addresses.every(network.isPublic) ? addresses : connectionFailure("refused-address");
}

/** The name is not checked, because no connection follows. A response has at most 64 KB. */
export async function resolveTxtRecords(
  name: string,
  network: Network,
  signal: AbortSignal,
): Promise<readonly string[] | ConnectionFailure> {
  const found = await ask(network, signal, (resolver) =>
    resolver.resolveTxt(name).catch(noneOfThisKind),
  );
  return "failure" in found ? found : found.map((pieces) => pieces.join(""));
}

async function ask<Found extends readonly unknown[]>(
  network: Network,
  signal: AbortSignal,
  question: (resolver: ReturnType<Network["resolver"]>) => Promise<Found>,
): Promise<Found | ConnectionFailure> {
  const resolver = network.resolver();
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const found = await question(resolver);
    return signal.aborted ? abortFailureOf(signal) : found;
  } catch (error) {
    return signal.aborted ? abortFailureOf(signal) : connectionFailure("dns", error);
  } finally {
    signal.removeEventListener("abort", cancel);
    resolver.cancel();
  }
}

function noneOfThisKind(error: unknown): never[] {
  const code = networkCode(error);
  if (code === "ENODATA" || code === "ENOTFOUND") return [];
  throw error;
}

export interface ConnectOptions {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly network: Network;
  readonly signal: AbortSignal;
  /** Milliseconds for all addresses together. */
  readonly limitMs: number;
  readonly onConnect: () => void;
}

export async function openSocket(way: ConnectOptions): Promise<Socket | ConnectionFailure> {
  const socket = await connectToOne(way);
  if ("failure" in socket) return socket;
  way.onConnect();
  if (way.url.protocol !== "https:") return socket;
  // `rejectUnauthorized` is set, because `NODE_TLS_REJECT_UNAUTHORIZED=0` changes its default.
  const secured = tlsConnect({
    socket,
    servername: way.url.hostname,
    secureContext: way.network.secureContext(),
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
  const failed = await whenReady(secured, "secureConnect", { failure: "tls", signal: way.signal });
  return failed?.failure === "connect" ? connectionFailure("tls-timeout") : (failed ?? secured);
}

async function connectToOne({
  url,
  addresses,
  network,
  signal,
  limitMs,
}: ConnectOptions): Promise<Socket | ConnectionFailure> {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const tried = addresses.slice(0, mostAddresses);
  let last = connectionFailure("connect");
  for (const host of tried) {
    // A silent address must leave time for the next address.
    const own = createDeadline(limitMs / tried.length, "connect", signal);
    const socket = network.connect({ host, port });
    const failed = await whenReady(socket, "connect", { failure: "connect", signal: own.signal });
    own.end();
    if (!failed && isAt(socket, host)) return socket;
    last =
      failed ??
      connectionFailure(socket.remoteAddress === undefined ? "connect" : "refused-address");
    socket.destroy();
    if (signal.aborted) break;
  }
  return last;
}

function whenReady(
  socket: Socket,
  event: "connect" | "secureConnect",
  { failure, signal }: { failure: AttemptFailure; signal: AbortSignal },
): Promise<ConnectionFailure | undefined> {
  return new Promise((resolve) => {
    const settle = (result: ConnectionFailure | undefined) => {
      signal.removeEventListener("abort", onAbort);
      if (result) socket.destroy();
      resolve(result);
    };
    const onAbort = () => settle(abortFailureOf(signal));
    // The listener stays, because an unhandled later error would crash the process.
    socket.on("error", (error) =>
      settle(connectionFailure(failuresByCode[networkCode(error)] ?? failure, error)),
    );
    socket.once("close", () => settle(connectionFailure(failure)));
    socket.once(event, () => settle(undefined));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

function isAt({ remoteAddress }: Socket, address: string): boolean {
  return remoteAddress !== undefined && normal(remoteAddress) === normal(address);
}

const normal = (address: string): string =>
  isIP(address) === 0
    ? address
    : new SocketAddress({ address, family: isIP(address) === 6 ? "ipv6" : "ipv4" }).address;
