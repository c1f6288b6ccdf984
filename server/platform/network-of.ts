import { isIPv6 } from "node:net";

/** An IPv6 address has eight groups of 16 bits; a subscriber gets the last four of them, at least, to number at will. */
const groups = 8;
const networkGroups = 4;

/**
 * The subject of a limit by address: an IPv4 address itself, of an IPv6 address the network of 64 bits. The owner of one of
 * its addresses has all, and would otherwise take a fresh one for each try.
 * @param address the peer's, or null where the mount cannot know it: such peers are one
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
