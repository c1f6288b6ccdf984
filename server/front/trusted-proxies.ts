import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { isRequestId } from "#server/platform/ids";
import { parseIpAddress, unmapIpv4 } from "#server/platform/peer-address";
import { wrongSetting } from "#server/platform/start-fault";

export interface ClientOrigin {
  readonly address: string | null;
  /** A trusted proxy reported plain http. */
  readonly insecure: boolean;
  readonly requestId?: string | undefined;
}

/** More proxies than any honest chain has. */
const mostHops = 20;

/** The caller is the rightmost untrusted address of X-Forwarded-For. @throws WrongSetting */
export function createOriginResolver(
  entries: readonly string[],
): (request: IncomingMessage) => ClientOrigin {
  const trusted = new BlockList();
  for (const entry of entries) add(trusted, entry);
  return (request) => {
    const { remoteAddress } = request.socket;
    const socketAddress = remoteAddress === undefined ? null : unmapIpv4(remoteAddress);
    if (entries.length === 0 || !isTrusted(trusted, socketAddress))
      return { address: socketAddress, insecure: false };
    const insecure = last(request.headers["x-forwarded-proto"])?.toLowerCase() === "http";
    const sent = request.headers["x-request-id"];
    const requestId = typeof sent === "string" && isRequestId(sent) ? sent : undefined;
    return {
      address: callerOf(request.headers["x-forwarded-for"], socketAddress, trusted),
      insecure,
      requestId,
    };
  };
}

function add(trusted: BlockList, entry: string): void {
  const [address = "", bits] = entry.split("/");
  const family = isIP(address);
  const most = family === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (family === 0 || !/^\d+$/.test(bits ?? "0") || prefix > most)
    throw wrongSetting(`TRUSTED_PROXIES is wrong: "${entry}" is neither an address nor a range.`);
  trusted.addSubnet(address, prefix, family === 6 ? "ipv6" : "ipv4");
}

function isTrusted(trusted: BlockList, address: string | null): address is string {
  const family = address === null ? 0 : isIP(address);
  return address !== null && family !== 0 && trusted.check(address, family === 6 ? "ipv6" : "ipv4");
}

function callerOf(
  forwardedFor: string | string[] | undefined,
  nearest: string,
  trusted: BlockList,
): string {
  const hops = [forwardedFor ?? []].flat().join(",").split(",").map(parseIpAddress);
  let address = nearest;
  for (const hop of hops.reverse().slice(0, mostHops)) {
    // A trusted proxy writes only addresses.
    if (hop === null) break;
    address = hop;
    if (!isTrusted(trusted, hop)) break;
  }
  return address;
}

const last = (header: string | string[] | undefined) =>
  [header ?? []].flat().join(",").split(",").at(-1)?.trim();
