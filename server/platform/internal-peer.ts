/** The header in which the production front tells Next's routes who the peer is. The front deletes any that a client sent. */
export const internalPeerHeader = "x-adjutant-peer";

const mark = Symbol.for("adjutant.front");

/** Called by the front before it hands Next its first request. */
export function announceFront(): void {
  Object.assign(globalThis, { [mark]: true });
}

/**
 * The peer's address as the front saw it; null where no front stands before Next in this process, since the header is then
 * whatever a client chose to send.
 */
export const internalPeer = (headers: Headers): string | null =>
  mark in globalThis ? headers.get(internalPeerHeader) : null;
