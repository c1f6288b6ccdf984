import type { Tone } from "#app/_ui/badge.tsx";
import type { FactionChat } from "#server/faction/chat-link/show-chat-server";

/** How the link stands and what happens next, in words. */
export function describeChatLink({ state, server }: Pick<FactionChat, "state" | "server">): {
  readonly tone: Tone;
  readonly title: string;
  readonly text: string;
} {
  if (state === "ready")
    return {
      tone: "good",
      title: "Linked",
      text: "Requests to the vault are shown in the server's banking channel.",
    };
  if (state === "no-channel")
    return {
      tone: "warn",
      title: "Linked, but banking is not set up",
      text: "An administrator of the server still has to choose the channel for requests to the vault.",
    };
  if (state === "not-listed")
    return {
      tone: "warn",
      title: "Waiting for the server",
      text: "Your faction chose the server, but the server has not added your faction yet. One of its administrators has to do that.",
    };
  if (server)
    return {
      tone: "bad",
      title: "Our bot is not in the server",
      text: "Our bot has left the server. Invite it again, or choose another server.",
    };
  return {
    tone: "neutral",
    title: "Not linked",
    text: "Your faction has not chosen a chat server. Without one, members can't request withdrawals here.",
  };
}
