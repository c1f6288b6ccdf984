import type { TRPCClientErrorLike } from "@trpc/client";
import type { BrowserRouter } from "#server/portal/router";

export type ProcedureError = TRPCClientErrorLike<BrowserRouter>;

const unreachable = "Adjutant could not be reached. Check the connection and try again.";

/** Without `data` the call never reached the server. */
export const refusalSentence = ({ message, data }: ProcedureError): string =>
  data ? message : unreachable;

/** `field` is the name in the input. */
export type FieldIssues = readonly { readonly field: string; readonly message: string }[];

export const fieldIssuesOf = ({ data }: ProcedureError): FieldIssues => data?.fields ?? [];

export const faultAt = (refused: ProcedureError | null, name: string): string | undefined =>
  refused?.data?.fields?.find(({ field }) => field === name)?.message;

/** The proof that the user must give before a retry. */
export function wantedProof({ data }: ProcedureError): "sign-in" | "confirmation" | null {
  if (data?.reason === "CONFIRMATION_WANTED") return "confirmation";
  return data?.code === "UNAUTHORIZED" ? "sign-in" : null;
}
