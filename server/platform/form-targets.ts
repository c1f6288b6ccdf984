/**
 * Where forms are posted. No page lives there: a page is read, and only read. `*` stands for one segment.
 * A test holds this list against the route files.
 */
export const formTargets = [
  "/sign-in/key",
  "/sign-in/chat",
  "/sign-in/second-step/code",
  "/confirm/proof",
  "/sign-out",
  "/consent/*/decision",
  "/account/chat/link",
  "/account/chat/unlink",
  "/account/apps/revoke",
  "/account/apps/pause",
  "/account/apps/resume",
  "/account/apps/narrow",
  "/account/sessions/end",
  "/account/notices/read",
  "/admin/applications/act",
  "/admin/accounts/act",
  "/account/switches",
  "/account/keys/remove",
  "/account/export",
  "/account/delete/confirm",
  "/faction/banking/request",
  "/faction/banking/cancel",
  "/faction/banking/fulfill/*/confirm",
  "/faction/chat/server",
  "/faction/stats/import",
  "/faction/stats/sharing",
  "/chat-servers/*/act",
] as const;

/** Where another site sends the browser back to. What it brings is used once, so nothing but a visit may reach it. */
export const returnTargets = ["/sign-in/chat/callback"] as const;

const patterns = formTargets.map((target) => new RegExp(`^${target.replaceAll("*", "[^/]+")}$`));

/** Whether forms are posted to this path. */
export const isFormTarget = (path: string): boolean => patterns.some((pattern) => pattern.test(path));

export const isReturnTarget = (path: string): boolean => returnTargets.some((target) => target === path);

/** What the path can be asked with (RFC 9110 section 10.2.1); Next itself would render a page for any method. */
export function allowedMethods(path: string): readonly string[] {
  if (isFormTarget(path)) return ["POST"];
  return isReturnTarget(path) ? ["GET"] : ["GET", "HEAD"];
}
