import { z } from "zod";
import {
  BankingNotConfigured,
  FactionNotLinked,
  GameError,
  GameTimeout,
  GameUnavailable,
  InsufficientResourcePermissions,
  InsufficientVaultBalance,
  UnknownChatServer,
  UnknownFaction,
  UnknownFactionKey,
} from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import {
  AmountText,
  Timeout,
  VaultCurrency,
  VaultRequestRecord,
  vaultRequestRecord,
} from "../contract";
import { requestWithdrawal } from "../request-withdrawal";

const own = [UnknownFaction, InsufficientResourcePermissions];
const linked = [UnknownChatServer, FactionNotLinked, BankingNotConfigured];
const covered = [
  UnknownFactionKey,
  GameError,
  GameUnavailable,
  GameTimeout,
  InsufficientVaultBalance,
];

export const createVaultRequest = endpoint({
  method: "POST",
  path: "/faction/<int:faction_id>/banking",
  title: "Create Faction Vault Request",
  description:
    "Asks the bankers of the user's faction for a payment from its vault. The faction must be linked to a chat server with " +
    "banking set up, where the request is shown. Pending requests plus the new amount must not exceed the balance.",
  tag: "Banking",
  scopes: ["faction:banking"],
  body: z.object({ amount: AmountText, type: VaultCurrency, timeout: Timeout }),
  returns: VaultRequestRecord,
  fails: [...own, ...linked, ...covered],
  idempotent: true,
  handle: async ({ ctx, by, params, body }) => {
    const requested = { amount: body.amount, currency: body.type, expiresAt: body.timeout };
    return vaultRequestRecord(
      await requestWithdrawal(ctx, by, { factionId: params.faction_id, ...requested }),
    );
  },
});
