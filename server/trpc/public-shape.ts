import type { TRPCDefaultErrorShape, TRPCError } from "@trpc/server";
import { z } from "zod";
import { failureBehind, refusalReason } from "./refusal";

/** One field that was not accepted, and why. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

const fixedSentences: Partial<Record<TRPCError["code"], string>> = {
  BAD_REQUEST: "The call could not be read.",
  PARSE_ERROR: "The call could not be read.",
  UNAUTHORIZED: "Sign in first.",
  FORBIDDEN: "This call was not sent from a page of the portal. Reload the page and try again.",
  NOT_FOUND: "There is no such procedure.",
  METHOD_NOT_SUPPORTED: "The procedure does not support this method.",
  PAYLOAD_TOO_LARGE: "The call is too large.",
  UNSUPPORTED_MEDIA_TYPE: "The body must be JSON.",
};

/**
 * What the outside sees of an error: sentences of our catalogues, else a fixed one for its code. Messages of libraries
 * and of the database stay inside.
 */
export function publicShape(input: { error: TRPCError; shape: TRPCDefaultErrorShape; requestId: string | undefined }) {
  const { error, shape, requestId } = input;
  const failure = failureBehind(error);
  const reason = refusalReason(error);
  const fields = fieldErrors(error.cause);
  const known = failure || reason !== undefined ? error.message : fields && "Some fields are not right yet.";
  return {
    code: shape.code,
    message:
      known ?? fixedSentences[error.code] ?? `Something went wrong.${requestId ? ` Request id: ${requestId}` : ""}`,
    data: {
      code: shape.data.code,
      httpStatus: shape.data.httpStatus,
      path: shape.data.path ?? null,
      requestId: requestId ?? null,
      /** A word that a page can decide by. */
      reason: reason ?? null,
      failure: failure ? { code: failure.kind.code, name: failure.kind.name, details: failure.details ?? null } : null,
      fields: fields ?? null,
    },
  };
}

/** The fields that the input's schema refused; undefined when the error is none of input. */
export function fieldErrors(cause: unknown): FieldError[] | undefined {
  // Told apart by shape: the error's class differs between the two module graphs.
  const parsed = Issues.safeParse(cause);
  if (!parsed.success) return undefined;
  return parsed.data.issues.slice(0, mostTold).map(({ path, message }) => ({ field: path.join("."), message }));
}

/** More help nobody. */
const mostTold = 50;

const Issues = z.object({
  name: z.literal(["ZodError", "$ZodError"]),
  issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
});
