import { parsePath, type Segment } from "./path";

/** A part of a path that a caller fills in, as reference and OpenAPI tell of it. */
export interface PathParameter {
  readonly name: string;
  readonly kind: "int" | "text";
  readonly description: string;
  /** As it stands in an example's address. */
  readonly example: string;
}

/** What the names mean, wherever they stand. */
const words: Readonly<Record<string, Pick<PathParameter, "description" | "example">>> = {
  faction_id: { description: "Id of a faction.", example: "40001" },
  user_id: { description: "Id of a player.", example: "2400001" },
  request_id: { description: "The vault request's number, or its guid.", example: "12" },
};

/** What has to be filled in, in order. A name that nothing is known of is told as it is. */
export const pathParametersOf = (path: string): PathParameter[] =>
  parsePath(path)
    .filter((segment): segment is Exclude<Segment, { kind: "text" }> => segment.kind !== "text")
    .map(({ name, kind }) => ({
      name,
      kind: kind === "int" ? "int" : "text",
      ...(words[name] ?? { description: "", example: "1" }),
    }));

/** A path with example values in their places. */
export const examplePath = (path: string): string =>
  pathParametersOf(path).reduce(
    (filled, { name, example }) => filled.replace(`<${name}>`, example).replace(`<int:${name}>`, example),
    path,
  );
