import { answerPortalRequest, seeOther } from "#app/_lib/form";
import { serverContext } from "#app/_lib/server-context";
import { signInPath } from "#app/_lib/sign-in-path";
import { createCaller, type RouterOutputs } from "#server/portal/router";

/** Letters, more than any provider sends. Longer values count as absent. */
const longest = 4_096;

/** Redirect URI of the chat sign-in. A request without this browser's state is refused. */
export async function GET(request: Request): Promise<Response> {
  const sent = new URL(request.url).searchParams;
  const [state, code, error] = [only(sent, "state"), only(sent, "code"), only(sent, "error")];
  return answerPortalRequest(request, {
    context: await serverContext(),
    act: async (portal, cookies) => {
      const outcome = await createCaller(portal).chat.finish({ state, code, error });
      return seeOther("location" in outcome ? outcome.location : refusedPath(outcome), cookies);
    },
  });
}

/** A repeated parameter is ambiguous, so it counts as absent. */
function only(sent: URLSearchParams, name: string): string | null {
  const [value, ...more] = sent.getAll(name);
  return value && more.length === 0 && value.length <= longest ? value : null;
}

type Refused = Exclude<RouterOutputs["chat"]["finish"], { location: string }>;

const refusedPath = ({ refused, linking, next, requestId }: Refused): string =>
  linking ? `/account?chat=${refused}` : signInPath({ error: refused, next, request: requestId });
