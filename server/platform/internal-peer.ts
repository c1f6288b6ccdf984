import { readAddress } from "./address-text";
import type { Settings } from "./env";

/** The header in which the production front tells Next's routes who the peer is. The front deletes any that a client sent. */
export const internalPeerHeader = "x-adjutant-peer";

const mark = Symbol.for("adjutant.front");

/** Called by the front before it hands Next its first request. */
export function announceFront(): void {
  Object.assign(globalThis, { [mark]: true });
}

/** Whether the production front stands before Next in this process. */
export const hasFront = (): boolean => mark in globalThis;

/**
 * The peer's address as the front saw it. Without a front it is what the platform wrote into the header that
 * TRUSTED_PLATFORM_HEADER names, and null where there is none: any other header is what a client chose to send.
 */
export function peerAddress(headers: Headers, settings: Pick<Settings, "trustedPlatformHeader">): string | null {
  if (hasFront()) return headers.get(internalPeerHeader);
  const { trustedPlatformHeader } = settings;
  const sent = trustedPlatformHeader && headers.get(trustedPlatformHeader);
  // Where a platform lists its own hops as well, the first one is the caller's.
  return sent ? readAddress(sent.split(",", 1)[0] ?? "") : null;
}
