import type { TRPCClientErrorLike } from "@trpc/client";
import type { AppRouter } from "#server/portal/router";

/** The error of a refused query or mutation of the portal. */
export type ProcedureError = TRPCClientErrorLike<AppRouter>;

const unreachable = "Adjutant could not be reached. Check the connection and try again.";

/** The sentence to show. An error without the server's data never reached it. */
export const refusalSentence = ({ message, data }: ProcedureError): string =>
  data ? message : unreachable;

/** Fields that were not accepted, by their names in the input. */
export type FieldIssues = readonly { readonly field: string; readonly message: string }[];

/** Which fields were not accepted, by the input's schema or by a rule that names them in its details. */
export function refusedFields(refused: ProcedureError): FieldIssues {
  const details = refused.data?.failure?.details as { errors?: FieldIssues } | null | undefined;
  return refused.data?.fields ?? details?.errors ?? [];
}

/** The proof that the act wants before it is tried again. */
export function wantedProof({ data }: ProcedureError): "sign-in" | "confirmation" | null {
  if (data?.reason === "CONFIRMATION_WANTED") return "confirmation";
  return data?.code === "UNAUTHORIZED" ? "sign-in" : null;
}

/**
 * Ends what a ConfirmDialog asked about: gives the sentence for the dialog, or nothing when it may close. It also closes where a
 * proof is wanted, for that is given on the page, in a RefusalAlert.
 */
export const forDialog = (mutation: Promise<unknown>): Promise<string | undefined> =>
  mutation.then(
    () => undefined,
    (refused: ProcedureError) => (wantedProof(refused) ? undefined : refusalSentence(refused)),
  );
