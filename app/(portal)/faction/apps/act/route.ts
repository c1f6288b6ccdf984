import { formHandler } from "#app/_lib/form";
import { TooManyRequests, UnknownElement, UnknownOAuthClient } from "#server/failures";
import { isClientId } from "#server/oauth/clients/client";

export const POST = formHandler({
  page: "/faction/apps",
  procedure: ({ factionAccess }, sent): Promise<unknown> | undefined => {
    const act = sent.get("act");
    if (act === "block" || act === "allow")
      return factionAccess.decide({
        clientIds: sent.getAll("client_id"),
        blocked: act === "block",
      });
    if (act === "limit" || act === "unlimit")
      return factionAccess.limit({ onlyChosen: act === "limit" });
    return act === "name"
      ? factionAccess.nameDeciders({ positions: sent.getAll("position") })
      : undefined;
  },
  done: (_, sent) => `${pageOf(sent.get("app"))}?done=${sent.get("act")}`,
  refused: {
    clientIds: "none",
    [UnknownOAuthClient.code]: "gone",
    [UnknownElement.code]: "position",
    [TooManyRequests.code]: `${TooManyRequests.code}`,
  },
});

const pageOf = (clientId = ""): string =>
  isClientId(clientId) ? `/faction/apps/${clientId}` : "/faction/apps";
