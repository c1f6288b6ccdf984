/**
 * A rule throws `SomeFailure.because(...)`; each transport translates it once. Failures are
 * compared by brand and code, because two copies of this module exist in one process.
 */
import type { KnownDetails } from "./failure-details";
import { defineError } from "./platform/errors";

/** Shown to developers. Backticks mark code. */
interface Advice {
  readonly why: string;
  readonly todo: string;
}

/** `message` is the public sentence. */
export interface FailureKind extends Advice {
  readonly code: number;
  readonly name: string;
  readonly status: number;
  readonly message: string;
  because(why?: FailureReason): Failure;
}

interface FailureReason {
  readonly message?: string;
  /** Public. `message` defaults to the failure's sentence. */
  readonly details?: KnownDetails & { readonly message?: string };
  /** For the log. */
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

function kind(
  code: number,
  name: string,
  status: number,
  message: string,
  { why, todo }: Advice,
): FailureKind {
  const entry: FailureKind = {
    code,
    name,
    status,
    message,
    why,
    todo,
    because: (why = {}) => {
      const sentence = why.message ?? message;
      // A copy: one caller's details must not appear in another's answer.
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

export const GeneralError = kind(0, "GeneralError", 400, "The request could not be carried out.", {
  why: "No other error describes it.",
  todo: "Read the message. If it does not help, report the `X-Request-Id`.",
});
export const UnknownElement = kind(
  1000,
  "UnknownElement",
  400,
  "A value in the request is missing, malformed or unknown.",
  {
    why: "A parameter or a field of the body is missing, malformed, repeated or unknown.",
    todo: "`details.errors` lists every bad field and its fault. Correct all of them and send the call again.",
  },
);
export const wrongField = (field: string, message: string): Failure =>
  UnknownElement.because({ message, details: { errors: [{ field, message }] } });
export const UnknownChatServer = kind(
  1001,
  "UnknownChatServer",
  404,
  "The faction has no linked chat server: a leader has to choose one.",
  {
    why: "The player's faction has not chosen a chat server, or the bot left it. Vault requests are shown to bankers there.",
    todo: "A leader, or a member with faction API access, chooses one under Chat server. Until then hide the feature for these players.",
  },
);
export const UnknownUser = kind(1100, "UnknownUser", 404, "No such user is known.", {
  why: "We don't know a player with this ID. The ID may be wrong, or the player was never looked up here.",
  todo: "Check the ID. With `service_key:usage`, ask again with `refresh=true`.",
});
export const UnknownFaction = kind(1102, "UnknownFaction", 404, "No such faction is known.", {
  why: "We don't know a faction with this ID, or the player is in none.",
  todo: "Check the ID; for calls about the player's own faction, read `factiontid` from `GET /user` first.",
});
export const UnknownPosition = kind(
  1103,
  "UnknownPosition",
  404,
  "No such faction position is known.",
  {
    why: "The faction's positions have not been read yet, or none has this name.",
    todo: "Try again in an hour. They can be read only with the key of a member who has faction API access.",
  },
);
export const UnknownOrganizedCrime = kind(
  1105,
  "UnknownOrganizedCrime",
  404,
  "No such organized crime is known.",
  {
    why: "We don't know an organized crime with this ID.",
    todo: "Check the ID. Crimes are listed once they have been read from the game. A faction on the old crimes system has none here.",
  },
);
export const UnknownKey = kind(
  1200,
  "UnknownKey",
  404,
  "No usable game key is stored for the user: they have to sign in with one.",
  {
    why: "The call reads from the game, and the player has no working key here: none is stored, or it is paused, or it was deleted in the game.",
    todo: "Ask the player to sign in here with a working key. A retry fails the same way until then.",
  },
);
export const UnknownFactionKey = kind(
  1201,
  "UnknownFactionKey",
  404,
  "No usable game key with faction API access is stored for the faction: such a member has to sign in.",
  {
    why: "The call reads private data of the faction. That needs the key of a member with faction API access, and no such member has signed in here with a key that can read it.",
    todo: "Ask such a member to sign in here once. The application cannot do it for them.",
  },
);
export const UnknownOAuthClient = kind(
  1500,
  "UnknownOAuthClient",
  404,
  "No such application is known.",
  {
    why: "The application was deleted, or never existed.",
    todo: "Check the client id under Applications.",
  },
);
export const UnknownVaultRequest = kind(
  1600,
  "UnknownVaultRequest",
  404,
  "No such vault request is known.",
  {
    why: "The player's faction has no vault request with this number or guid. Requests of other factions look the same.",
    todo: "List the requests again. It may belong to a faction that the player has left.",
  },
);
export const VaultRequestNotPending = kind(
  1601,
  "VaultRequestNotPending",
  409,
  "The vault request was already fulfilled or cancelled.",
  {
    why: "The request was already paid or cancelled, or it has expired.",
    todo: "List the requests with `search_type=all` to see its state. Do not repeat the call.",
  },
);
export const InsufficientVaultBalance = kind(
  1602,
  "InsufficientVaultBalance",
  422,
  "The vault balance does not cover the request and those still waiting.",
  {
    why: "Pending requests plus the new amount exceed the balance. For `all`, the balance is not above zero, or such a request is already pending.",
    todo: "Read the balance. Request less, or cancel another request.",
  },
);
export const BankingNotConfigured = kind(
  1603,
  "BankingNotConfigured",
  409,
  "Banking is not set up on the linked chat server: its administrators choose a channel.",
  {
    why: "The chat server is linked, but no channel for requests is chosen there.",
    todo: "An administrator of the chat server chooses one under Chat servers.",
  },
);
export const StatScoreMissing = kind(
  1604,
  "StatScoreMissing",
  409,
  "No stat score of yours is in the database.",
  {
    why: "Targets depend on the player's own strength, and we have no stat score for them.",
    todo: "The player signs in here with a key of at least limited access, or a member with faction API access imports the faction's scores.",
  },
);
export const StatsNotAvailable = kind(
  1605,
  "StatsNotAvailable",
  404,
  "No stats of the user are available.",
  {
    why: "There is no score of this player that the caller may see. For an estimate: their public counters were never read, or there is no model yet.",
    todo: "For an estimate, call again with a token that has `service_key:usage`: the call then reads the counters. Otherwise try another day.",
  },
);
export const IdempotencyConflict = kind(
  1700,
  "IdempotencyConflict",
  409,
  "The Idempotency-Key was used for another request, or the first is still running.",
  {
    why: "The `Idempotency-Key` was used for a call with another body or path, or the first call is still running.",
    todo: "Use a new key for a new call. To repeat a call, wait a moment and send it unchanged: you get the first response again.",
  },
);
export const TooManyRequests = kind(
  4000,
  "TooManyRequests",
  429,
  "Too many requests. Wait until the limit's window ends.",
  {
    why: "A limit for this minute is used up. `details.policy` names it.",
    todo: "Wait as many seconds as `Retry-After` says. Pace your calls by the `X-RateLimit` headers to avoid it.",
  },
);
export const NoAuthenticationInformation = kind(
  4001,
  "NoAuthenticationInformation",
  401,
  "An access token is needed: Authorization: Bearer <ACCESS_TOKEN>.",
  {
    why: "The call has no `Authorization` header.",
    todo: "Send `Authorization: Bearer <ACCESS_TOKEN>`. Endpoints without scopes need a token too.",
  },
);
export const InvalidAuthenticationInformation = kind(
  4002,
  "InvalidAuthenticationInformation",
  401,
  "The access token is unknown, expired or revoked.",
  {
    why: "The token has expired, was revoked by the player, was replaced by a refresh, or is not one of ours.",
    todo: "Refresh it once. If the refresh is refused too, send the player through the flow again.",
  },
);
export const InvalidAuthenticationType = kind(
  4003,
  "InvalidAuthenticationType",
  401,
  "The Authorization header must use the Bearer scheme.",
  {
    why: "Another scheme than Bearer was used, such as Basic.",
    todo: "Basic is for `/oauth/token`; calls use Bearer.",
  },
);
export const InsufficientPermissions = kind(
  4004,
  "InsufficientPermissions",
  403,
  "The access token lacks a scope that this call needs.",
  {
    why: "The token was not granted a scope that the endpoint needs.",
    todo: "`details.missing` names it. Add it in Settings, then send the player through consent again.",
  },
);
export const InsufficientFactionPermissions = kind(
  4007,
  "InsufficientFactionPermissions",
  403,
  "Banking permission in the faction is needed.",
  {
    why: "The player's position in the faction has no banking rights: it can give neither money nor points, nor adjust balances.",
    todo: "Offer the call to bankers only. Positions can change at any time.",
  },
);
export const GrantPaused = kind(4008, "GrantPaused", 403, "The user has paused this application.", {
  why: "The player paused the application.",
  todo: "Stop calling for this player until they resume it.",
});
export const ClientSuspended = kind(4009, "ClientSuspended", 403, "The application is suspended.", {
  why: "The application is suspended for all players.",
  todo: "Its owner sees the reason under Applications.",
});
export const EndpointNotFound = kind(4010, "EndpointNotFound", 404, "No such endpoint.", {
  why: "The path does not exist: a typo, a trailing or double slash, capitals, or an ID that is not a number.",
  todo: "Compare it with the list of endpoints.",
});
export const InvalidMethod = kind(
  4011,
  "InvalidMethod",
  405,
  "The endpoint does not support this method.",
  {
    why: "The path exists, but not with this method.",
    todo: "The `Allow` header names the methods.",
  },
);
export const NotAcceptable = kind(
  4012,
  "NotAcceptable",
  406,
  "Answers are JSON; the Accept header excludes it.",
  {
    why: "The `Accept` header does not allow JSON.",
    todo: "Send `Accept: application/json`, or none.",
  },
);
export const InvalidContentType = kind(
  4013,
  "InvalidContentType",
  415,
  "The body must be JSON: Content-Type: application/json.",
  { why: "The `Content-Type` is not JSON.", todo: "Send `Content-Type: application/json`." },
);
export const PayloadTooLarge = kind(4014, "PayloadTooLarge", 413, "The body is too large.", {
  why: "The body is larger than the endpoint takes.",
  todo: "Send less at a time.",
});
export const FactionNotLinked = kind(
  4021,
  "FactionNotLinked",
  403,
  "The chat server does not list the faction.",
  {
    why: "The faction chose a chat server, but that server has not added the faction.",
    todo: "An administrator of the server adds it under Chat servers. Both sides must agree.",
  },
);
export const InsufficientResourcePermissions = kind(
  4022,
  "InsufficientResourcePermissions",
  403,
  "This belongs to another faction.",
  {
    why: "The data belongs to a faction that the player is not in.",
    todo: "Use `factiontid` from `GET /user`. A player who leaves a faction loses access to its data at once.",
  },
);
export const BlockedByFaction = kind(
  4023,
  "BlockedByFaction",
  403,
  "The user's faction does not let this application read its data.",
  {
    why: "The leader of the player's faction blocked the application, or allows only chosen ones. The token stays valid for the player's own data.",
    todo: "Stop calling for the faction's data. The event `faction_access.changed` says when the faction allows it again; only its leader can do that.",
  },
);
export const GameError = kind(4100, "GameError", 502, "The game's API answered with an error.", {
  why: "The game refused our request. `details.game_code` is its own code, if it gave one.",
  todo: "Often the key has too little access, or is paused. A retry fails the same way.",
});
export const GameUnavailable = kind(
  4101,
  "GameUnavailable",
  503,
  "The game's API is not available.",
  {
    why: "The game is down or too slow. With `details.reason` the game is up, but a limit is reached: `key_budget` (calls of this key in this minute), `read_limit` (what a key may read in a day), `key_changed` (the key was just changed) or `address_budget` (all calls of this service).",
    todo: "Try again after `Retry-After`, or in a minute. Calls that do not need the game still work.",
  },
);
export const GameTimeout = kind(
  4101,
  "GameUnavailable",
  504,
  "The game's API did not answer in time.",
  GameUnavailable,
);
export const BackendError = kind(
  5000,
  "BackendError",
  500,
  "Something went wrong on our side. Quote the request id when you report it.",
  {
    why: "An error on our side. Nothing was partly saved.",
    todo: "Retry once. If it persists, report the `X-Request-Id`.",
  },
);
export const ServiceUnavailable = kind(
  5003,
  "ServiceUnavailable",
  503,
  "The service is not available at the moment.",
  {
    why: "Our database or another part cannot be reached.",
    todo: "Try again after `Retry-After`.",
  },
);

export const failureKinds: readonly FailureKind[] = all;
