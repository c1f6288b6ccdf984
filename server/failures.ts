/**
 * Every failure of an API call. A rule throws `SomeFailure.because(...)`; each transport translates
 * it once. Compared by brand and code, because two copies of this module exist in one process.
 */
import type { KnownDetails } from "./failure-details";
import { defineError } from "./platform/errors";

/** `message` is the public sentence. */
export interface FailureKind {
  readonly code: number;
  readonly name: string;
  readonly status: number;
  readonly message: string;
  because(why?: FailureReason): Failure;
}

export interface FailureReason {
  readonly message?: string;
  /** Public, machine-readable. `message` defaults to the failure's sentence. */
  readonly details?: KnownDetails & { readonly message?: string };
  /** Private, for the log. */
  readonly cause?: unknown;
  /** Seconds; sent as Retry-After. */
  readonly retryAfter?: number;
}

export type FailureDetails = KnownDetails & { readonly message: string };

interface FailureFields {
  readonly kind: FailureKind;
  readonly details: FailureDetails | undefined;
  readonly retryAfter: number | undefined;
}

export type Failure = Error & FailureFields;

const failure = defineError<FailureFields>("ApiFailure");

export const isFailure = (thrown: unknown, kind?: FailureKind): thrown is Failure =>
  failure.is(thrown) && (kind === undefined || thrown.kind.code === kind.code);

function detailsOf(
  details: NonNullable<FailureReason["details"]>,
  sentence: string,
): FailureDetails {
  const { message = sentence, ...more } = details;
  return { message, ...more };
}

const all: FailureKind[] = [];

function kind(code: number, name: string, status: number, message: string): FailureKind {
  const entry: FailureKind = {
    code,
    name,
    status,
    message,
    because: (why = {}) => {
      const sentence = why.message ?? message;
      // A new object each time, so that one caller's details cannot appear in another's answer.
      const details = why.details && detailsOf(why.details, sentence);
      return failure.create(
        sentence,
        { name, kind: entry, details, retryAfter: why.retryAfter },
        why.cause,
      );
    },
  };
  all.push(entry);
  return entry;
}

export const GeneralError = kind(0, "GeneralError", 400, "The request could not be carried out.");
export const UnknownElement = kind(
  1000,
  "UnknownElement",
  400,
  "A value in the request is missing, malformed or unknown.",
);
export const UnknownChatServer = kind(
  1001,
  "UnknownChatServer",
  404,
  "The faction has no linked chat server: a leader has to choose one.",
);
export const UnknownUser = kind(1100, "UnknownUser", 404, "No such user is known.");
export const UnknownFaction = kind(1102, "UnknownFaction", 404, "No such faction is known.");
export const UnknownPosition = kind(
  1103,
  "UnknownPosition",
  404,
  "No such faction position is known.",
);
export const UnknownOrganizedCrime = kind(
  1105,
  "UnknownOrganizedCrime",
  404,
  "No such organized crime is known.",
);
export const UnknownKey = kind(
  1200,
  "UnknownKey",
  404,
  "No usable game key is stored for the user: they have to sign in with one.",
);
export const UnknownFactionKey = kind(
  1201,
  "UnknownFactionKey",
  404,
  "No usable game key with faction API access is stored for the faction: such a member has to sign in.",
);
export const UnknownOAuthClient = kind(
  1500,
  "UnknownOAuthClient",
  404,
  "No such application is known.",
);
export const UnknownVaultRequest = kind(
  1600,
  "UnknownVaultRequest",
  404,
  "No such vault request is known.",
);
export const VaultRequestNotPending = kind(
  1601,
  "VaultRequestNotPending",
  409,
  "The vault request was already fulfilled or cancelled.",
);
export const InsufficientVaultBalance = kind(
  1602,
  "InsufficientVaultBalance",
  422,
  "The vault balance does not cover the request and those still waiting.",
);
export const BankingNotConfigured = kind(
  1603,
  "BankingNotConfigured",
  409,
  "Banking is not set up on the linked chat server: its administrators choose a channel.",
);
export const StatScoreMissing = kind(
  1604,
  "StatScoreMissing",
  409,
  "No stat score of yours is in the database.",
);
export const StatsNotAvailable = kind(
  1605,
  "StatsNotAvailable",
  404,
  "No stats of the user are available.",
);
export const IdempotencyConflict = kind(
  1700,
  "IdempotencyConflict",
  409,
  "The Idempotency-Key was used for another request, or the first is still running.",
);
export const TooManyRequests = kind(
  4000,
  "TooManyRequests",
  429,
  "Too many requests. Wait until the limit's window ends.",
);
export const NoAuthenticationInformation = kind(
  4001,
  "NoAuthenticationInformation",
  401,
  "An access token is needed: Authorization: Bearer <ACCESS_TOKEN>.",
);
export const InvalidAuthenticationInformation = kind(
  4002,
  "InvalidAuthenticationInformation",
  401,
  "The access token is unknown, expired or revoked.",
);
export const InvalidAuthenticationType = kind(
  4003,
  "InvalidAuthenticationType",
  401,
  "The Authorization header must use the Bearer scheme.",
);
export const InsufficientPermissions = kind(
  4004,
  "InsufficientPermissions",
  403,
  "The access token lacks a scope that this call needs.",
);
export const InsufficientFactionPermissions = kind(
  4007,
  "InsufficientFactionPermissions",
  403,
  "Banking permission in the faction is needed.",
);
export const GrantPaused = kind(4008, "GrantPaused", 403, "The user has paused this application.");
export const ClientSuspended = kind(4009, "ClientSuspended", 403, "The application is suspended.");
export const EndpointNotFound = kind(4010, "EndpointNotFound", 404, "No such endpoint.");
export const InvalidMethod = kind(
  4011,
  "InvalidMethod",
  405,
  "The endpoint does not support this method.",
);
export const NotAcceptable = kind(
  4012,
  "NotAcceptable",
  406,
  "Answers are JSON; the Accept header excludes it.",
);
export const InvalidContentType = kind(
  4013,
  "InvalidContentType",
  415,
  "The body must be JSON: Content-Type: application/json.",
);
export const PayloadTooLarge = kind(4014, "PayloadTooLarge", 413, "The body is too large.");
export const FactionNotLinked = kind(
  4021,
  "FactionNotLinked",
  403,
  "The chat server does not list the faction.",
);
export const InsufficientResourcePermissions = kind(
  4022,
  "InsufficientResourcePermissions",
  403,
  "This belongs to another faction.",
);
export const GameError = kind(4100, "GameError", 502, "The game's API answered with an error.");
export const GameUnavailable = kind(
  4101,
  "GameUnavailable",
  503,
  "The game's API is not available.",
);
export const GameTimeout = kind(
  4101,
  "GameUnavailable",
  504,
  "The game's API did not answer in time.",
);
export const BackendError = kind(
  5000,
  "BackendError",
  500,
  "Something went wrong on our side. Quote the request id when you report it.",
);
export const ServiceUnavailable = kind(
  5003,
  "ServiceUnavailable",
  503,
  "The service is not available at the moment.",
);

export const failureKinds: readonly FailureKind[] = all;
