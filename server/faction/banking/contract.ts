import { z } from "zod";
import { isUuid } from "#server/platform/ids";
import { secondMs, toUnixSeconds } from "#server/platform/time";
import {
  FactionId,
  PlayerId,
  queryInteger,
  queryIntegerOrCursor,
  UnixSeconds,
} from "#server/rest/shapes";
import {
  type Amount,
  amountPattern,
  currencies,
  readAmount,
  type VaultRequest as StoredRequest,
} from "./vault-request";

const amountWords =
  "must be a whole amount of at least 1: an integer, or text such as 250000, $2,500,000, 1.5m or all";

export const AmountText = z
  .custom<string | number>((value) => readAmount(value) !== undefined, amountWords)
  .transform((value): Amount => readAmount(value) ?? "all")
  .meta({
    description:
      "How much: an integer, or text. Text may have thousands commas, a leading `$`, and a suffix `k`, `m` or `b` (then " +
      "decimals too, if the result is whole). `all` asks for the whole balance.",
    anyOf: [
      { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      { type: "string", pattern: amountPattern },
    ],
    examples: ["1.5m"],
  });

export const VaultCurrency = z
  .enum(currencies)
  .meta({ description: "Money, or points.", examples: ["money_balance"] });

const latestTimeout = 2 ** 31 - 1;

export const RequestExpiry = z
  .codec(z.int().min(1).max(latestTimeout), z.date(), {
    decode: (seconds) => new Date(seconds * secondMs),
    encode: (instant) => toUnixSeconds(instant),
  })
  .nullable()
  .default(null)
  .meta({
    description:
      "Unix seconds, in the future: when the request is cancelled unless it was paid. Null: never.",
    examples: [2_147_480_000],
  });

const requestFields = {
  id: z
    .int()
    .min(1)
    .meta({ description: "The request's number, its wid.", examples: [12] }),
  guid: z.uuid().meta({
    description:
      "Names the request in the fulfilment link `{base_url}/faction/banking/fulfill/<guid>`.",
    examples: ["7c1f3f0e-2b64-4c5a-9d0e-5f3a8d6b1c22"],
  }),
  user_id: PlayerId,
  faction_id: FactionId,
  amount: z
    .int()
    .min(1)
    .meta({ description: "What is asked for, resolved.", examples: [1_500_000] }),
  type: VaultCurrency,
  expires_at: UnixSeconds.nullable().meta({
    description: "When it ends unpaid; null: never.",
    examples: [2_147_480_000],
  }),
};

export const VaultRequestRecord = z.object(requestFields).meta({ id: "VaultRequest" });

export const ListedVaultRequest = z
  .object({
    ...requestFields,
    status: z
      .enum(["pending", "fulfilled", "cancelled"])
      .meta({ description: "Whether it waits, was paid, or ended unpaid.", examples: ["pending"] }),
    requested_at: UnixSeconds.meta({ description: "When it was made." }),
    closed_at: UnixSeconds.nullable().meta({
      description: "When it was fulfilled or cancelled; null while it waits.",
      examples: [null],
    }),
    closed_by: PlayerId.nullable().meta({
      description: "Who closed it; null while it is pending and if it expired.",
      examples: [null],
    }),
  })
  .meta({ id: "ListedVaultRequest" });

export const VaultBalance = z
  .object({
    player_id: PlayerId,
    faction_id: FactionId,
    money_balance: z
      .int()
      .meta({ description: "Below zero for a member who owes.", examples: [12_500_000] }),
    points_balance: z
      .int()
      .meta({ description: "Below zero for a member who owes.", examples: [250] }),
  })
  .meta({ id: "VaultBalance" });

const largestId = 2 ** 31 - 1;

export type RequestIdentifier = { readonly id: number } | { readonly guid: string };

const wholeNumber = /^[1-9]\d{0,9}$/;

export function readRequestIdentifier(text: string): RequestIdentifier | undefined {
  if (wholeNumber.test(text) && Number(text) <= largestId) return { id: Number(text) };
  const guid = text.toLowerCase();
  return isUuid(guid) ? { guid } : undefined;
}

const listKind = z.enum(["pending", "all"]).optional();
/** Unix seconds at the end of the year 9999; databases cannot store dates far beyond it. */
const latestMoment = 253_402_214_400;

export const VaultRequestQuery = z.object({
  search_type: listKind.meta({
    description: "`pending` (the default): neither fulfilled nor cancelled. `all`: every request.",
    examples: ["pending"],
  }),
  type: listKind.meta({
    description: "Alias of `search_type`, which wins.",
    examples: ["pending"],
  }),
  scope: z
    .enum(["user", "faction"])
    .default("user")
    .meta({ description: "`user`: your own. `faction`: all members', for bankers." }),
  limit: queryInteger({ min: 1, max: 100 })
    .default(100)
    .meta({ description: "The most requests to return." }),
  before: queryIntegerOrCursor({
    min: 0,
    max: latestMoment,
    most: { place: latestMoment * secondMs, row: largestId },
  })
    .optional()
    .meta({
      description:
        "Unix seconds: the latest time of asking, inclusive. To turn pages follow the `Link` header, or give here what its " +
        "address has as `before`: by times alone one gets stuck where more requests share a second than a page holds.",
      examples: [1_767_225_600],
    }),
  below: queryInteger({ min: 1, max: largestId })
    .optional()
    .meta({
      description:
        "Only those below this request in the list. `before` with what the `next` link holds does the same.",
      examples: [12],
    }),
});

export const vaultRequestRecord = (
  request: StoredRequest,
): z.output<typeof VaultRequestRecord> => ({
  id: request.id,
  guid: request.guid,
  user_id: request.playerId,
  faction_id: request.factionId,
  amount: request.amount,
  type: request.currency,
  expires_at: toUnixSeconds(request.expiresAt),
});

export const listedRequestRecord = (
  request: StoredRequest,
): z.output<typeof ListedVaultRequest> => ({
  ...vaultRequestRecord(request),
  status: request.status,
  requested_at: toUnixSeconds(request.requestedAt),
  closed_at: toUnixSeconds(request.closedAt),
  closed_by: request.closedBy,
});
