import { z } from "zod";
import {
  type PlaceCursor,
  placeCursorPattern,
  readPlaceCursor,
  writePlaceCursor,
} from "#server/platform/paging";

/** The largest `integer` of PostgreSQL. */
const largestId = 2 ** 31 - 1;

const id = (what: string, example: number) =>
  z
    .int()
    .min(1)
    .max(largestId)
    .meta({ description: `Id of a ${what}.`, examples: [example] });

export const PlayerId = id("player", 2_400_001);
export const FactionId = id("faction", 40_001);

export const UnixSeconds = z
  .int()
  .min(0)
  .meta({ description: "Unix seconds.", examples: [1_767_225_600] });

/** Schema metadata cannot contain this bigint. */
export const snowflakeExample = 123_456_789_012_345_678n;

/** Above 2^53 a JavaScript number would change the digits. */
const largestSnowflake = 2n ** 63n - 1n;
const isSnowflake = (value: unknown): boolean =>
  (typeof value === "bigint" && value >= 0n && value <= largestSnowflake) ||
  (typeof value === "number" && Number.isSafeInteger(value) && value >= 0);

export const Snowflake = z
  .custom<number | bigint>(isSnowflake, "must be an integer of at most 63 bits")
  .meta({
    type: "integer",
    format: "int64",
    description:
      "A 64-bit id with all its digits; read it with a parser that keeps integers exact.",
  });

export const snowflakeCodec = z.codec(Snowflake, z.bigint(), {
  decode: (wire) => BigInt(wire),
  encode: (value) => value,
});

export const queryInteger = ({ min, max }: { min: number; max: number }) =>
  z.codec(
    z
      .string()
      .regex(/^-?(?:0|[1-9]\d{0,15})$/, "must be an integer")
      .meta({
        type: "integer",
        minimum: min,
        maximum: max,
        pattern: undefined,
        examples: [Math.max(min, 1)],
      }),
    z.int().min(min).max(max),
    { decode: Number, encode: String },
  );

type RowCursor = PlaceCursor<number>;

export const isCursor = (value: unknown): value is RowCursor =>
  typeof value === "object" && value !== null;

/** The cursor is from a `next` link. @param most the largest place and row of a cursor */
export const queryIntegerOrCursor = ({
  min,
  max,
  most,
}: {
  min: number;
  max: number;
  most: RowCursor;
}) => {
  const read = (text: string): number | RowCursor => {
    const cursor = readPlaceCursor(text);
    if (cursor && /^\d{1,15}$/.test(cursor.row))
      return { place: cursor.place, row: Number(cursor.row) };
    return /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  };
  const fits = (value: unknown): boolean =>
    isCursor(value)
      ? value.place <= most.place && value.row <= most.row
      : typeof value === "number" && value >= min && value <= max;
  return z.codec(
    z.string().meta({
      anyOf: [
        { type: "integer", minimum: min, maximum: max },
        {
          type: "string",
          pattern: placeCursorPattern.source,
          description: "What the `next` link holds.",
        },
      ],
      type: undefined,
      examples: [Math.max(min, 1)],
    }),
    z.custom<number | RowCursor>(
      fits,
      `must be an integer from ${min} to ${max}, or what the next link holds`,
    ),
    {
      decode: read,
      encode: (value) => (isCursor(value) ? writePlaceCursor(value) : String(value)),
    },
  );
};

export const queryBoolean = z.codec(
  z
    .string()
    .regex(/^(?:true|false)$/i, "must be true or false")
    .meta({ type: "boolean", pattern: undefined, examples: [true] }),
  z.boolean(),
  { decode: (text) => text.toLowerCase() === "true", encode: String },
);
