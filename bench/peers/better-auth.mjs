/**
 * better-auth with its OAuth provider plugin on PostgreSQL, as their documentation has one do it, at its fastest: pooled connections,
 * the schema and indexes of its own migration, the application in its memory (`cachedTrustedClients`) and signed access tokens, which
 * cost it less than stored ones. Its limits are off. Its cookie cache could not help: no call carries a cookie.
 *
 * GET /api/v1/user is an API beside it, which checks a token by its signature alone, as the documentation recommends, and asks
 * PostgreSQL for the player. It knows nothing of revocation; userinfo does.
 *
 * Environment: PEER_BETTER_AUTH (the folder with the packages), PEER_DATABASE_URL, PEER_PORT. Prints "ready".
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { PEER_BETTER_AUTH = "", PEER_DATABASE_URL = "", PEER_PORT = "0" } = process.env;
const { resolve } = createRequire(path.resolve(PEER_BETTER_AUTH, "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { betterAuth } = await load("better-auth");
const { toNodeHandler } = await load("better-auth/node");
const { getMigrations } = await load("better-auth/db/migration");
const { verifyAccessTokenRequest } = await load("better-auth/oauth2");
const { jwt } = await load("better-auth/plugins");
const { oauthProvider } = await load("@better-auth/oauth-provider");
const { default: pg } = await load("pg");

const baseURL = `http://127.0.0.1:${PEER_PORT}`;
const issuer = `${baseURL}/api/auth`;
const clientId = "peer";
const pool = new pg.Pool({ connectionString: PEER_DATABASE_URL, max: 20 });
const options = {
  // A fixed address spares each call a look at its headers.
  baseURL,
  secret: randomBytes(32).toString("base64url"),
  database: pool,
  emailAndPassword: { enabled: true },
  user: {
    additionalFields: {
      chatId: { type: "string", required: false },
      factionId: { type: "number", required: false },
    },
  },
  rateLimit: { enabled: false },
  disabledPaths: ["/token"],
  plugins: [
    jwt(),
    oauthProvider({
      loginPage: "/sign-in",
      consentPage: "/consent",
      scopes: ["openid", "offline_access", "identity"],
      allowDynamicClientRegistration: true,
      generateClientId: () => clientId,
      generateClientSecret: () => "peer-secret",
      cachedTrustedClients: new Set([clientId]),
      customUserInfoClaims: ({ user, scopes }) =>
        scopes.includes("identity")
          ? { name: user.name, chat_id: user.chatId, faction_id: user.factionId }
          : {},
    }),
  ],
};
await (await getMigrations(options)).runMigrations();
const auth = betterAuth(options);
await auth.$context;

const verification = {
  jwksUrl: `${issuer}/jwks`,
  verifyOptions: {
    issuer,
    audience: `${issuer}/oauth2/userinfo`,
    typ: "at+jwt",
    requiredClaims: ["azp"],
  },
  requiredScopes: ["identity"],
};
const player = `select id as sub, name, "chatId" as chat_id, "factionId" as faction_id from "user" where id = $1`;
async function answerPlayer(request, response) {
  const { authorization: authorizationHeader } = request.headers;
  const presented = {
    authorizationHeader,
    method: request.method,
    url: `${baseURL}${request.url}`,
  };
  try {
    const { sub } = await verifyAccessTokenRequest(presented, verification);
    const { rows } = await pool.query({ name: "player", text: player, values: [sub] });
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(rows[0]));
  } catch {
    response.writeHead(401).end();
  }
}

const handle = toNodeHandler(auth);
createServer((request, response) =>
  request.url === "/api/v1/user" ? answerPlayer(request, response) : handle(request, response),
).listen(Number(PEER_PORT), "127.0.0.1", () => process.stdout.write("ready\n"));
