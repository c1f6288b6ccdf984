import { csrfToken } from "#app/_lib/caller";
import { csrfMeta } from "#app/_lib/csrf";

/** The session's token, which script sends along with its calls. */
export async function CsrfMeta() {
  return <meta name={csrfMeta} content={await csrfToken()} />;
}
