/**
 * Where forms are posted. No page lives there: a page is read, and only read. `*` stands for one segment.
 * A test holds this list against the route files.
 */
export const formTargets = [
  "/sign-in/key",
  "/sign-out",
  "/consent/*/decision",
  "/account/apps/revoke",
  "/account/sessions/end",
  "/account/notices/read",
] as const;

const patterns = formTargets.map((target) => new RegExp(`^${target.replaceAll("*", "[^/]+")}$`));

/** Whether forms are posted to this path. */
export const isFormTarget = (path: string): boolean => patterns.some((pattern) => pattern.test(path));

/** What the path can be asked with (RFC 9110 section 10.2.1); Next itself would render a page for any method. */
export const allowedMethods = (path: string): readonly string[] => (isFormTarget(path) ? ["POST"] : ["GET", "HEAD"]);
