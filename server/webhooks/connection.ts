import { Resolver } from "node:dns/promises";
import { connect, isIP, type Socket, SocketAddress } from "node:net";
import { createSecureContext, type SecureContext, connect as tlsConnect } from "node:tls";
import { isPublicAddress } from "#server/platform/public-address";
import { secondMs } from "#server/platform/time";
import { networkCode } from "#server/platform/upstream";
import { createDeadline } from "#server/platform/within";
import type { AttemptFailure } from "./attempt";

/** The network that endpoints are in. Tests put one of their own in its place. */
export interface Network {
  /** A resolver for one attempt; it is cancelled where that ends early. */
  resolver(): Pick<Resolver, "resolve4" | "resolve6" | "cancel">;
  isPublic(address: string): boolean;
  connect(to: { readonly host: string; readonly port: number }): Socket;
  /** The authorities that a receiver's certificate must come from. */
  secureContext(): SecureContext;
}

/** Why a step came to nothing. */
export interface Stopped {
  readonly failure: AttemptFailure;
  readonly code: string | null;
}

export const stopped = (failure: AttemptFailure, error?: unknown): Stopped => ({
  failure,
  code: error === undefined ? null : networkCode(error),
});

/** Failures of a connection by the network's own code. */
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
  // Bytes that were read as a TLS record, and are none.
  ERR_SSL_WRONG_VERSION_NUMBER: "no-tls",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "no-tls",
};

/** The failure behind an aborted signal: a deadline's reason is the failure, any other reason is the caller's. */
export const stoppedBy = ({ reason }: AbortSignal): Stopped =>
  stopped(reason === "timeout" || reason === "dns" || reason === "connect" ? reason : "aborted");

/**
 * The public internet. Names are resolved by c-ares, which occupies no thread: `dns.lookup` has four for the whole process, and
 * a nameserver that never answers would hold them. A lost packet is asked for again within the limit of an attempt.
 */
export function publicNetwork(): Network {
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

/** As many addresses of a host are tried; more would let one name make us knock at many doors. */
const mostAddresses = 3;

/**
 * All addresses of a host, IPv4 first. One that is not public makes all unusable: a host that names inner and outer addresses
 * would otherwise be asked again until the inner one comes first.
 */
export async function resolvePublic(
  host: string,
  network: Network,
  signal: AbortSignal,
): Promise<readonly string[] | Stopped> {
  const resolver = network.resolver();
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.all([
      resolver.resolve4(host).catch(noneOfThisKind),
      resolver.resolve6(host).catch(noneOfThisKind),
    ]);
    if (signal.aborted) return stoppedBy(signal);
    const addresses = [...ipv4, ...ipv6];
    if (addresses.length === 0) return stopped("dns");
    return addresses.every(network.isPublic) ? addresses : stopped("refused-address");
  } catch (error) {
    return signal.aborted ? stoppedBy(signal) : stopped("dns", error);
  } finally {
    signal.removeEventListener("abort", cancel);
    resolver.cancel();
  }
}

/** A host without IPv6 addresses is no failure; a nameserver that does not say whether there are any is one. */
function noneOfThisKind(error: unknown): string[] {
  const code = networkCode(error);
  if (code === "ENODATA" || code === "ENOTFOUND") return [];
  throw error;
}

/** How an endpoint is reached, once its addresses are known. */
export interface Way {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly network: Network;
  readonly signal: AbortSignal;
  /** Milliseconds for all addresses together. */
  readonly limitMs: number;
  readonly onConnect: () => void;
}

/** Opens a connection, with TLS for https, to one of the addresses. */
export async function open(way: Way): Promise<Socket | Stopped> {
  const socket = await connectToOne(way);
  if ("failure" in socket) return socket;
  way.onConnect();
  if (way.url.protocol !== "https:") return socket;
  // The certificate must be the host's, whatever the environment says of verification.
  const secured = tlsConnect({
    socket,
    servername: way.url.hostname,
    secureContext: way.network.secureContext(),
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
  });
  const failed = await whenReady(secured, "secureConnect", { failure: "tls", signal: way.signal });
  return failed?.failure === "connect" ? stopped("tls-timeout") : (failed ?? secured);
}

/** Where one address refuses, the next is tried. The socket is at the very address that was checked. */
async function connectToOne({
  url,
  addresses,
  network,
  signal,
  limitMs,
}: Way): Promise<Socket | Stopped> {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const tried = addresses.slice(0, mostAddresses);
  let last = stopped("connect");
  for (const host of tried) {
    // A silent address must leave time for the others.
    const own = createDeadline(limitMs / tried.length, "connect", signal);
    const socket = network.connect({ host, port });
    const failed = await whenReady(socket, "connect", { failure: "connect", signal: own.signal });
    own.end();
    if (!failed && isAt(socket, host)) return socket;
    last = failed ?? stopped(socket.remoteAddress === undefined ? "connect" : "refused-address");
    socket.destroy();
    if (signal.aborted) break;
  }
  return last;
}

/** Waits until a socket is ready. Where it does not get so it is destroyed, and the reason is returned. */
function whenReady(
  socket: Socket,
  event: "connect" | "secureConnect",
  { failure, signal }: { failure: AttemptFailure; signal: AbortSignal },
): Promise<Stopped | undefined> {
  return new Promise((resolve) => {
    const settle = (result: Stopped | undefined) => {
      signal.removeEventListener("abort", onAbort);
      if (result) socket.destroy();
      resolve(result);
    };
    const onAbort = () => settle(stoppedBy(signal));
    // These two stay: an error after this step is the next step's to see, and must not reach the process.
    socket.on("error", (error) =>
      settle(stopped(failuresByCode[networkCode(error)] ?? failure, error)),
    );
    socket.once("close", () => settle(stopped(failure)));
    socket.once(event, () => settle(undefined));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Whether the other end has this address, in whichever spelling. */
function isAt({ remoteAddress }: Socket, address: string): boolean {
  return remoteAddress !== undefined && normal(remoteAddress) === normal(address);
}

const normal = (address: string): string =>
  isIP(address) === 0
    ? address
    : new SocketAddress({ address, family: isIP(address) === 6 ? "ipv6" : "ipv4" }).address;
