import { URI } from "otpauth";
import { type App, RecordingVisitor, type Secrets } from "./recording-visitor";

/** Rights that must stay ended, and rights that must continue. */
export interface Aftermath {
  readonly app: App;
  readonly ended: {
    readonly access: readonly string[];
    readonly refresh: readonly string[];
    readonly codes: readonly Record<string, string>[];
    readonly cookies: readonly string[];
    readonly secrets: readonly App[];
  };
  readonly alive: { readonly access: string; readonly refresh: string; readonly cookie: string };
}

const mistyped = (secret: string) => `${secret.slice(0, -1)}${secret.endsWith("x") ? "y" : "x"}`;

/** With right and wrong codes. */
async function goThroughSecondFactor(visitor: RecordingVisitor, gameKey: string): Promise<void> {
  const begun = await visitor.call<{ secret: string; uri: string }>("secondFactor.begin");
  visitor.note("authenticator secret", begun.secret);
  const code = URI.parse(begun.uri).generate();
  await visitor.call("secondFactor.confirm", { code: "not it", keep: [] }).catch(() => {});
  const { backupCodes } = await visitor.call<{ backupCodes: string[] }>("secondFactor.confirm", {
    code,
    keep: [],
  });
  for (const each of backupCodes) visitor.note("backup code", each);
  visitor.dropCookies();
  await visitor.signIn(gameKey);
  const wrong = visitor.note("backup code", "wrong-wrong-wrong");
  for (const code of [wrong, backupCodes[0] ?? ""])
    await visitor.post("/sign-in/second-step/code", { code });
  await visitor.renewCsrf();
  await visitor.call("secondFactor.disable", { code: backupCodes[1] });
}

/** Covers every way of a secret through the public doors, also the wrong ones. */
export async function runEveryFlow(
  url: string,
  gameKey: string,
  secrets: Secrets,
): Promise<Aftermath> {
  const visitor = new RecordingVisitor(url, secrets);
  const refused = async (endpoint: string, app: App, fields: Record<string, string>) => {
    const { status, text } = await visitor.ask(endpoint, app, fields);
    if (status < 400 || status >= 500)
      throw new Error(`/oauth/${endpoint} answered ${status}: ${text}`);
  };

  await visitor.signIn("WrongKeyWrongKey");
  const signedOut = await visitor.signIn(gameKey);
  await visitor.post("/sign-out");
  visitor.dropCookies();
  const elsewhere = await visitor.signIn(gameKey);
  visitor.dropCookies();
  const cookie = await visitor.signIn(gameKey);
  await visitor.post("/account/sessions/end", { others: "yes" });

  const app = await visitor.register();
  const open = await visitor.register({ kind: "public", name: "Open Recorder" });
  const second = await visitor.call<{ secret: string; secretId: string }>(
    "applications.createSecret",
    {
      clientId: app.clientId,
      name: "second",
      livesDays: null,
    },
  );
  const replaced = { ...app, clientSecret: visitor.note("client secret", second.secret) };

  // Redeemed, rotated, replayed, introspected.
  const fields = await visitor.approve(app);
  await refused("token", app, {
    ...fields,
    code_verifier: visitor.note("verifier", mistyped(fields.code_verifier ?? "")),
  });
  await refused(
    "token",
    { ...app, clientSecret: visitor.note("client secret", mistyped(app.clientSecret ?? "")) },
    fields,
  );
  const first = await visitor.tokens(app, fields);
  await visitor.apiStatus(first.access);
  await visitor.apiStatus(visitor.note("access token", mistyped(first.access)));
  const next = await visitor.refreshed(replaced, first);
  await visitor.refreshed(app, first);
  await visitor.ask("introspect", app, { token: next.access });
  const last = await visitor.refreshed(app, next);
  await refused("token", app, { grant_type: "refresh_token", refresh_token: first.refresh });
  await visitor.post(`/developers/apps/${app.clientId}/credentials/delete`, {
    secret_id: second.secretId,
  });

  // Revoked by the client, never redeemed, deleted with its application.
  const spent = await visitor.approve(app);
  const revoked = await visitor.tokens(app, spent);
  await visitor.ask("revoke", app, { token: revoked.refresh });
  await visitor.approve(app);
  const doomed = await visitor.register({ name: "Doomed" });
  const lost = await visitor.tokens(doomed, await visitor.approve(doomed));
  const unredeemed = await visitor.approve(doomed);
  await visitor.post(`/developers/apps/${doomed.clientId}/danger/delete`, {
    confirm_name: "Doomed",
  });
  await visitor.tokens(open, await visitor.approve(open));
  await goThroughSecondFactor(visitor, gameKey);
  // Unescaped in the log, it would forge lines and control the terminal.
  await visitor.visit(
    `/oauth/authorize?client_id=${app.clientId}&state=a%0Aforged%1B%5B31m&scope=%0D%0Aforged%1B%5B31m`,
  );
  await visitor.call("applications.create", { name: "a\nforged\u001b[31m" }).catch(() => {});
  await visitor.visit("/sign-in?next=%0Aforged%1B%5B31m&error=%0Aforged");
  await visitor.visit("/api/v1/user%0Aforged%1B%5B31m");

  return {
    app,
    ended: {
      access: [first.access, next.access, revoked.access, lost.access],
      refresh: [first.refresh, next.refresh, revoked.refresh, lost.refresh],
      codes: [spent, unredeemed],
      cookies: [signedOut, elsewhere],
      secrets: [replaced, doomed],
    },
    alive: { access: last.access, refresh: last.refresh, cookie },
  };
}
