import { parsePath } from "./router";

export const openApiPath = (path: string): string => path.replace(/<(?:int:)?([a-z_]+)>/g, "{$1}");

const words: Readonly<Record<string, { readonly description: string; readonly example: string }>> =
  {
    faction_id: { description: "Id of a faction.", example: "40001" },
    user_id: { description: "Id of a player.", example: "2400001" },
    request_id: { description: "The vault request's number, or its guid.", example: "12" },
  };

export const pathParametersOf = (path: string) =>
  parsePath(path).flatMap((segment) => {
    if (segment.kind === "text") return [];
    const { name } = segment;
    const kind: "int" | "text" = segment.kind === "int" ? "int" : "text";
    return { name, kind, ...(words[name] ?? { description: "", example: "1" }) };
  });

export const examplePath = (path: string): string =>
  pathParametersOf(path).reduce(
    (filled, { name, example }) =>
      filled.replace(`<${name}>`, example).replace(`<int:${name}>`, example),
    path,
  );
