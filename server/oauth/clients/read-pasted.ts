/** An address in what a developer pasted, taken apart. */
export interface PastedAddress {
  /** Without its query; empty where only a query was pasted. */
  readonly address: string;
  readonly parameters: URLSearchParams;
}

/** What a shell makes of one argument: quotes go, and what they held stays. A line that goes on is one line. */
const quoted = /^\$?'([^']*)'$|^"([^"]*)"$/;
const argument = /\$?'[^']*'|"[^"]*"|[^\s'"]+/g;

/**
 * Finds the address in a pasted text: an address, a query that begins with a question mark, or a command line that has one
 * in quotes. Undefined where there is no address with a query.
 */
export function readPasted(text: string): PastedAddress | undefined {
  const words = (text.replace(/\\\r?\n/g, " ").match(argument) ?? []).map((word) => {
    const [, single, double] = quoted.exec(word) ?? [];
    return single ?? double ?? word;
  });
  const found = words.find((word) => /^https?:\/\/[^?]*\?/i.test(word)) ?? words.find((word) => word.includes("?"));
  if (found === undefined) return undefined;
  const mark = found.indexOf("?");
  return { address: found.slice(0, mark), parameters: new URLSearchParams(found.slice(mark + 1).replace(/#.*$/, "")) };
}
