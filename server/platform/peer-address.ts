import { isIP, isIPv6 } from "node:net";
import type { Settings } from "./env";

/** From a proxy, with or without port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
export function parseAddressText(text: string): string | null {
  const [, ipv4, ipv6] =
    /^(\d+(?:\.\d+){3})(?::\d+)?$|^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const address = plainAddress(ipv4 ?? ipv6 ?? text.trim());
  return isIP(address) === 0 ? null : address;
}

/** IPv4-mapped addresses as IPv4. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** A subscriber owns at least the last four groups of 16 bits. */
const groups = 8;
const networkGroups = 4;

/** For limits. An owner of IPv6 addresses could use a fresh one per try. @param address null if unknown */
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

/** Overrides the client's. */
export const internalPeerHeader = "x-adjutant-peer";

/** Overrides the client's. */
export const internalRequestHeader = "x-adjutant-request";

/** Their scripts run by hash. */
export const sharedPageHeader = "x-adjutant-shared-page";

/** Overrides the client's. */
export const pageAddressHeader = "x-adjutant-page";

const mark = Symbol.for("adjutant.front");

/** Before Next's first request. */
export function announceFront(): void {
  Object.assign(globalThis, { [mark]: true });
}

export const hasFront = (): boolean => mark in globalThis;

export const requestIdGiven = (headers: Headers): string | undefined =>
  (hasFront() && headers.get(internalRequestHeader)) || undefined;

/** From the front, or TRUSTED_PLATFORM_HEADER; other headers are the client's choice. */
export function peerAddress(
  headers: Headers,
  settings: Pick<Settings, "trustedPlatformHeader">,
): string | null {
  if (hasFront()) return headers.get(internalPeerHeader);
  const { trustedPlatformHeader } = settings;
  const sent = trustedPlatformHeader && headers.get(trustedPlatformHeader);
  // The first hop is the caller's.
  return sent ? parseAddressText(sent.split(",", 1)[0] ?? "") : null;
}
