import { isIP, isIPv6 } from "node:net";
import type { Settings } from "./env";

/**
 * Address from a proxy: without port, IPv4-mapped addresses as IPv4 (`192.0.2.7:4711`,
 * `[2001:db8::7]:4711`). Null if invalid.
 */
export function parseAddressText(text: string): string | null {
  const [, ipv4, ipv6] =
    /^(\d+(?:\.\d+){3})(?::\d+)?$|^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const address = plainAddress(ipv4 ?? ipv6 ?? text.trim());
  return isIP(address) === 0 ? null : address;
}

/** IPv4-mapped addresses as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** IPv6 has eight groups of 16 bits; a subscriber owns at least the last four. */
const groups = 8;
const networkGroups = 4;

/**
 * Subject of a limit: an IPv4 address, or the /64 network of an IPv6 address, since its owner could
 * use a fresh address per try.
 * @param address null if unknown to the mount: such clients share one subject
 */
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

/** Client address from the production front, which deletes the client's own. */
export const internalPeerHeader = "x-adjutant-peer";

/** Request id from the front; overrides the client's. */
export const internalRequestHeader = "x-adjutant-request";

/** Marks the front's own requests for shared pages, where scripts run by hash. */
export const sharedPageHeader = "x-adjutant-shared-page";

/** The page's own path and query; overrides the client's. */
export const pageAddressHeader = "x-adjutant-page";

const mark = Symbol.for("adjutant.front");

/** Called by the front before Next's first request. */
export function announceFront(): void {
  Object.assign(globalThis, { [mark]: true });
}

export const hasFront = (): boolean => mark in globalThis;

export const requestIdGiven = (headers: Headers): string | undefined =>
  (hasFront() && headers.get(internalRequestHeader)) || undefined;

/**
 * Client address from the front, or without it from TRUSTED_PLATFORM_HEADER; else null, because
 * other headers are the client's choice.
 */
export function peerAddress(
  headers: Headers,
  settings: Pick<Settings, "trustedPlatformHeader">,
): string | null {
  if (hasFront()) return headers.get(internalPeerHeader);
  const { trustedPlatformHeader } = settings;
  const sent = trustedPlatformHeader && headers.get(trustedPlatformHeader);
  // A platform may append its own hops; the first is the caller's.
  return sent ? parseAddressText(sent.split(",", 1)[0] ?? "") : null;
}
