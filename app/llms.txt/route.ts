import { portalContext } from "#app/_lib/caller";
import { guideNames, guidePath, readGuide } from "#app/docs/_parts/guides";

export const dynamic = "force-dynamic";

/** https://llmstxt.org */
export async function GET(): Promise<Response> {
  const { settings } = (await portalContext()).context;
  const { baseUrl, gameName } = settings;
  const guides = guideNames.map((name) => {
    const { title, lead } = readGuide(name, { settings });
    const words = lead
      .map(({ raw }) => raw)
      .join("")
      .replaceAll("](/", `](${baseUrl}/`);
    return `- [${title}](${baseUrl}${guidePath(name)}.md): ${words.replaceAll("\n", " ")}`;
  });
  const text = [
    "# Adjutant",
    `> Sign in with ${gameName}: an OAuth 2.0 provider and a REST API for ${gameName} tools. Players approve what a tool may read.`,
    "## Guides",
    guides.join("\n"),
    "## Machine-readable",
    [
      `- [OpenAPI 3.1](${baseUrl}/api/openapi.json): all endpoints and errors`,
      `- [AsyncAPI 3.0](${baseUrl}/api/asyncapi.json): all events`,
      `- [Authorization server metadata](${baseUrl}/.well-known/oauth-authorization-server): RFC 8414`,
      `- [Collection for Bruno and Postman](${baseUrl}/api/collection.json): one request for each endpoint`,
      `- [Atom feed of the changelog](${baseUrl}/docs/changelog.atom)`,
    ].join("\n"),
    "",
  ].join("\n\n");
  return new Response(text, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-cache" },
  });
}
