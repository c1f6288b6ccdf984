import { BlockList, isIP } from "node:net";

type Network = readonly [address: string, bits: number];

/** IANA's special-purpose registry, and addresses internal to networks and clouds. */
const closedIpv4: readonly Network[] = [
  // "This network" (RFC 791): Linux routes 0.0.0.0 to itself.
  ["0.0.0.0", 8],
  // Private (RFC 1918), and carrier-grade NAT (RFC 6598).
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["100.64.0.0", 10],
  // Loopback, and link-local with cloud metadata.
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  // Azure's host address.
  ["168.63.129.16", 32],
  // Protocol assignments, AS112, AMT and the former 6to4 relays.
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

/** Only global unicast is assigned: loopback, mapped, NAT64 and local forms are outside. */
const openIpv6: readonly Network[] = [["2000::", 3]];

/** Teredo, ORCHID and benchmarks (2001::/23), documentation, 6to4. */
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
// A combined list also matches an IPv4 address inside an IPv6 one.
const closed4 = listOf(closedIpv4, "ipv4");
const open6 = listOf(openIpv6, "ipv6");
const closed6 = listOf(closedIpv6, "ipv6");

/** Anything but a plain IP address counts as not public. */
export function isPublicAddress(address: string): boolean {
  // A list ignores the zone (fe80::1%eth0).
  if (address.includes("%")) return false;
  const family = isIP(address);
  if (family === 4) return !closed4.check(address, "ipv4");
  return family === 6 && open6.check(address, "ipv6") && !closed6.check(address, "ipv6");
}
