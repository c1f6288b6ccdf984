import { gameName, pageSettings } from "#app/_lib/settings";
import { TextLink } from "#app/_ui/text-link.tsx";
import { DeclarationTable } from "./declaration-table";

/** Prescribed by the game's rules for API keys, in their order. */
export const columns = [
  { title: "Data storage", question: "What is stored, and for how long?" },
  { title: "Data sharing", question: "Who sees it besides you?" },
  { title: "Purpose of use", question: "What is it for?" },
  { title: "Key storage & sharing", question: "Where is the key, who has it?" },
  { title: "Key access level", question: "What must the key be able to read?" },
] as const;

export interface Row {
  readonly what: string;
  /** In column order. */
  readonly answers: readonly [string, string, string, string, string];
}

/** Each row must match the code; new kinds of data need a row. */
export const declarationRows = (): readonly Row[] => [
  {
    what: `Your ${gameName()} API key`,
    answers: [
      `The key, encrypted, and its last four characters. Until you replace it, ${gameName()} reports it deleted, or you delete your account.`,
      "Nobody. It is never shown again and never given to an application.",
      `Proves who you are, and reads the data in the rows below from ${gameName()}. If you lend it, also public data for everyone.`,
      "On our server, encrypted with AES-256-GCM and bound to your account. Used for automation; nobody else has it.",
      "Public Only is enough to sign in. Each row below says what it needs; data your key cannot read is left out.",
    ],
  },
  {
    what: "Your player record",
    answers: [
      `Name, level, faction, position, linked chat account, last action. It is public in ${gameName()} and stays after you delete your account.`,
      "Applications that a player approved may look up name, level, faction and chat account of any player.",
      "Answers the calls of applications.",
      "Read with your key about once an hour.",
      "Public selections: profile, discord, faction.",
    ],
  },
  {
    what: "Your battle stats",
    answers: [
      "The four stats and one score computed from them, as last read with your key. Until you delete your account.",
      "Nobody. The score is used to find targets for you, and to compute your opponents' scores from fights.",
      "Finds targets that suit you.",
      "Read with your key about once an hour.",
      "Limited. With a lower level they are left out.",
    ],
  },
  {
    what: "Public counters",
    answers: [
      `Lifetime counters that ${gameName()} shows for every player, as last read on two days. They stay after you delete your account.`,
      "Nobody sees the counters. Stat estimates are computed from them.",
      "Estimates how strong players are.",
      "Read with your key about once an hour.",
      "Public selections: personalstats.",
    ],
  },
  {
    what: "Your fights, if you share them",
    answers: [
      "Not the fights, only one score for each opponent. Scores stay after you delete your account, no longer linked to you.",
      "Everyone, or only your faction if it keeps its scores private. Off until you switch it on.",
      "Shows how strong other players are.",
      "Read with your key every ten minutes while it is on.",
      "Limited selections: attacks.",
    ],
  },
  {
    what: "Your faction's data, if your key may read it",
    answers: [
      "Positions. Retaliations, one day. OCs, 90 days, and who delayed them, as long as the faction is known here. One score for each opponent in fights. Balances in the vault, the newest reading, for 30 days. Attacks are read but not stored.",
      "Members of your faction, here and in applications they approve. Balances: each member their own, bankers all. Scores of opponents: everyone, unless your faction keeps them private.",
      "Rights in banking, retaliations, delayed OCs, lists of targets.",
      "Read with your key if your position has faction API access, every half minute to every hour.",
      "Limited, with faction API access.",
    ],
  },
  {
    what: "Your requests to the vault",
    answers: [
      "Amount, time, and who closed it. They stay with your faction; waiting requests are cancelled when you delete your account.",
      "Bankers of your faction, and everyone who can read the channel it chose in its chat server.",
      "Gets you paid, and shows your faction who paid what.",
      "The balance and the vault's news are read with the key of a member who may see them.",
      "None from you. That member needs Limited with faction API access.",
    ],
  },
  {
    what: "Sessions and calls",
    answers: [
      "Address and browser of each sign-in, 31 days after its last use. Of a passkey its public key and the name you gave it, until you remove it. Log of calls, 30 days. Log of security events, 90 to 97 days.",
      "Nobody. Developers see how often their application called, not your data.",
      "Lets you see and end your sessions, and lets us stop abuse.",
      "The key is not used for this.",
      "None.",
    ],
  },
];

/** If chat sign-in is configured. */
export const ofChat: Row = {
  what: "A chat account that you link",
  answers: [
    "Its ID. Until you unlink it or delete your account.",
    "Nobody. The chat knows that you sign in here.",
    "Lets you sign in without a game key.",
    "The key is not used for this.",
    "None.",
  ],
};

/** Required by the game's rules wherever an API key is requested. */
export function KeyUseDeclaration() {
  const shown = pageSettings().chatSignIn ? [...declarationRows(), ofChat] : declarationRows();
  return (
    <section aria-labelledby="declaration" className="min-w-0">
      <h2 id="declaration" className="text-lg font-semibold">
        What is stored, and why
      </h2>
      <p className="mt-1 max-w-prose text-ink-soft">
        Adjutant asks for your {gameName()} API key and nothing else: no password, no name, no ID.
        You decide what each application may see under{" "}
        <TextLink href="/account/apps">Connected apps</TextLink>.
      </p>
      <DeclarationTable columns={columns} rows={shown} />
    </section>
  );
}
