/** The folder that scripts/build.mjs builds into. A server finds the pages beside its own copy of this file. */
const folder = process.env.BUILD_FOLDER;

/** The embedded database, what only builds and tests, and our sources, which are bundled. */
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
  // What else is there, samples and the changelog, the documentation's pages read.
  ...[
    "docs/*.md",
    "docs/decisions/**",
    "docs/images/**",
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
  ],
];

/** @type {import("next").NextConfig} */
const config = {
  distDir: folder ? `${folder}/.next` : ".next",
  poweredByHeader: false,
  // No page uses the optimizer, and each call of it would decode an image.
  images: { unoptimized: true },
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  // Titles come in the head, before the page: one that came after it would be missing for a moment each time a page is read again.
  htmlLimitedBots: /.*/,
  // PGlite finds its WebAssembly beside itself, pino and ioredis open files and sockets: none of them may be bundled.
  serverExternalPackages: [
    "@electric-sql/pglite",
    "postgres",
    "pino",
    "ioredis",
    "croner",
    "@upstash/ratelimit",
    "@upstash/redis",
  ],
  // What a platform copies into a function besides what is imported: by the journal the schema is known to be this release's.
  outputFileTracingIncludes: {
    "/**": ["db/migrations/meta/_journal.json"],
    "/docs/**": ["docs/recipes/*", "docs/event-readers/*", "docs/webhooks/*", "CHANGELOG.md"],
  },
  // Paths that are put together while it runs may lead anywhere, so that the whole folder would be copied.
  outputFileTracingExcludes: { "/**": notForFunctions },
  turbopack: { root: import.meta.dirname },
  // A build in a new folder finds no cache of an earlier one there, and need not write one.
  experimental: { turbopackFileSystemCacheForBuild: false },
  // Next adds the folder that it builds into to this file, which must not be the one under version control.
  typescript: {
    ignoreBuildErrors: true,
    ...(folder && { tsconfigPath: `${folder}/tsconfig.json` }),
  },
  rewrites: async () => [
    { source: "/.well-known/oauth-authorization-server", destination: "/oauth/metadata" },
  ],
};
export default config;
