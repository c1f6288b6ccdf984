import { parse } from "lossless-json";
import { unstorable } from "./path";

/** Nobody nests a request deeper; a parser that recurses would run out of stack far beyond it. */
const deepest = 32;

/** An integer beyond what a JavaScript number holds exactly stays exact, as a bigint. */
function exact(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : BigInt(text);
}

/**
 * Parses JSON (RFC 8259) with exact integers. Keys that would reach an object's prototype are dropped.
 * @returns the value, or the reason why there is none, in words for the caller
 */
export function readJson(text: string): { readonly value: unknown } | { readonly unreadable: string } {
  if (deeper(text)) return { unreadable: `JSON is nested more than ${deepest} levels deep` };
  let value: unknown;
  try {
    // Only long runs of digits need the parser that keeps them; it costs several times the platform's own.
    value = /\d{16}/.test(text)
      ? parse(text, null, { parseNumber: exact, onDuplicateKey: (again) => again.newValue })
      : JSON.parse(text);
  } catch {
    return { unreadable: "not JSON" };
  }
  return harmless(value) ? { value } : { unreadable: "text holds U+0000 or half of a surrogate pair" };
}

function deeper(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (quoted) {
      if (char === 92) at++;
      else if (char === 34) quoted = false;
    } else if (char === 34) quoted = true;
    else if (char === 123 || char === 91) {
      if (++depth > deepest) return true;
    } else if (char === 125 || char === 93) depth--;
  }
  return false;
}

/** Walks the value: takes away `__proto__`, and says whether all text in it can be stored. */
function harmless(value: unknown): boolean {
  if (typeof value === "string") return !unstorable.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(harmless);
  if (Object.getPrototypeOf(value) !== Object.prototype) Object.setPrototypeOf(value, Object.prototype);
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  return Object.entries(value).every(([key, entry]) => !unstorable.test(key) && harmless(entry));
}
