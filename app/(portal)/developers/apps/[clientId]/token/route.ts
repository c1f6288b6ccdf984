import { formHandler } from "#app/_lib/form";
import { formatDuration } from "#app/_lib/format";
import { curlOf } from "#app/_parts/playground/call-endpoint";

export const POST = formHandler({
  page: "/developers/apps/[clientId]",
  procedure: ({ applications }, sent) => applications.ownToken({ clientId: sent.get("clientId") }),
  done: ({ accessToken, expiresInSeconds, firstCall }, sent) => ({
    status: 200,
    title: "A token for your own account",
    sentence: `It is shown once and works for ${formatDuration(expiresInSeconds)}. Paste the command into a shell:`,
    // The page would show a line break as a space.
    secret: curlOf({
      method: "GET",
      url: firstCall,
      headers: { Authorization: `Bearer ${accessToken}` },
    }).replaceAll(" \\\n  ", " "),
    on: { href: `/developers/apps/${sent.get("clientId")}`, text: "Back to the application" },
  }),
});
