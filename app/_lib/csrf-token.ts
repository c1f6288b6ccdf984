import { csrfToken as tokenOf } from "#server/auth/csrf";
import { portalContext } from "./caller";

/** What every form that acts in the session must carry in the field `csrfField`; empty where nobody is signed in. */
export async function csrfToken(): Promise<string> {
  const { context, user } = await portalContext();
  return user ? tokenOf(context.keyring, user.sessionHash) : "";
}
