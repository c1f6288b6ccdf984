import { z } from "zod";
import { secondMs } from "#server/platform/time";

/** The width of our integer columns; the game's values are far below. */
const widest = 2 ** 31 - 1;

export const id = z.int().positive().max(widest);
export const count = z.int().nonnegative();
export const smallCount = count.max(widest);

/** The game writes "none" as null or 0, depending on the selection. */
export const nullableId = smallCount.nullish().transform((value) => value || null);

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The game escapes names. Decodes once, so that an escaped entity stays escaped. */
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

export const decodedText = z
  .string()
  .nullish()
  .transform((value) => decodeEntities(value ?? ""));

/** Not empty, because rows are looked up by name. */
export const name = z.string().min(1).transform(decodeEntities);

/** The game writes a missing object as null, as an empty list, or not at all. */
export const nullableObject = <Fields extends z.ZodType>(fields: Fields) =>
  z.preprocess(
    (value) => (Array.isArray(value) && value.length === 0 ? null : value),
    fields.nullish().transform((value) => value ?? null),
  );

export const nullableLevel = smallCount.nullish().transform((value) => value ?? null);

/** Unix seconds, up to the end of the year 9999. */
const seconds = count.max(253_402_300_799);
export const instant = seconds.transform((value) => new Date(value * secondMs));
export const nullableInstant = seconds
  .nullish()
  .transform((value) => (value ? new Date(value * secondMs) : null));

/** Not an enum: the game adds states, and an unknown state must not stop a refresh. */
export const PlayerStatus = nullableObject(
  z.object({ description: decodedText, state: decodedText, until: nullableInstant }),
).transform((status) => ({
  description: status?.description ?? "",
  state: status?.state ?? "",
  until: status?.until ?? null,
}));

export const lastAction = nullableObject(z.object({ timestamp: nullableInstant })).transform(
  (action) => action?.timestamp ?? null,
);

const errorFields = z.object({ code: z.int(), error: z.string().optional() });

/** The game has two error forms, both sent with HTTP 200. */
export const GameErrorBody = z.union([
  z.object({ error: errorFields }).transform(({ error }) => error),
  errorFields.required({ error: true }),
]);
