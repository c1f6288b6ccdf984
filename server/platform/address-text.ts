import { isIP } from "node:net";

/**
 * Reads an address that a proxy wrote: IPv4 as itself also where the proxy speaks IPv6, without the port that some write along
 * (`192.0.2.7:4711`, `[2001:db8::7]:4711`). Null where it is none.
 */
export function readAddress(text: string): string | null {
  const [, ipv4, ipv6] = /^(\d+(?:\.\d+){3})(?::\d+)?$|^\[([^\]]+)\](?::\d+)?$/.exec(text.trim()) ?? [];
  const address = plainAddress(ipv4 ?? ipv6 ?? text.trim());
  return isIP(address) === 0 ? null : address;
}

/** An IPv4 address as itself, also where the socket speaks IPv6. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");
