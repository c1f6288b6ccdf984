const dnsHost = /^(?!.{254})[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9](?:[a-z0-9-]{0,62}))*$/;

export const isLoopback = (host: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(host);

/**
 * Accepts an origin as a browser serialises it (RFC 6454 section 6.2), with plain http on loopback
 * only.
 */
export function parsePlainOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  if (origin !== text) return undefined;
  if (isLoopback(hostname))
    return protocol === "http:" || protocol === "https:" ? origin : undefined;
  return protocol === "https:" && dnsHost.test(hostname) ? origin : undefined;
}
