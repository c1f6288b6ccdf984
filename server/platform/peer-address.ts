import { isIP, isIPv6 } from "node:net";
import type { Settings } from "./env";

/** Parses a proxy's text, with or without port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
export function parseIpAddress(text: string): string | null {
  const [, ipv4, ipv6] =
    /^(\d+(?:\.\d+){3})(?::\d+)?$|^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const address = unmapIpv4(ipv4 ?? ipv6 ?? text.trim());
  return isIP(address) === 0 ? null : address;
}

export const unmapIpv4 = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** A subscriber owns at least the last four groups of 16 bits. */
const groups = 8;
const networkGroups = 4;

/** Limits count networks, because an owner of IPv6 addresses could use a fresh one per try. */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  const [plain = ""] = address.split("%", 1);
  if (!isIPv6(plain) || plain.includes(".")) return address;
  const [front = "", back] = plain.split("::");
  const before = groupsOf(front);
  const after = back === undefined ? [] : groupsOf(back);
  const skipped = Array.from({ length: groups - before.length - after.length }, () => 0);
  const network = [...before, ...skipped, ...after].slice(0, networkGroups);
  return `${network.map((group) => group.toString(16)).join(":")}::/64`;
}

const groupsOf = (text: string): number[] =>
  text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));

/** The front overwrites a client's header. */
export const internalPeerHeader = "x-adjutant-peer";

/** The front overwrites a client's header. */
export const internalRequestIdHeader = "x-adjutant-request";

export const sharedPageHeader = "x-adjutant-shared-page";

/** `securityHeadersOf` overwrites a client's header. */
export const pagePathHeader = "x-adjutant-page";

const mark = Symbol.for("adjutant.front");

/** Must be called before Next's first request. */
export function announceFront(): void {
  Object.assign(globalThis, { [mark]: true });
}

export const hasFront = (): boolean => mark in globalThis;

export const requestIdGiven = (headers: Headers): string | undefined =>
  (hasFront() && headers.get(internalRequestIdHeader)) || undefined;

/** Trusts only the front or TRUSTED_PLATFORM_HEADER, because clients choose other headers. */
export function peerAddress(
  headers: Headers,
  settings: Pick<Settings, "trustedPlatformHeader">,
): string | null {
  if (hasFront()) return headers.get(internalPeerHeader);
  const { trustedPlatformHeader } = settings;
  const sent = trustedPlatformHeader && headers.get(trustedPlatformHeader);
  // The first hop is the caller.
  return sent ? parseIpAddress(sent.split(",", 1)[0] ?? "") : null;
}
