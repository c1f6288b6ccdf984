import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import folders from "../../scripts/source-folders.json" with { type: "json" };

/** Paths are relative to the project, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly imports: readonly Import[];
}

export interface Import {
  /** A file of the project ("server/users/store.ts"), or a package ("zod", "node:path"). */
  readonly target: string;
  /** Erased at run time. */
  readonly typeOnly: boolean;
  readonly later: boolean;
  /** Names of imported values. */
  readonly values: readonly string[];
}

const root = path.join(import.meta.dirname, "../..");
const searched = [...folders.product, ...folders.tools];
const skipped = new Set(["node_modules", "migrations", ".cache", "shots"]);
const isSource = (name: string) => /\.(ts|tsx|mjs)$/.test(name);

export function readSourceTree(): SourceFile[] {
  const atRoot = readdirSync(root).filter((name) => isSource(name) && name !== "next-env.d.ts");
  const paths = [...atRoot, ...searched.flatMap(filesBelow)].filter(isSource).sort();
  const known = new Set(paths);
  return paths.map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return {
      path: file,
      text,
      lines: text.split("\n").length - 1,
      imports: importsOf(file, text, known),
    };
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const inside = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(inside) : [inside];
  });
}

/**
 * Regular expressions, because TypeScript 7 has no parser API and the formatter leaves one form.
 * Declarations begin a line; a dynamic import may be anywhere.
 */
const declaration = /^(?:import|export)\s+(type\s)?(?:([^"';]*?)\sfrom\s+)?"([^"]+)";/gm;
const dynamic = /\bimport\("([^"]+)"\)/g;

function importsOf(file: string, text: string, known: ReadonlySet<string>): Import[] {
  const declared = [...text.matchAll(declaration)].map((match) => ({
    from: match[3],
    ...{ typeOnly: match[1] !== undefined, later: false },
    values: match[1] === undefined ? valuesOf(match[2]) : [],
  }));
  const loaded = [...text.matchAll(dynamic)].map((match) => ({
    from: match[1],
    typeOnly: false,
    later: true,
    values: [],
  }));
  return [...declared, ...loaded].map(({ from = "", ...how }) => ({
    target: resolve(file, from, known),
    ...how,
  }));
}

const valuesOf = (clause = ""): string[] =>
  (/\{([^}]*)\}/.exec(clause)?.[1] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));

const aliases = {
  "#server/": "server/",
  "#simulator/": "simulator/",
  "#db/": "db/",
  "#app/": "app/",
};

function resolve(file: string, from: string, known: ReadonlySet<string>): string {
  const alias = Object.entries(aliases).find(([prefix]) => from.startsWith(prefix));
  const base = alias
    ? alias[1] + from.slice(alias[0].length)
    : from.startsWith(".")
      ? path.posix.join(path.posix.dirname(file), from)
      : undefined;
  // A sub-path counts as its package, except for Next, as its parts differ in purpose.
  if (base === undefined) return from;
  return (
    ["", ".ts", ".tsx", ".mjs", "/index.ts"]
      .map((ending) => base + ending)
      .find((name) => known.has(name)) ?? base
  );
}

/** @returns pattern parts that match no path, for example after a file has moved */
export function partsOfNothing(
  patterns: readonly (RegExp | undefined)[],
  files: readonly SourceFile[],
): string[] {
  return patterns
    .flatMap((pattern) => (pattern ? alternativesOf(pattern.source) : []))
    .filter((part) => !files.some((file) => new RegExp(part).test(file.path)));
}

/** A group that contains no other group except look-arounds. */
const group = /(?<!\\)\((?!\?[!=<])(?:\?:)?((?:[^()\\]|\\.|\(\?[!=<][^()]*\))*)\)/;
/** Outside of the remaining look-arounds. */
const or = /\|(?![^(]*\))/;

/** `a(b|c)|d` gives `ab`, `ac` and `d`. */
function alternativesOf(source: string): string[] {
  const [whole, inner] = group.exec(source) ?? [];
  if (whole === undefined || inner === undefined) return source.split(or);
  return inner.split(or).flatMap((each) => alternativesOf(source.replace(whole, () => each)));
}
