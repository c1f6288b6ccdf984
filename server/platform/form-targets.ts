/** `*` matches one segment. A test compares this list with the route files. */
export const formTargets = [
  "/sign-in/key",
  "/sign-in/passkey",
  "/sign-in/passkey/start",
  "/sign-in/chat",
  "/sign-in/second-step/code",
  "/confirm/proof",
  "/confirm/passkey",
  "/confirm/passkey/start",
  "/sign-out",
  "/consent/*/decision",
  "/account/chat/link",
  "/account/chat/unlink",
  "/account/apps/revoke",
  "/account/apps/pause",
  "/account/apps/resume",
  "/account/apps/narrow",
  "/account/apps/restore",
  "/account/apps/expiry",
  "/account/apps/*/report/send",
  "/account/sessions/end",
  "/account/notices/read",
  "/account/notifications/save",
  "/account/notifications/*/act",
  "/account/notifications/*/replay",
  "/admin/applications/*/act",
  "/admin/audit/export",
  "/admin/accounts/*/act",
  "/account/switches",
  "/account/keys/remove",
  "/account/security/passkey",
  "/account/export",
  "/account/delete/confirm",
  "/demo/act",
  "/faction/members",
  "/faction/apps/act",
  "/faction/banking/balance",
  "/faction/banking/request",
  "/faction/banking/cancel",
  "/faction/banking/ledger/export",
  "/faction/banking/fulfill/*/claim",
  "/faction/banking/fulfill/*/confirm",
  "/faction/chat/server",
  "/faction/chat/events",
  "/faction/stats/import",
  "/faction/stats/sharing",
  "/players/*/read",
  "/chat-servers/*/act",
  "/developers/new/register",
  "/developers/doctor/question",
  "/developers/apps/*/open",
  "/developers/apps/*/team/act",
  "/developers/apps/*/verification/act",
  "/developers/apps/*/token",
  "/developers/apps/*/secrets-saved",
  "/developers/apps/*/credentials/delete",
  "/developers/apps/*/tokens/revoke",
  "/developers/apps/*/danger/delete",
  "/developers/apps/*/requests/export",
  "/developers/apps/*/webhooks/*/replay",
  "/developers/apps/*/webhooks/*/act",
] as const;

/** Only GET may reach this page, as its query carries a single-use code. */
export const chatCallbackPath = "/sign-in/chat/callback";

const patterns = formTargets.map((target) => new RegExp(`^${target.replaceAll("*", "[^/]+")}$`));

export const isFormTarget = (path: string): boolean =>
  patterns.some((pattern) => pattern.test(path));

/** Next would render a page for any method (RFC 9110 section 10.2.1). */
export function allowedMethods(path: string): readonly string[] {
  if (isFormTarget(path)) return ["POST"];
  return path === chatCallbackPath ? ["GET"] : ["GET", "HEAD"];
}
