import { z } from "zod";
import type { Tone } from "#app/_ui/badge.tsx";
import { failureKinds, InvalidAuthenticationInformation } from "#server/failures";
import type { CallingPlayer, LoggedCall } from "#server/oauth/clients/calls/logged-call";

type FailureNote = NonNullable<LoggedCall["failure"]>;

export const toneOf = (status: number): Tone => (status >= 500 ? "bad" : status >= 400 ? "warn" : "good");

const kindOf = (code: number | null) => failureKinds.find((kind) => kind.code === code);
export const nameOfFailure = (code: number): string => kindOf(code)?.name ?? "Unknown";
export const sentenceOfFailure = (code: number | null): string | undefined => kindOf(code)?.message;

export const playerName = ({ id, name }: CallingPlayer): string => `${name} [${id}]`;

const revokers: Readonly<Record<string, string>> = {
  player: "by the player",
  client: "by your application",
  "code-reuse": "because its code was used twice",
  "refresh-reuse": "because a refresh token was used twice",
  developer: "by you",
  admin: "by an admin",
};

type FailedCall = Pick<LoggedCall, "failureCode" | "failure">;

/** How the token had ended for which a call was refused; undefined where it was refused for something else. */
export const endOfToken = ({ failureCode, failure }: FailedCall): FailureNote["token"] =>
  failureCode === InvalidAuthenticationInformation.code ? failure?.token : undefined;

/** The same in words. */
export function tokenInWords(call: FailedCall): string | undefined {
  const token = endOfToken(call);
  if (!token) return undefined;
  if (token.ended === "expired") return "The token had expired.";
  if (token.ended === "replaced") return "The token had been replaced by a refresh, or revoked by your application.";
  const by = revokers[token.by ?? ""];
  return `The access had been revoked${by ? ` ${by}` : ""}.`;
}

/** Why a call failed, beyond what its code says; undefined where the code says it all. */
export function reasonOf(call: FailedCall): string | undefined {
  const { failure } = call;
  const { missing } = (failure?.details ?? {}) as { missing?: unknown };
  if (Array.isArray(missing)) return `Missing: ${missing.join(", ")}.`;
  return tokenInWords(call) ?? failure?.message;
}

const FieldFaults = z.array(z.object({ field: z.string(), message: z.string() }));

/** What was wrong with each field of a request, as the answer said it. */
export function faultsOfFields({
  failure,
}: FailedCall): readonly { readonly field: string; readonly message: string }[] {
  const { errors } = (failure?.details ?? {}) as { errors?: unknown };
  return FieldFaults.safeParse(errors).data ?? [];
}
