import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import { onLoopback } from "../on-loopback";

/*
 * A real OpenID provider on loopback in place of the chat: `tsx serve.ts <redirect URI>`. Its page
 * asks for the account. Prints the product's settings for it as one line of JSON. A separate
 * process, because the package writes to the console.
 */

const redirectUri = process.argv[2] ?? "";
const clientId = "adjutant";
// Basic authentication must form-encode these characters (RFC 6749 section 2.3.1).
const clientSecret = `of+the chat/${randomBytes(16).toString("hex")}`;

const server = createServer();
const url = `http://localhost:${await onLoopback(server)}`;

const configuration: Configuration = {
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
  pkce: { required: () => true },
  cookies: { keys: [randomBytes(16).toString("hex")] },
  jwks: {
    keys: [
      generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
    ],
  },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
};
const provider = new Provider(url, configuration);
const speakProtocol = provider.callback();

server.on("request", (request, response) => {
  if (!request.url?.startsWith("/interaction/")) return void speakProtocol(request, response);
  const answer = request.method === "POST" ? decide : ask;
  answer(request, response).catch(() => response.writeHead(400).end("The interaction is over."));
});

async function ask(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response);
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(
    `<!doctype html><html lang="en"><title>The chat</title><h1>The chat</h1>
    <form method="post" action="/interaction/${uid}"><label>Account <input name="account"></label>
    <button name="answer" value="yes">Authorize</button><button name="answer" value="no">Cancel</button></form></html>`,
  );
}

async function decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  const fields = new URLSearchParams(body);
  if (fields.get("answer") === "no")
    return provider.interactionFinished(request, response, { error: "access_denied" });
  const accountId = fields.get("account") ?? "";
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope("openid");
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, {
    login: { accountId },
    consent: { grantId },
  });
}

process.stdout.write(
  `${JSON.stringify({
    CHAT_CLIENT_ID: clientId,
    CHAT_CLIENT_SECRET: clientSecret,
    CHAT_AUTHORIZE_URL: `${url}/auth`,
    CHAT_TOKEN_URL: `${url}/token`,
    CHAT_USER_URL: `${url}/me`,
    CHAT_USER_ID_FIELD: "sub",
  })}\n`,
);
