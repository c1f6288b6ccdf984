import type { ChatCommand } from "#server/chat/command";

/** How long a request may wait, as the choices of a command; seconds, or null for ever. The first is the usual one. */
export const waits = [
  { label: "1 hour", value: "1h", seconds: 3_600 },
  { label: "15 minutes", value: "15m", seconds: 900 },
  { label: "30 minutes", value: "30m", seconds: 1_800 },
  { label: "2 hours", value: "2h", seconds: 7_200 },
  { label: "4 hours", value: "4h", seconds: 14_400 },
  { label: "8 hours", value: "8h", seconds: 28_800 },
  { label: "No end", value: "none", seconds: null },
] as const;

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
    description: "Ask your faction's bankers to pay you from the vault.",
    options: [
      { name: "amount", description: "250000, 1.5m, 100k or all.", kind: "text", required: true },
      {
        name: "kind",
        description: "Money, unless you say points.",
        kind: "text",
        required: false,
        choices: kinds.map(choice),
      },
      {
        name: "timeout",
        description: "How long the request waits. One hour, unless you say otherwise.",
        kind: "text",
        required: false,
        choices: waits.map(choice),
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
    description: "Say that you paid a request. For bankers.",
    options: [{ name: "id", description: "The request's number.", kind: "number", required: true }],
  },
];
