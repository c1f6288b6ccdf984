import { unstorable } from "#server/platform/input-schemas";

type Param<Segment extends string> = Segment extends `<int:${infer Name}>`
  ? { readonly [Key in Name]: number }
  : Segment extends `<${infer Name}>`
    ? { readonly [Key in Name]: string }
    : unknown;

/** Of `/faction/<int:faction_id>/<name>`: `faction_id: number`, `name: string`. */
export type PathParams<Path extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Param<Segment> & PathParams<Rest>
  : Param<Path>;

export type Segment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "int"; readonly name: string }
  | { readonly kind: "string"; readonly name: string };

const parameter = /^<(int:)?([a-z_]+)>$/;

/** @throws for an invalid notation */
export function parsePath(path: string): Segment[] {
  const [root, ...segments] = path.split("/");
  if (root !== "" || segments.length === 0)
    throw new Error(`"${path}" does not start with a slash.`);
  return segments.map((text) => {
    const match = parameter.exec(text);
    const name = match?.[2];
    if (name) return match[1] ? { kind: "int", name } : { kind: "string", name };
    if (!/^[a-zA-Z0-9._-]+$/.test(text))
      throw new Error(`"${path}": "${text}" is neither text nor a parameter.`);
    return { kind: "text", text };
  });
}

/** As OpenAPI writes it. */
export const braced = (path: string): string => path.replace(/<(?:int:)?([a-z_]+)>/g, "{$1}");

const largestInt = 2 ** 31 - 1;

/** 1 … 2^31−1, no leading zero. */
export function readInt(text: string): number | undefined {
  const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  return value <= largestInt ? value : undefined;
}

/** RFC 3986 section 2.1. Undefined if not storable. */
export function readSegment(text: string): string | undefined {
  if (text === "") return undefined;
  if (!text.includes("%")) return unstorable.test(text) ? undefined : text;
  try {
    const decoded = decodeURIComponent(text);
    return unstorable.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

export interface PathParameter {
  readonly name: string;
  readonly kind: "int" | "text";
  readonly description: string;
  readonly example: string;
}

const words: Readonly<Record<string, Pick<PathParameter, "description" | "example">>> = {
  faction_id: { description: "Id of a faction.", example: "40001" },
  user_id: { description: "Id of a player.", example: "2400001" },
  request_id: { description: "The vault request's number, or its guid.", example: "12" },
};

export const pathParametersOf = (path: string): PathParameter[] =>
  parsePath(path)
    .filter((segment): segment is Exclude<Segment, { kind: "text" }> => segment.kind !== "text")
    .map(({ name, kind }) => ({
      name,
      kind: kind === "int" ? "int" : "text",
      ...(words[name] ?? { description: "", example: "1" }),
    }));

export const examplePath = (path: string): string =>
  pathParametersOf(path).reduce(
    (filled, { name, example }) =>
      filled.replace(`<${name}>`, example).replace(`<int:${name}>`, example),
    path,
  );
