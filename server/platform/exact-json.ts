import { configure } from "safe-stable-stringify";

/**
 * Integers beyond JavaScript's exact range become bigint.
 * @throws SyntaxError
 */
export const parseExact = (text: string): unknown =>
  // A reviver costs several times a plain parse.
  /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);

export function readJson(text: string | null | undefined): unknown {
  try {
    return text ? parseExact(text) : undefined;
  } catch {
    return undefined;
  }
}

/** `source` is from TC39's JSON.parse source text access. */
const keepDigits = (_key: string, value: unknown, written?: { readonly source: string }) =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(written?.source ?? "")
    ? BigInt(written?.source ?? value)
    : value;

const exact = { bigint: true, strict: true } as const;
const write = configure({ ...exact, deterministic: false });
const writeByName = configure(exact);

/** @throws for NaN, functions and the like */
export function writeExact(value: unknown, indent?: number): string {
  const text = write(value, null, indent);
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be written as JSON.`);
  return text;
}

/** Equal JSON values give equal text. */
export const writeSorted = (value: unknown): string => writeByName(value) ?? "";
