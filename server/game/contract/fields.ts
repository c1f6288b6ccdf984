import { z } from "zod";
import { secondMs } from "#server/platform/time";

/*
 * Fields that many answers share. What we do not use is let through and dropped. Inside the product a record is camelCase,
 * a time is a Date and a chat id a bigint.
 */

/** As wide as ids, levels and the like are stored; those of the game are far below. */
const widest = 2 ** 31 - 1;

export const id = z.int().positive().max(widest);
export const count = z.int().nonnegative();
export const smallCount = count.max(widest);

/** The game writes "none" as null or as 0, depending on the selection. */
export const idOrNone = smallCount.nullish().transform((value) => value || null);

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The game escapes what players and it named; decoded once, so that an escaped entity stays one. */
function decodeEntities(escaped: string): string {
  return escaped.replace(
    /&(?:#([0-9]{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi,
    (entity: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return namedEntities[name.toLowerCase()] ?? entity;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      const isCharacter = code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : entity;
    },
  );
}

/** A text that may be missing, as "": names, tags and sentences of the game. */
export const text = z
  .string()
  .nullish()
  .transform((value) => decodeEntities(value ?? ""));

/** A name by which rows are found again, so that it may not be missing. */
export const name = z.string().min(1).transform(decodeEntities);

/** An object that may be missing: the game writes "none" as null, as an empty list, or not at all. */
export const orNone = <Fields extends z.ZodType>(fields: Fields) =>
  z.preprocess(
    (value) => (Array.isArray(value) && value.length === 0 ? null : value),
    fields.nullish().transform((value) => value ?? null),
  );

/** A level that the game does not tell is null. */
export const levelOrNone = smallCount.nullish().transform((value) => value ?? null);

/** Unix seconds, up to the end of the year 9999. */
const seconds = count.max(253_402_300_799);
export const instant = seconds.transform((value) => new Date(value * secondMs));
export const instantOrNever = seconds
  .nullish()
  .transform((value) => (value ? new Date(value * secondMs) : null));

/** States are open: the game added two in one year, and an unknown one must not stop a refresh. A state that is not told is "". */
export const Status = orNone(
  z.object({ description: text, state: text, until: instantOrNever }),
).transform((status) => ({
  description: status?.description ?? "",
  state: status?.state ?? "",
  until: status?.until ?? null,
}));

export const LastAction = orNone(z.object({ status: text, timestamp: instantOrNever })).transform(
  (action) => ({ status: action?.status ?? "", at: action?.timestamp ?? null }),
);

const errorFields = z.object({ code: z.int(), error: z.string().optional() });

/** Answer of every selection when the game refuses, in either of two forms; it comes with HTTP 200. */
export const GameErrorBody = z.union([
  z.object({ error: errorFields }).transform(({ error }) => error),
  errorFields.required({ error: true }),
]);
