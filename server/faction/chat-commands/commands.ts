import type { ChatCommand } from "#server/chat/command";
import { waitingTimes } from "../banking/vault-request";

export const kinds = [
  { label: "Money", value: "money", currency: "money_balance" },
  { label: "Points", value: "points", currency: "points_balance" },
] as const;

const choice = ({ label, value }: { readonly label: string; readonly value: string }) => ({ label, value });

/** What members may type in their faction's chat server. */
export const chatCommands: readonly ChatCommand[] = [
  {
    name: "balance",
    description: "Show what you have in your faction's vault. Only you see it.",
    options: [],
  },
  {
    name: "withdraw",
    description: "Request a withdrawal from your faction's vault.",
    options: [
      { name: "amount", description: "250000, 1.5m, 100k or all.", kind: "text", required: true },
      {
        name: "kind",
        description: "Money by default, or points.",
        kind: "text",
        required: false,
        choices: kinds.map(choice),
      },
      {
        name: "timeout",
        description: "When the request expires. After one hour by default.",
        kind: "text",
        required: false,
        choices: waitingTimes.map(({ value, words }) => ({ label: words, value })),
      },
    ],
  },
  {
    name: "cancel",
    description: "Cancel your newest waiting request, or the one with this number.",
    options: [{ name: "id", description: "The request's number.", kind: "number", required: false }],
  },
  {
    name: "fulfil",
    description: "Mark a request as paid. For bankers.",
    options: [{ name: "id", description: "The request's number.", kind: "number", required: true }],
  },
];
