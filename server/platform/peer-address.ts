import { isIP, isIPv6 } from "node:net";
import type { Settings } from "./env";

/**
 * Reads an address that a proxy wrote: IPv4 as itself also where the proxy speaks IPv6, without the port that some write along
 * (`192.0.2.7:4711`, `[2001:db8::7]:4711`). Null where it is none.
 */
export function parseAddressText(text: string): string | null {
  const [, ipv4, ipv6] =
    /^(\d+(?:\.\d+){3})(?::\d+)?$|^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const address = plainAddress(ipv4 ?? ipv6 ?? text.trim());
  return isIP(address) === 0 ? null : address;
}

/** An IPv4 address as itself, also where the socket speaks IPv6. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

/** An IPv6 address has eight groups of 16 bits; a subscriber gets the last four of them, at least, to number at will. */
const groups = 8;
const networkGroups = 4;

/**
 * The subject of a limit by address: an IPv4 address itself, of an IPv6 address the network of 64 bits. The owner of one of
 * its addresses has all, and would otherwise take a fresh one for each try.
 * @param address the client's, or null where the mount cannot know it: such clients are one
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

/**
 * The header with the client address, from the production front to Next's routes. The front deletes
 * any that a client sent.
 */
export const internalPeerHeader = "x-adjutant-peer";

/** The header with the request's id, over whatever a client sent. */
export const internalRequestHeader = "x-adjutant-request";

/** In requests that the front makes itself, for a page that it sends to everybody: its scripts are to run by their hashes. */
export const sharedPageHeader = "x-adjutant-shared-page";

/** The header with a page's own path and query, over whatever a client sent. */
export const pageAddressHeader = "x-adjutant-page";

const mark = Symbol.for("adjutant.front");

/** Called by the front before it hands Next its first request. */
export function announceFront(): void {
  Object.assign(globalThis, { [mark]: true });
}

/** True if the production front runs in this process. */
export const hasFront = (): boolean => mark in globalThis;

/** The id that the front gave the request; undefined without a front. */
export const requestIdGiven = (headers: Headers): string | undefined =>
  (hasFront() && headers.get(internalRequestHeader)) || undefined;

/**
 * The client address as the front saw it. Without a front it is what the platform wrote into the header that
 * TRUSTED_PLATFORM_HEADER names, and null where there is none: any other header is what a client chose to send.
 */
export function peerAddress(
  headers: Headers,
  settings: Pick<Settings, "trustedPlatformHeader">,
): string | null {
  if (hasFront()) return headers.get(internalPeerHeader);
  const { trustedPlatformHeader } = settings;
  const sent = trustedPlatformHeader && headers.get(trustedPlatformHeader);
  // Where a platform lists its own hops as well, the first one is the caller's.
  return sent ? parseAddressText(sent.split(",", 1)[0] ?? "") : null;
}
