import { z } from "zod";
import { boundedList } from "#server/platform/input-schemas";
import { type ScopeName, scopeNames } from "#server/scopes";
import { longestUri, maxRedirectUris, whyNotRedirectUri } from "../redirect-uri";
import { whyNotApplicationName } from "./application-name";
import { emblemColours, emblemSigns } from "./emblem";
import { secretLifetimes } from "./secrets/secret-state";

const longestName = 60;
const longestDescription = 120;
const longestSecretName = 40;
const longestStatement = 2_000;
/** Above the number of scopes, because a list may repeat a scope. */
const mostScopes = 50;

// PostgreSQL stores no NUL and no half of a surrogate pair. Direction overrides could reverse the
// text beside a name on the consent page.
const controlCharacters = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
const controlCharactersButLineBreaks = /[^\P{Cc}\n\r\t]|[\p{Cs}\u202A-\u202E\u2066-\u2069]/u;
// Zero-width characters, fillers (which count as letters) and Braille's empty cell are invisible.
const visible = /(?![\u115F\u1160\u3164\uFFA0\u2800\u{1D159}])[\p{L}\p{N}\p{P}\p{S}]/u;

const line = (what: string, longest: number) =>
  z
    .string({ error: `${what} is needed.` })
    .trim()
    .min(1, `${what} is needed.`)
    // Aborts on longer texts, because folding their combining marks would take seconds.
    .max(longest, { error: `${what} can have at most ${longest} characters.`, abort: true })
    .refine(
      (text) => !controlCharacters.test(text),
      `${what} cannot contain line breaks or control characters.`,
    )
    .refine(
      (text) => text === "" || visible.test(text),
      `${what} needs a character that can be seen.`,
    );

const page = (what: string) =>
  z
    .string({ error: `${what} is text.` })
    .trim()
    .max(longestUri, `${what} can have at most ${longestUri} characters.`)
    .refine(
      (text) => text === "" || isPageAddress(text),
      `${what} must be a full address that starts with https://.`,
    )
    .default("");

const statement = (what: string) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? undefined : value),
    z
      .string({ error: `${what} is text.` })
      .trim()
      .max(longestStatement, `${what} can have at most ${longestStatement} characters.`)
      .refine(
        (text) => !controlCharactersButLineBreaks.test(text),
        `${what} contains control characters.`,
      )
      .optional(),
  );

const redirectUri = z
  .string({ error: "A redirect URI is text." })
  .trim()
  .max(longestUri, `A redirect URI can have at most ${longestUri} characters.`)
  .superRefine((text, context) => {
    const why = whyNotRedirectUri(text);
    if (why) context.addIssue({ code: "custom", message: why });
  });

/** An application needs the first five before it opens to players. */
export const PrivacyStatements = z.object({
  data: statement("Which data you read"),
  use: statement("How the data is used"),
  retention: statement("How long the data is kept"),
  deletion: statement("How the data can be deleted"),
  sharing: statement("Who you share it with, and why"),
  contact: statement("The contact for data concerns"),
  protection: statement("How the data is protected"),
});
export type PrivacyStatements = z.output<typeof PrivacyStatements>;

const scopeName = z.enum(scopeNames as [ScopeName, ...ScopeName[]], {
  error: "One of the scopes is unknown.",
});
const scopeSet = boundedList(scopeName, {
  most: mostScopes,
  tooMany: "Too many scopes.",
  noList: "Scopes are a list.",
})
  .transform((chosen) => scopeNames.filter((scope) => chosen.includes(scope)))
  .default([]);

const registration = z.object({
  kind: z.enum(["confidential", "public"], {
    error: "Choose whether the application can keep a secret.",
  }),
  name: line("A name", longestName).superRefine((text, context) => {
    const why = whyNotApplicationName(text);
    if (why) context.addIssue({ code: "custom", message: why });
  }),
  description: z
    .string({ error: "The description is text." })
    .trim()
    .max(longestDescription, `The description can have at most ${longestDescription} characters.`)
    .refine(
      (text) => !controlCharacters.test(text),
      "The description cannot contain line breaks or control characters.",
    )
    .default(""),
  emblemSign: z.enum(emblemSigns, { error: "Choose one of the signs." }).nullable().default(null),
  emblemColour: z
    .enum(emblemColours, { error: "Choose one of the colours." })
    .nullable()
    .default(null),
  redirectUris: boundedList(redirectUri, {
    most: maxRedirectUris,
    tooMany: `An application can have at most ${maxRedirectUris} redirect URIs.`,
    noList: "Redirect URIs are a list.",
  })
    .transform((uris) => [...new Set(uris)])
    .default([]),
  scopes: scopeSet,
  optionalScopes: scopeSet,
  clientUri: page("The application's home page"),
  tosUri: page("The address of the terms of service"),
  privacyUri: page("The address of the privacy policy"),
  privacy: PrivacyStatements.default({}),
});

const optionalUnregistered = {
  path: ["optionalScopes"],
  message: "Only scopes that the application may ask for can be optional.",
  when: ({ value }: { value: unknown }) =>
    registration.pick({ scopes: true, optionalScopes: true }).safeParse(value).success,
};

const optionalAreRegistered = (
  said: Pick<z.output<typeof registration>, "scopes" | "optionalScopes">,
): boolean => said.optionalScopes.every((scope) => said.scopes.includes(scope));

export const ApplicationInput = registration.refine(optionalAreRegistered, optionalUnregistered);
export type ApplicationInput = z.output<typeof ApplicationInput>;

export const ApplicationChanges = registration
  .omit({ kind: true })
  .refine(optionalAreRegistered, optionalUnregistered);
export type ApplicationChanges = z.output<typeof ApplicationChanges>;

/** `livesDays` is null for a secret that never expires. */
export const SecretInput = z.object({
  name: line("A name for the secret", longestSecretName),
  livesDays: z
    .literal(secretLifetimes, { error: "A secret expires after 30, 90 or 365 days, or never." })
    .nullable()
    .default(null),
});
export type SecretInput = z.output<typeof SecretInput>;

/**
 * A user name could look like the host. Stored addresses are checked again wherever they become a
 * link.
 */
export function isPageAddress(text: string): boolean {
  if (
    !/^https:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}\\/][^\s\p{Cc}\p{Cf}\p{Cs}\\]*$/u.test(text) ||
    !URL.canParse(text)
  )
    return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}

export const hostOfPage = (text: string): string | null =>
  isPageAddress(text) ? new URL(text).host : null;
