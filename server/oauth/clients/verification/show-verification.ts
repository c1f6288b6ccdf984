import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { requireApplication } from "../own-applications";
import { type ChecklistItem, checklistOf } from "./checklist";
import { challengeOf, fileAddress, isLocalDomain, recordName } from "./domain-name";
import {
  type ApplicationDomain,
  countIdleEndpoints,
  findDomain,
  findVerificationRequest,
  type VerificationRequest,
} from "./store";

export interface DomainView extends ApplicationDomain {
  /** To be published in one of both places. */
  readonly challenge: string;
  /** Null for a loopback address. */
  readonly recordName: string | null;
  readonly fileAddress: string;
}

export interface VerificationView {
  readonly verified: boolean;
  readonly mayRequest: boolean;
  readonly domain: DomainView | null;
  readonly checklist: readonly ChecklistItem[];
  /** The newest. */
  readonly request: VerificationRequest | null;
}

/** @throws UnknownOAuthClient · PortalRefusal ROLE_TOO_LOW */
export async function showVerification(
  ctx: Context,
  user: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<VerificationView> {
  const on = ctx.database.query;
  const application = await requireApplication(on, user, clientId, "settings");
  const { ownerId, verified, role } = application;
  const known = await findDomain(on, clientId);
  return {
    ...{ verified, mayRequest: role === "owner" },
    domain: known
      ? {
          ...known,
          challenge: challengeOf({ clientId, ownerId, domain: known.domain }),
          recordName: isLocalDomain(known.domain) ? null : recordName(known.domain),
          fileAddress: fileAddress(known.domain),
        }
      : null,
    checklist: checklistOf(application, await countIdleEndpoints(on, clientId)),
    request: (await findVerificationRequest(on, clientId)) ?? null,
  };
}
