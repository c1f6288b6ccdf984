/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  skipTrailingSlashRedirect: true,
  // PGlite finds its WebAssembly beside itself, pino and ioredis open files and sockets: none of them may be bundled.
  serverExternalPackages: ["@electric-sql/pglite", "postgres", "pino", "ioredis", "croner", "@upstash/redis"],
  turbopack: { root: import.meta.dirname },
  typescript: { ignoreBuildErrors: true },
  rewrites: async () => [{ source: "/.well-known/oauth-authorization-server", destination: "/oauth/metadata" }],
};
export default config;
