import { failureBehind } from "#server/trpc/refusal";

/** The field that a procedure refused, as its failure names it; undefined where no field was to blame. */
export function refusedField(thrown: unknown): string | undefined {
  const errors = failureBehind(thrown)?.details?.errors;
  const [first]: unknown[] = Array.isArray(errors) ? errors : [];
  const field = typeof first === "object" && first !== null && "field" in first ? first.field : undefined;
  return typeof field === "string" ? field : undefined;
}
