import { portalContext } from "#app/_lib/caller";
import { guideFacts, guideMarkdown, isGuideName } from "../../_parts/guides";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ guide?: string[] }> };

/** A rewrite maps `/docs/oauth.md` to this route. RFC 7763. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const name = ((await params).guide ?? []).join("/");
  if (!isGuideName(name)) return new Response("No such guide.\n", { status: 404 });
  const { context } = await portalContext();
  return new Response(guideMarkdown(name, await guideFacts(context, name)), {
    headers: {
      "Content-Type": "text/markdown; charset=utf-8",
      "Cache-Control": "private, no-cache",
    },
  });
}
