import { TRPCError } from "@trpc/server";
import superjson, { type SuperJSONResult } from "superjson";

/** A page's own input has a few, for undefined values. */
const mostAnnotations = 100;
/**
 * SuperJSON walks a set or map from its start for each annotation inside it, and no input needs
 * one.
 */
const annotatedTypes: ReadonlySet<unknown> = new Set(["undefined", "Date", "bigint", "number"]);

/** Annotations are counted before they are followed: each may cost as much as the whole input. */
export const transformer = {
  input: {
    serialize: (input: unknown) => superjson.serialize(input),
    deserialize: (sent: SuperJSONResult | undefined): unknown => {
      if (!isBounded(sent?.meta)) throw new TRPCError({ code: "BAD_REQUEST" });
      try {
        return sent && superjson.deserialize(sent, { inPlace: true });
      } catch (cause) {
        throw new TRPCError({ code: "BAD_REQUEST", cause });
      }
    },
  },
  output: superjson,
};

function isBounded(meta: SuperJSONResult["meta"]): boolean {
  const values = leaves(meta?.values);
  const equalities = leaves(meta?.referentialEqualities);
  return values?.every((type) => annotatedTypes.has(type)) === true && equalities !== undefined;
}

/** Undefined above the limit. */
function leaves(annotations: unknown): unknown[] | undefined {
  const waiting = [annotations];
  const found: unknown[] = [];
  for (const entry of waiting) {
    if (typeof entry !== "object" || entry === null) {
      if (entry !== undefined) found.push(entry);
      continue;
    }
    const inside = Object.values(entry);
    if (waiting.length + inside.length > mostAnnotations) return undefined;
    waiting.push(...inside);
  }
  return found;
}
