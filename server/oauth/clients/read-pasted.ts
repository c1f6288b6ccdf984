import { z } from "zod";
import type { MachinePath } from "#server/machine-path";
import { isRequestId } from "#server/platform/ids";
import type { Keyring } from "#server/platform/keyring";
import { isSecretText, type SecretKind, secretKinds } from "#server/platform/secret-text";

export const longestPasted = 8_000;

export interface PastedAddress {
  readonly address: string;
  readonly parameters: URLSearchParams;
}

/** A shell drops quotes and joins continued lines. */
const quoted = /^\$?'([^']*)'$|^"([^"]*)"$/;
const argument = /\$?'[^']*'|"[^"]*"|[^\s'"]+/g;

const wordsOf = (text: string): string[] =>
  (text.replace(/\\\r?\n/g, " ").match(argument) ?? []).map((word) => {
    const [, single, double] = quoted.exec(word) ?? [];
    return single ?? double ?? word;
  });

/** Often pasted instead of the authorization endpoint. */
const otherEndpoints = {
  "/oauth/token": "token",
  "/oauth/introspect": "introspection",
  "/oauth/revoke": "revocation",
} as const satisfies Partial<Record<MachinePath, string>>;
export type OtherEndpoint = (typeof otherEndpoints)[keyof typeof otherEndpoints];

export interface PastedCall {
  readonly method: string;
  readonly pathname: string;
  readonly authorization: string | null;
}

function readOwnAddress(words: readonly string[], baseUrl: string): URL | undefined {
  const address = words.find((word) => /^https?:\/\//i.test(word));
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.origin === new URL(baseUrl).origin ? url : undefined;
}

export function readOtherEndpoint(text: string, baseUrl: string): OtherEndpoint | undefined {
  const pathname = readOwnAddress(wordsOf(text), baseUrl)?.pathname;
  return pathname !== undefined && Object.hasOwn(otherEndpoints, pathname)
    ? otherEndpoints[pathname as keyof typeof otherEndpoints]
    : undefined;
}

/** curl sends a POST with these. */
const dataOption = /^(?:-d|--data(?:-\w+)*|--json|-F|--form)(?:=|$)/;

export function readPastedCall(text: string, baseUrl: string): PastedCall | undefined {
  const words = wordsOf(text);
  const pathname = readOwnAddress(words, baseUrl)?.pathname;
  if (pathname === undefined || !/^\/api(\/|$)/.test(pathname)) return undefined;
  const valuesOf = (option: RegExp) =>
    words.flatMap((word, at) => {
      const [named, joined] = option.exec(word) ?? [];
      return named === undefined ? [] : [joined || (words[at + 1] ?? "")];
    });
  const headers = valuesOf(/^(?:-H|--header)=?(.*)$/);
  const [sent] = headers.flatMap((header) => /^authorization:\s*(.*)$/i.exec(header)?.[1] ?? []);
  const [token] = valuesOf(/^--oauth2-bearer=?(.*)$/);
  const implied = words.some((word) => dataOption.test(word)) ? "POST" : "GET";
  const [method = words.some((word) => /^(?:-I|--head)$/.test(word)) ? "HEAD" : implied] =
    valuesOf(/^(?:-X|--request)=?(.*)$/);
  const authorization = sent ?? (token === undefined ? null : `Bearer ${token}`);
  return { method: method.toUpperCase(), pathname, authorization };
}

/**
 * An address, a query that begins with a question mark, or a command line with a quoted address.
 */
export function readPasted(text: string): PastedAddress | undefined {
  const words = wordsOf(text);
  const found =
    words.find((word) => /^https?:\/\/[^?]*\?/i.test(word)) ??
    words.find((word) => word.includes("?"));
  if (found === undefined) return undefined;
  const mark = found.indexOf("?");
  return {
    address: found.slice(0, mark),
    parameters: new URLSearchParams(found.slice(mark + 1).replace(/#.*$/, "")),
  };
}

const ErrorBody = z.union([
  z.object({ code: z.number() }).transform(({ code }) => ({ code, description: null })),
  z
    .object({ error: z.string().regex(/^[a-z_]{1,40}$/), error_description: z.string().optional() })
    .transform(({ error, error_description }) => ({
      code: error,
      description: error_description ?? null,
    })),
]);

/** From the API or an OAuth endpoint (RFC 6749 section 5.2). */
export function readErrorBody(text: string): z.output<typeof ErrorBody> | undefined {
  // A regular expression would look for the end from each brace anew.
  const json = text.slice(Math.max(text.indexOf("{"), 0), text.lastIndexOf("}") + 1);
  try {
    return ErrorBody.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** A bare id, or after its header name as in `curl -i` and logs. */
export function readRequestId(text: string): string | undefined {
  const id = /x-request-id["']?\s*[:=]\s*["']?([0-9A-Za-z_-]+)/i.exec(text)?.[1] ?? text.trim();
  return isRequestId(id) ? id : undefined;
}

export interface MaskedSecret {
  readonly kind: SecretKind;
  /** Empty if the checksum fails. */
  readonly hashes: readonly string[];
}

const signs = Object.entries(secretKinds) as [SecretKind, string][];
const kindOf = (sign: string | undefined): SecretKind | undefined =>
  signs.find(([, each]) => each === sign)?.[0];

const ownSecrets = /\badj_(at|rt|ac|cs)_[0-9A-Za-z]*/g;
/** HMAC-SHA-256 in base64url. */
const maskedForm = /\badj_(at|rt|ac|cs)_masked:((?:[\w-]{43},?)*)/;
const ownCredentials = /^(?:(?:bearer|basic)\s+)?adj_(?:at|rt|ac|cs)_masked:[\w,-]*/i;

const headerNames = "(?:(?:proxy-)?authorization|(?:set-)?cookie)";
/** A header in single or double quotes, or a field of JSON or of a program, or the rest of a line. */
const secretHeader = new RegExp(
  `('${headerNames}\\s*:\\s*)([^']*)` +
    `|("${headerNames}\\s*:\\s*)((?:\\\\.|[^"\\\\])*)` +
    `|(\\b${headerNames}["']?\\s*(?::|(?:=>?|,)(?=\\s*["']))\\s*)` +
    `('[^']*'|"(?:\\\\.|[^"\\\\])*"|[^\\r\\n]*)`,
  "gi",
);

/** The API checks the scheme first, so it stays. */
function maskHeader(header: string, ...parts: (string | undefined)[]): string {
  const [single, inSingle, double, inDouble, name, rest] = parts;
  const before = single ?? double ?? name ?? "";
  const value = inSingle ?? inDouble ?? rest ?? "";
  const [quote = ""] = /^["']/.exec(value) ?? [];
  const sent = quote ? value.slice(1, -1) : value;
  const [own] = ownCredentials.exec(sent) ?? [];
  // The rest of the line may hold the address.
  if (own !== undefined && rest !== undefined && !quote) return header;
  const [scheme = ""] = /^(?:basic|bearer)\s+/i.exec(sent) ?? [];
  return `${before}${quote}${own ?? `${scheme}masked`}${quote}`;
}

const otherSecrets: readonly (readonly [RegExp, string])[] = [
  // `curl -u` and `-b`, also combined, as in `-sSu`.
  [
    /(^|\s)(-[a-z]{0,5}[ub](?:\s+|(?=[^\s-]))|--(?:proxy-)?user(?:=|\s+)|--cookie(?:=|\s+))(?:\$?'[^']*'|"[^"]*"|[^\s'"]+)/gi,
    "$1$2masked",
  ],
  [/(--oauth2-bearer(?:=|\s+)["']?)(?!adj_)[^\s'"]+/g, "$1masked"],
  [/\b(basic|bearer)\s+(?!adj_)[\w.~+/=-]+/gi, "$1 masked"],
  [/(:\/\/)[^\s/@?#'"]+@/g, "$1masked@"],
  [
    /\b((?:client_?secret|password|(?:access|refresh|id)_?token|code_?verifier|(?:api|game)?_?key)["']?\s*[:=]\s*["']?)(?!adj_)[^\s&"',}]+/gi,
    "$1masked",
  ],
  // Standard Webhooks 1.0.0.
  [/\bwhsec_[\w+/=%-]*/g, "whsec_masked"],
  // A game key has 16 letters and digits; a word or a hexadecimal id does not mix capital and small letters.
  [/(?<![\w-])(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{16}(?![\w-])/g, "masked"],
];

/**
 * Our secrets become their hashes, which the doctor looks up and which are useless elsewhere;
 * others become a word.
 */
export function maskSecrets(keyring: Keyring, text: string): string {
  const own = text.replace(ownSecrets, (secret, sign: string) => {
    const kind = kindOf(sign);
    if (!kind || secret === `adj_${sign}_masked`) return secret;
    const hashes = isSecretText(kind, secret) ? keyring.hmacs("token", secret) : [];
    return `adj_${sign}_masked:${hashes.join(",")}`;
  });
  return otherSecrets.reduce(
    (masked, [secret, instead]) => masked.replace(secret, instead),
    own.replace(secretHeader, maskHeader),
  );
}

/** At most one hash per server secret in force. */
export function readMaskedSecret(keyring: Keyring, text: string): MaskedSecret | undefined {
  const [, sign, list = ""] = maskedForm.exec(text) ?? [];
  const kind = kindOf(sign);
  const hashes = list.split(",").filter((hash) => hash !== "");
  return kind && { kind, hashes: hashes.slice(0, keyring.keyIds.length) };
}
