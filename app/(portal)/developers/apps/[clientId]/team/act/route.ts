import { formHandler, type SentForm } from "#app/_lib/form";
import { UnknownOAuthClient } from "#server/failures";

const memberOf = (sent: SentForm) => ({
  clientId: sent.get("clientId"),
  playerId: sent.number("player_id"),
});

export const POST = formHandler({
  page: "/developers/apps/[clientId]/team",
  typed: ["player", "tester", "role"],
  procedure: ({ team }, sent): Promise<unknown> | undefined => {
    const clientId = sent.get("clientId");
    switch (sent.get("act")) {
      case "invite":
        return team.invite({ clientId, player: sent.get("player") ?? "", role: sent.get("role") });
      case "role":
        return team.changeRole({ ...memberOf(sent), role: sent.get("role") });
      case "remove":
        return team.remove(memberOf(sent));
      case "add-tester":
        return team.addTestPlayer({ clientId, player: sent.get("tester") ?? "" });
      case "remove-tester":
        return team.removeTestPlayer(memberOf(sent));
      case "offer":
        return team.offer(memberOf(sent));
      case "withdraw":
        return team.withdrawOffer({ clientId });
      case "accept":
        return team.accept({ clientId });
      case "join":
        return team.join({ clientId });
      case "leave":
        return team.leave({ clientId });
    }
  },
  done: (_, sent) => {
    const act = sent.get("act");
    return act === "leave" ? "/developers?done=left" : `?done=${act}`;
  },
  refused: ({ code, field }, sent) => {
    if (field === "player")
      return sent.get("act") === "add-tester" ? "?error=tester" : "?error=player";
    const isWithdrawn = code === UnknownOAuthClient.code && sent.get("act") === "join";
    return isWithdrawn ? "/developers?error=withdrawn" : undefined;
  },
});
