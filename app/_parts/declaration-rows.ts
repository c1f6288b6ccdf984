/** What the game's rules want to be told wherever a key is asked for, in their order. */
export const columns = [
  { title: "Data storage", question: "What is kept, and for how long?" },
  { title: "Data sharing", question: "Who sees it besides you?" },
  { title: "Purpose of use", question: "What is it for?" },
  { title: "Key storage & sharing", question: "Where is the key, who has it?" },
  { title: "Key access level", question: "What must the key be able to read?" },
] as const;

/** A kind of data. */
export interface Row {
  readonly what: string;
  /** In the order of the columns. */
  readonly answers: readonly [string, string, string, string, string];
}

/** What stands here is what the code does; a new kind of data adds its row. */
export const rows: readonly Row[] = [
  {
    what: "Your game key",
    answers: [
      "The key, encrypted, and its last four characters. Until you replace it, the game reports it dead, or your account is deleted.",
      "Nobody. It is never shown again and never given to an application.",
      "Proves who you are, and reads from the game what the rows below name. If you switch it on, also public data that concerns nobody in particular.",
      "On our server, sealed with AES-256-GCM and bound to your account. Used for automation; nobody else has it.",
      "Public Only is enough to sign in. Each row below says what it needs; what your key cannot read is left out.",
    ],
  },
  {
    what: "Your player record",
    answers: [
      "Name, level, faction, position, linked chat account, last action. It is public in the game, and stays as such when your account is deleted.",
      "Applications that a player approved may look up name, level, faction and chat account of any player.",
      "Answers the calls of applications.",
      "Read with your key about once an hour.",
      "Public selections: profile, discord, faction.",
    ],
  },
  {
    what: "Your battle stats",
    answers: [
      "The four stats and one score made of them, as your key last told. Until your account is deleted.",
      "Nobody. The score is used to find targets for you, and to tell your opponents' scores from fights.",
      "Answers which targets suit you.",
      "Read with your key about once an hour.",
      "Limited. A weaker key leaves them out.",
    ],
  },
  {
    what: "Public counters",
    answers: [
      "Lifetime counters that the game shows of every player, of the last two days they were read. They stay when your account is deleted.",
      "Nobody sees the counters. Estimates of strength are made from them.",
      "Estimates how strong players are.",
      "Read with your key about once an hour.",
      "Public selections: personalstats.",
    ],
  },
  {
    what: "Your fights, if you share them",
    answers: [
      "Not the fights: what they tell of opponents, one score each. Scores stay when your account is deleted, without a word of you.",
      "Everybody, or your faction alone if it keeps scores to itself. Off until you switch it on.",
      "Tells how strong other players are.",
      "Read with your key every ten minutes while it is on.",
      "Limited selections: attacks.",
    ],
  },
  {
    what: "Your faction's data, if your key may read it",
    answers: [
      "Positions. Hits on members, one day. Organized crimes, 90 days, and who held them up, for as long as the faction is known here. What fights tell of opponents, one score each. Attacks and balances are read and not kept.",
      "Members of your faction, here and in applications that they approve. Scores of opponents: everybody, unless your faction keeps them to itself.",
      "Rights in banking, hits to answer, delays of crimes, lists of targets.",
      "Read with your key if your position has faction API access, every half minute to every hour.",
      "Limited, with faction API access.",
    ],
  },
  {
    what: "Your requests to the vault",
    answers: [
      "Amount, time, and who closed it. They stay with your faction; what still waits is cancelled when your account is deleted. Your balance is read when you ask, and not kept.",
      "Bankers of your faction, and whoever sees the channel that it chose in its chat server.",
      "Gets you paid, and shows your faction who paid what.",
      "The balance and the vault's news are read with the key of a member who may see them.",
      "None of yours. Limited, with faction API access, of that member.",
    ],
  },
  {
    what: "Sign-ins and calls",
    answers: [
      "Address and browser of each sign-in, 31 days after its last use. Log of calls, 30 days. Log of security events, 90 days.",
      "Nobody. Developers see how often their application called, not your data.",
      "Lets you see and end sign-ins, and lets us stop abuse.",
      "The key is not used for this.",
      "None.",
    ],
  },
];

/** Where one can sign in with a chat account. */
export const ofChat: Row = {
  what: "A chat account that you link",
  answers: [
    "Its number. Until you unlink it, or your account is deleted.",
    "Nobody. The chat learns that you sign in here.",
    "Lets you sign in without a game key.",
    "The key is not used for this.",
    "None.",
  ],
};
