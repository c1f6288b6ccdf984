/** Output of scripts/build.mjs. A server finds the pages beside its own copy of this file. */
const folder = process.env.BUILD_FOLDER;

/** The embedded database, build and test files, and our sources, which are bundled. */
const notForFunctions = [
  ...[
    "node_modules/@electric-sql/**",
    "node_modules/@esbuild/**",
    "node_modules/esbuild/**",
    ".git/**",
    ".cache/**",
  ],
  ...[
    "app/**",
    "server/**",
    "simulator/**",
    "db/*.ts",
    "db/schema/**",
    "db/migrations/*.sql",
    "db/migrations/meta/*_*.json",
  ],
  ...["bench/**", "deploy/**", "e2e/**", "patches/**", "scripts/**", "package-lock.json"],
  ...["docs/**", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
];

/** Guides, samples and the changelog are imported as text by `import.meta.glob`, as in Vite. */
const compiledInAsText = { condition: { query: "?raw" }, type: "text" };

/** @type {import("next").NextConfig} */
const config = {
  distDir: folder ? `${folder}/.next` : ".next",
  poweredByHeader: false,
  // No page uses the optimizer, and each call of it would decode an image.
  images: { unoptimized: true },
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  // Titles must come in the head: a streamed title is missing for a moment at each refresh of a
  // page.
  htmlLimitedBots: /.*/,
  // None may be bundled: PGlite finds its WebAssembly beside itself, pino and ioredis open files
  // and sockets.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "postgres",
    "pino",
    "ioredis",
    "croner",
    "@upstash/ratelimit",
    "@upstash/redis",
  ],
  // A function needs the journal, which identifies the release's schema, besides its imports.
  outputFileTracingIncludes: { "/**": ["db/migrations/meta/_journal.json"] },
  // Paths computed at run time would make Next copy the whole folder.
  outputFileTracingExcludes: { "/**": notForFunctions },
  turbopack: {
    root: import.meta.dirname,
    rules: Object.fromEntries(
      ["md", "ts", "js", "py", "go", "sh"].map((ending) => [`*.${ending}`, compiledInAsText]),
    ),
  },
  // A build in a new folder cannot reuse the cache.
  experimental: { turbopackFileSystemCacheForBuild: false },
  // Next adds the build folder to this tsconfig, so it must not be the one under version control.
  typescript: {
    ignoreBuildErrors: true,
    ...(folder && { tsconfigPath: `${folder}/tsconfig.json` }),
  },
  rewrites: async () => [
    { source: "/.well-known/oauth-authorization-server", destination: "/oauth/metadata" },
    { source: "/docs.md", destination: "/docs/markdown" },
    { source: "/docs/:guide([a-z]+).md", destination: "/docs/markdown/:guide" },
  ],
};
export default config;
