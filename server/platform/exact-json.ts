import { configure } from "safe-stable-stringify";

/**
 * Parses JSON with exact integers: one that a JavaScript number cannot hold becomes a bigint.
 * @throws SyntaxError
 */
export const parseExact = (text: string): unknown =>
  // A reviver costs several times a plain parse, and only long runs of digits need one.
  /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);

/** The third argument has the value as it was written (TC39 JSON.parse source text access). */
const keepDigits = (_key: string, value: unknown, written?: { readonly source: string }) =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(written?.source ?? "")
    ? BigInt(written?.source ?? value)
    : value;

const write = configure({ bigint: true, deterministic: false, strict: true });

/**
 * Writes JSON; a bigint keeps all its digits. Fields that are undefined are left out.
 * @throws on what JSON cannot say (NaN, functions), so that it never reaches a client as something else
 */
export function writeExact(value: unknown, indent?: number): string {
  const text = write(value, null, indent);
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be written as JSON.`);
  return text;
}
