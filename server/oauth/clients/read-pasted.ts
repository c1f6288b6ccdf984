import { z } from "zod";
import { isRequestId } from "#server/platform/ids";
import type { Keyring } from "#server/platform/keyring";
import { hasSecretForm, type SecretKind, secretKinds } from "#server/platform/secret-text";

export const longestPasted = 8_000;

/** A shell drops quotes and joins continued lines, so this parser does too. */
const quoted = /^\$?'([^']*)'$|^"([^"]*)"$/;
const argument = /\$?'[^']*'|"[^"]*"|[^\s'"]+/g;

const wordsOf = (text: string): string[] =>
  (text.replace(/\\\r?\n/g, " ").match(argument) ?? []).map((word) => {
    const [, single, double] = quoted.exec(word) ?? [];
    return single ?? double ?? word;
  });

export type Pasted = ReturnType<typeof readPasted>;

/** @param text masked by `maskSecrets` */
export function readPasted(keyring: Keyring, text: string, baseUrl: string) {
  const requestId = readRequestId(text);
  if (requestId !== undefined) return { kind: "request-id" as const, requestId };
  const words = wordsOf(text);
  const pathname = ownPathIn(words, baseUrl);
  if (/^\/api(\/|$)/.test(pathname))
    return { kind: "api-call" as const, pathname, ...readCurl(words) };
  // These are pasted by mistake for the authorization endpoint.
  const [, endpoint] = /^\/oauth\/(token|introspect|revoke)$/.exec(pathname) ?? [];
  if (endpoint) return { kind: "endpoint" as const, endpoint: endpoint as PostEndpoint };
  const address = readAddress(words);
  if (address) return { kind: "address" as const, ...address };
  const secret = readMaskedSecret(keyring, text);
  if (secret) return { kind: "secret" as const, secret };
  const answer = readErrorBody(text);
  return answer ? { kind: "error-body" as const, answer } : { kind: "unreadable" as const };
}

export type PostEndpoint = "token" | "introspect" | "revoke";

/** Reads a bare id, or an id after its header name, as in `curl -i` and logs. */
function readRequestId(text: string): string | undefined {
  const id = /x-request-id["']?\s*[:=]\s*["']?([0-9A-Za-z_-]+)/i.exec(text)?.[1] ?? text.trim();
  return isRequestId(id) ? id : undefined;
}

function ownPathIn(words: readonly string[], baseUrl: string): string {
  const address = words.find((word) => /^https?:\/\//i.test(word)) ?? "";
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.origin === new URL(baseUrl).origin ? url.pathname : "";
}

/** With these options curl sends a POST. */
const dataOption = /^(?:-d|--data(?:-\w+)*|--json|-F|--form)(?:=|$)/;

function readCurl(words: readonly string[]) {
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
  return { method: method.toUpperCase(), authorization };
}

/** Reads an address, a query that begins with "?", or a command line with an address. */
function readAddress(words: readonly string[]) {
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

/** An error of the API, or of an OAuth endpoint (RFC 6749 section 5.2). */
const ErrorBody = z.union([
  z.object({ code: z.number() }),
  z.object({
    error: z.string().regex(/^[a-z_]{1,40}$/),
    error_description: z.string().optional(),
  }),
]);

function readErrorBody(text: string) {
  // Not a regular expression, which would search for the end again from each brace.
  const json = text.slice(Math.max(text.indexOf("{"), 0), text.lastIndexOf("}") + 1);
  try {
    return ErrorBody.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
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
/** The hashes are HMAC-SHA-256 in base64url. */
const maskedForm = /\badj_(at|rt|ac|cs)_masked:((?:[\w-]{43},?)*)/;
const ownCredentials = /^(?:(?:bearer|basic)\s+)?adj_(?:at|rt|ac|cs)_masked:[\w,-]*/i;

const headerNames = "(?:(?:proxy-)?authorization|(?:set-)?cookie)";
/** A header in quotes, a field of JSON or source code, or the rest of a line. */
const secretHeader = new RegExp(
  `('${headerNames}\\s*:\\s*)([^']*)` +
    `|("${headerNames}\\s*:\\s*)((?:\\\\.|[^"\\\\])*)` +
    `|(\\b${headerNames}["']?\\s*(?::|(?:=>?|,)(?=\\s*["']))\\s*)` +
    `('[^']*'|"(?:\\\\.|[^"\\\\])*"|[^\\r\\n]*)`,
  "gi",
);

/** Keeps the scheme, because the API checks it first. */
function maskHeader(header: string, ...parts: (string | undefined)[]): string {
  const [single, inSingle, double, inDouble, name, rest] = parts;
  const before = single ?? double ?? name ?? "";
  const value = inSingle ?? inDouble ?? rest ?? "";
  const [quote = ""] = /^["']/.exec(value) ?? [];
  const sent = quote ? value.slice(1, -1) : value;
  const [own] = ownCredentials.exec(sent) ?? [];
  // The secret is masked already, and the rest of the line may hold the address.
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
  // A game key has 16 letters and digits; words and hexadecimal ids do not mix cases.
  [/(?<![\w-])(?=[A-Z0-9]*[a-z])(?=[a-z0-9]*[A-Z])[A-Za-z0-9]{16}(?![\w-])/g, "masked"],
];

/** Our secrets become hashes, which are useless outside the doctor; other secrets become a word. */
export function maskSecrets(keyring: Keyring, text: string): string {
  const own = text.replace(ownSecrets, (secret, sign: string) => {
    const kind = kindOf(sign);
    if (!kind || secret === `adj_${sign}_masked`) return secret;
    const hashes = hasSecretForm(kind, secret) ? keyring.hmacs("token", secret) : [];
    return `adj_${sign}_masked:${hashes.join(",")}`;
  });
  return otherSecrets.reduce(
    (masked, [secret, instead]) => masked.replace(secret, instead),
    own.replace(secretHeader, maskHeader),
  );
}

/** Reads at most one hash per server secret in force. */
export function readMaskedSecret(keyring: Keyring, text: string): MaskedSecret | undefined {
  const [, sign, list = ""] = maskedForm.exec(text) ?? [];
  const kind = kindOf(sign);
  const hashes = list.split(",").filter((hash) => hash !== "");
  return kind && { kind, hashes: hashes.slice(0, keyring.keyIds.length) };
}
