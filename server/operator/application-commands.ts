import { z } from "zod";
import { createOperator } from "#server/actor";
import {
  resumeApplication,
  type ShownApplication,
  showAnyApplication,
  suspendApplication,
  verifyApplication,
} from "#server/admin/applications";
import type { Context } from "#server/context";
import { GeneralError } from "#server/failures";
import { revokeAllGrants } from "#server/oauth/clients/live-grants/live-grants";
import { ReasonArgument } from "./account-commands";
import { type Answer, defineCommand } from "./command";

const application = z
  .string({ error: "name the application by its client id." })
  .regex(/^[0-9a-f]{32}$/, "name the application by its client id, 32 hexadecimal digits.")
  .describe("its client id");
const version = z
  .string()
  .regex(/^\d{1,9}$/, "it is a number.")
  .transform(Number)
  .optional()
  .describe("the version that you looked at; without it you are shown what you would vouch for");

const One = z.object({ application });
const OneWithReason = z.object({ application, reason: ReasonArgument });

const namesOf = ({ name, owner }: ShownApplication) =>
  `“${name}” of ${owner.name} [${owner.playerId}]`;
const find = async (ctx: Context, clientId: string) => {
  const found = await showAnyApplication(ctx, clientId);
  return { ...found, named: namesOf(found) };
};
const warnsOf = (words: string) => async (ctx: Context, input: { readonly application: string }) =>
  `${(await find(ctx, input.application)).named} ${words}`;

export const applicationCommands = [
  defineCommand({
    name: "application",
    words: "Shows what its developer said of an application, and how it stands.",
    takes: ["application"],
    input: One,
    run: async (ctx, input) => shown(await showAnyApplication(ctx, input.application)),
  }),
  defineCommand({
    name: "suspend",
    words:
      "Suspends an application: its tokens open nothing and nobody can approve it, until it is resumed.",
    takes: ["application"],
    input: OneWithReason,
    warns: warnsOf("would be suspended."),
    run: async (ctx, { application: clientId, reason }) => {
      const { named } = await find(ctx, clientId);
      await suspendApplication(ctx, createOperator(ctx), { clientId, reason });
      return { lines: [`${named} is suspended.`], record: { clientId, suspended: true } };
    },
  }),
  defineCommand({
    name: "resume",
    words: "Ends the suspension of an application: its tokens open again what they opened.",
    takes: ["application"],
    input: One,
    run: async (ctx, { application: clientId }) => {
      const { named } = await find(ctx, clientId);
      await resumeApplication(ctx, createOperator(ctx), { clientId });
      return { lines: [`${named} works again.`], record: { clientId, suspended: false } };
    },
  }),
  defineCommand({
    name: "verify",
    words: "Vouches for an application as it is: players see that where they are asked.",
    takes: ["application"],
    input: One.extend({ version, reason: ReasonArgument.optional() }),
    run: async (ctx, { application: clientId, version, reason: why }) => {
      const found = await find(ctx, clientId);
      if (version === undefined) {
        const hint = `Nothing was done. To vouch for exactly this, add --version ${found.version}`;
        const { lines, record } = shown(found);
        return { lines: [...lines, hint], record, no: true };
      }
      const outcome = await verifyApplication(ctx, createOperator(ctx), {
        clientId,
        version,
        verified: true,
        reason: why,
      });
      if (outcome === "outdated")
        throw GeneralError.because({
          message: `The application is at version ${found.version} by now. Look at it again.`,
        });
      return { lines: [`${found.named} is verified.`], record: { clientId, verified: true } };
    },
  }),
  defineCommand({
    name: "unverify",
    words: "Takes the verification of an application back. It still works.",
    takes: ["application"],
    input: One.extend({ reason: ReasonArgument.optional() }),
    run: async (ctx, { application: clientId, reason: why }) => {
      const { named, version } = await find(ctx, clientId);
      const taken = { clientId, version, verified: false, reason: why };
      if ((await verifyApplication(ctx, createOperator(ctx), taken)) === "outdated")
        throw GeneralError.because({
          message: "The application was changed this very moment. Try again.",
        });
      return { lines: [`${named} is not verified.`], record: { clientId, verified: false } };
    },
  }),
  defineCommand({
    name: "revoke-application",
    words:
      "Ends all tokens of an application, of all players. What they allowed stays; to keep it out, suspend it.",
    takes: ["application"],
    input: OneWithReason,
    warns: warnsOf("would lose all its tokens, and its players would have to sign in again."),
    run: async (ctx, { application: clientId, reason }) => {
      const { name, named } = await find(ctx, clientId);
      const ended = await revokeAllGrants(ctx, createOperator(ctx), {
        of: { clientId },
        name,
        reason,
      });
      const line = `Grants of ${named} that ended, with all their tokens: ${ended.grants}, of ${ended.players} players.`;
      return { lines: [line], record: { clientId, ...ended } };
    },
  }),
];

function shown(found: ShownApplication): Answer {
  const { clientId, kind, version, verifiedAt, suspendedAt, suspendedFor, redirectUris, scopes } =
    found;
  const proven = found.domain?.provenAt ? found.domain.name : "none";
  const state = [
    verifiedAt ? "verified" : "not verified",
    found.requestedAt && "verification requested",
    suspendedAt && `suspended (${suspendedFor})`,
  ];
  return {
    lines: [
      `${namesOf(found)}, ${kind}, version ${version}, ${state.filter(Boolean).join(", ")}`,
      `Client id: ${clientId}`,
      `Redirect URIs: ${redirectUris.join(" ") || "none"}`,
      `Scopes: ${scopes.join(" ")}`,
      `Pages: ${[found.clientUri, found.tosUri, found.privacyUri].filter(Boolean).join(" ") || "none"}`,
      `Proven domain: ${proven}`,
      `Players: ${found.users.count}${found.users.more ? " or more" : ""}`,
    ],
    record: found,
  };
}
