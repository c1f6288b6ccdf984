import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { partsOfNothing, readSourceTree, type SourceFile } from "./testing/source-tree";

const root = path.join(import.meta.dirname, "..");
const tree = readSourceTree();
const forTests = /\.(test|e2e)\.tsx?$|^server\/testing\/|^e2e\/|^scripts\//;
const product = tree.filter(
  (file) =>
    /^(app|server|simulator|db)\/|^(proxy|instrumentation)\.ts$/.test(file.path) &&
    !forTests.test(file.path),
);

test("files are named for what they hold", () => {
  const drawers =
    /(^|\/)(utils?|helpers?|common|misc|managers?|shared)(\/|\.[a-z.]+$)|(^|[-/])manager\.tsx?$/;
  const kebab = /^[a-z0-9]+([-.][a-z0-9]+)*$/;
  const broken = tree.flatMap(({ path: file }) => {
    if (drawers.test(file))
      return [`${file}: such a name says nothing. Name it for the one thing that it exports.`];
    return kebab.test(path.basename(file)) ? [] : [`${file}: write the name in kebab-case.`];
  });
  expectNone(broken);
});

test("no module re-exports a folder", () => {
  const isBarrel = ({ path: file, text }: SourceFile) =>
    /\/index\.tsx?$/.test(file) && /^export .* from /m.test(text);
  const broken = tree
    .filter(isBarrel)
    .map((file) => `${file.path}: import from the file that has it.`);
  expectNone(broken);
});

/** Forbidden in the product, line by line, without comments. */
interface Ban {
  readonly title: string;
  readonly files: RegExp;
  readonly except?: RegExp;
  readonly never: RegExp;
  readonly instead: string;
}

const bans: Ban[] = [
  {
    title: "the environment is read in one place",
    files: /./,
    // The second holds code samples for readers. Two variables are no settings: Next uses them for
    // its runtime and build phase.
    except: /^server\/platform\/env\.ts$|\/client-snippets\.tsx$/,
    never: /process\.env\b(?!\.NEXT_(RUNTIME|PHASE)\b)/,
    instead:
      "Take it from ctx.settings, or call readSettings() of server/platform/env.ts; new settings are added there.",
  },
  {
    title: "nothing is told apart by its class but what the platform brings",
    files: /^(app|server)\//,
    never:
      /\binstanceof (?!(Error|Date|URL|Request|Response|Headers|FormData|File|Blob|Uint8Array|ArrayBuffer|Map|Set|HTML\w+|Element|Node)\b)/,
    instead:
      "Two copies of a module live in one process: use its is… function, its brand, name or code.",
  },
  {
    title: "modules keep no state",
    files: /^(server|db|app\/(?!_ui\/))/,
    except: /^server\/create-context\.ts$/,
    never: /^(export )?(let |const [^=]+ = new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\))/,
    instead:
      "State belongs to a part that server/create-context.ts creates; a constant table is typed ReadonlyMap or ReadonlySet.",
  },
  {
    title: "time and randomness are passed in",
    files: /^(server|simulator)\//,
    // lucia compares with the system's clock, and this file converts.
    except:
      /^server\/(platform\/|load-pages\.ts|auth\/sessions\.ts)|^simulator\/(serve|http-server)\.ts/,
    never: /\bDate\.now\(\)|\bnew Date\(\)|\bMath\.random\(|\brandomUUID\(|\brandomBytes\(/,
    instead: "Use ctx.now() and ctx.ids, or take the instant as a parameter.",
  },
  {
    title: "durations are said by name",
    files: /^(server|db|simulator)\/|^app\/(?!_ui\/)/,
    except: /^server\/platform\/time\.ts$/,
    never: /(?<![\w"])(86_?400|3_?600)(_?000)?\b(?!")|\b60 \* 60\b/,
    instead: "Take it from server/platform/time.ts.",
  },
  {
    title: "bodies are read by one function, which knows when to stop",
    files: /^(server|app)\//,
    except: /^server\/platform\/limited-text\.ts$/,
    never: /\.getReader\(/,
    instead: "Use readLimitedText or readLimitedBytes of server/platform/limited-text.ts.",
  },
  {
    title: "Retry-After is written by one function",
    files: /^(server|app)\//,
    except: /^server\/(platform\/response-headers|rest\/openapi)\.ts$/,
    never: /\{ "Retry-After"|\bset\("Retry-After"/i,
    instead: "Spread retryAfterHeader(status, seconds) of server/platform/response-headers.ts.",
  },
  {
    title: "verbs do not speak HTTP",
    files: /^server\/(users|faction|stats|stocks)\//,
    except: /\/endpoints\/|\/contract\.ts$/,
    never: /\bnew Response\(|: Request\b|: Response\b/,
    instead: "Take parameters and give records; the endpoint and server/rest do the rest.",
  },
];

test.each(bans)("$title", ({ files, except, never, instead }) => {
  const broken = product
    .filter((file) => files.test(file.path) && !except?.test(file.path))
    .flatMap((file) =>
      file.text.split("\n").flatMap((line, index) => {
        const isComment = /^\s*(\/\/|\/?\*)/.test(line);
        return !isComment && never.test(line)
          ? [`${file.path}:${index + 1}: ${line.trim()} — ${instead}`]
          : [];
      }),
    );
  expectNone(broken);
});

test("each place that a ban names is there", () => {
  const named = bans.flatMap(({ files, except }) => [files, except]);
  expect(partsOfNothing(named, product)).toEqual([]);
});

test("the documents cite files that exist", () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== "dist",
  );
  const roots = folders.map((entry) => entry.name).join("|");
  const cited = new RegExp(
    `\`((?:${roots})/[\\w./()\\[\\]@-]+)\`|\\]\\((?!https?:|#|mailto:)([^)#\\s]+)`,
    "g",
  );
  const broken = documents().flatMap((document) =>
    [...readFileSync(path.join(root, document), "utf8").matchAll(cited)].flatMap((match) => {
      const file = match[1] ?? path.posix.join(path.posix.dirname(document), match[2] ?? "");
      return existsSync(path.join(root, file))
        ? []
        : [`${document} cites ${file}, which is not there.`];
    }),
  );
  expectNone(broken);
});

function documents(): string[] {
  const below = readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" }).map(
    (name) => `docs/${name}`,
  );
  return [...readdirSync(root), ...below].filter((name) => name.endsWith(".md"));
}

/** Each sentence says what to do. */
function expectNone(broken: readonly string[]): void {
  expect(broken.length, ["", ...broken, ""].join("\n")).toBe(0);
}

/** The style guide: a comment that needs one of these words is rewritten. */
const riddles = /\b(?:who|whose|whom|whoever|nobody|somebody|told|tells|stands)\b/i;
const wholeLine = /^\s*\{?(?:\/\/|\/\*|\*)(.*)/;
const endOfLine = /^(?:[^"'`/]|"[^"]*"|'[^']*'|`[^`]*`|\/(?!\/))*\s\/\/ (.*)/;

test("comments are plain English", () => {
  const found = readSourceTree().flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const comment = (wholeLine.exec(line) ?? endOfLine.exec(line))?.[1] ?? "";
      const [word] = riddles.exec(comment) ?? [];
      return word ? [`${path}:${index + 1}: "${word}". Subject, verb, object.`] : [];
    }),
  );
  expect(found.length, ["", ...found].join("\n")).toBe(0);
});
