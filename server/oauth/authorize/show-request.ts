import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { scopes as catalogue, type ScopeName } from "../../scopes";
import { noTally, type Tally } from "../../tally";
import type { ClientKind } from "../clients/client";
import type { PrivacyStatements } from "../clients/contract";
import { countUsers } from "../clients/figures/store";
import { mostPlayers } from "../clients/most-counted";
import { findApplication } from "../clients/store";
import { recallConsent } from "../consents/recall-consent";
import { requestFailure } from "../request-failure";
import { askUser, openRequest } from "./open-request";
import { questionOf } from "./question";

/** What the consent page shows. */
export interface ConsentView {
  readonly requestId: string;
  readonly application: {
    readonly clientId: string;
    readonly name: string;
    readonly kind: ClientKind;
    readonly ownerName: string;
    readonly verified: boolean;
    readonly createdAt: Date;
    readonly clientUri: string;
    readonly tosUri: string;
    readonly privacyUri: string;
    readonly privacy: PrivacyStatements;
    /** Players with a live consent. */
    readonly users: Tally;
  };
  /** What is asked now. */
  readonly asked: readonly ScopeInWords[];
  /** Those of the asked ones that may be left out. */
  readonly optional: readonly ScopeName[];
  /** What the request covers besides, because it was allowed before. */
  readonly allowed: readonly ScopeInWords[];
  readonly redirectHost: string;
  /** What stands of an earlier approval; null where there is none. */
  readonly earlier: {
    readonly scopes: readonly ScopeName[];
    readonly until: Date | null;
    readonly paused: boolean;
  } | null;
}

type ScopeInWords = (typeof catalogue)[number];

/**
 * Shows a parked request to the user, who from then on is the one to answer it.
 * @throws RequestFailure
 */
export async function showRequest(
  ctx: Context,
  asked: { readonly requestId: string; readonly browserId: string | null; readonly user: PortalUser },
  origin: Origin,
): Promise<ConsentView> {
  const { request, client } = await openRequest(ctx, asked);
  const { consent } = await recallConsent(ctx, asked.user, { client, scopes: request.scopes });
  await askUser(ctx, { request, held: consent?.scopes ?? [] }, asked.user);
  const on = ctx.database.query;
  const { accountId } = asked.user;
  const shown = { act: "consent-shown", actor: `account:${accountId}`, accountId, clientId: client.clientId } as const;
  ctx.defer(() => ctx.audit(on, { ...shown, origin }));
  const application = await findApplication(on, client.clientId);
  if (!application) throw requestFailure("unknown");
  const question = questionOf(request, client, consent?.scopes ?? []);
  const { clientId, name, kind, ownerName, verified, createdAt, clientUri, tosUri, privacyUri, privacy } = application;
  const users =
    (await countUsers(on, { clientIds: [clientId], most: mostPlayers }, ctx.now())).get(clientId) ?? noTally;
  const known = { clientId, name, kind, ownerName, verified, createdAt, clientUri, tosUri, privacyUri, privacy };
  return {
    requestId: request.id,
    application: { ...known, users },
    asked: inWords(question.asked),
    optional: question.optional,
    allowed: inWords(question.allowed),
    redirectHost: new URL(request.redirectUri).host,
    earlier: consent ? { scopes: consent.scopes, until: consent.until, paused: consent.paused } : null,
  };
}

const inWords = (names: readonly ScopeName[]): ScopeInWords[] => catalogue.filter(({ name }) => names.includes(name));
