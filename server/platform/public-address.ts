import { BlockList, isIP } from "node:net";

type Network = readonly [address: string, bits: number];

/** IANA's special-purpose registry of IPv4, and what lies inside networks and clouds under other addresses. */
const closedIpv4: readonly Network[] = [
  // "This network" (RFC 791): Linux takes 0.0.0.0 for itself.
  ["0.0.0.0", 8],
  // Private (RFC 1918), and shared with the customers of a carrier's NAT (RFC 6598).
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  // Loopback, and link-local, where clouds keep their metadata.
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  // Azure's machines reach their host under this one.
  ["168.63.129.16", 32],
  // Protocol assignments, AS112, AMT and the former 6to4 relays: services of networks, not servers.
  ["192.0.0.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.175.48.0", 24],
  // Documentation (RFC 5737) and benchmarks (RFC 2544).
  ["192.0.2.0", 24],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["198.18.0.0", 15],
  // Multicast, reserved and broadcast.
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Global unicast is the one part of IPv6 that is given out: loopback, mapped, compatible, NAT64 and local forms lie outside. */
const openIpv6: readonly Network[] = [["2000::", 3]];

/** Parts of it that are not public: Teredo, ORCHID and benchmarks (2001::/23), documentation, 6to4. */
const closedIpv6: readonly Network[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const listOf = (networks: readonly Network[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const [address, bits] of networks) list.addSubnet(address, bits, family);
  return list;
};
// A list of its own for each family: one that holds both also judges an IPv4 address inside an IPv6 one.
const closed4 = listOf(closedIpv4, "ipv4");
const open6 = listOf(openIpv6, "ipv6");
const closed6 = listOf(closedIpv6, "ipv6");

/**
 * Whether an address is one that everybody reaches on the public internet, so that a connection to it enters no network of ours.
 * @param address from DNS or a socket. Anything else, an address with a zone too, is not public
 */
export function isPublicAddress(address: string): boolean {
  // A list judges an address with a zone (fe80::1%eth0) as if it were none.
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return !closed4.check(address, "ipv4");
  return family === 6 && open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}
