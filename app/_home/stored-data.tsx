import { DataTable } from "#ui/data-table";

const kinds = [
  {
    what: "Your game key",
    why: "To know who you are, and for the calls that you allow.",
    how: "Encrypted (AES-256-GCM), bound to your account. Applications never get it; only its last four characters are ever shown.",
    until: "You delete it",
  },
  {
    what: "Your public game data",
    why: "To answer the applications that you allowed: name, level, faction, last action, chat account.",
    how: "As the game gives it out. Nothing that you have not allowed is answered.",
    until: "You delete your account",
  },
  {
    what: "Permissions",
    why: "To know which application may do what in your name.",
    how: "With their limits and their end, all listed in your account.",
    until: "You revoke them",
  },
  {
    what: "Tokens and secrets",
    why: "To recognise applications.",
    how: "Only as a keyed hash: nobody can read them back, we included.",
    until: "They expire",
  },
  {
    what: "Sign-ins",
    why: "To keep you signed in, and to show you where you are.",
    how: "A hash of the session's id.",
    until: "31 days without a visit",
  },
  {
    what: "The log of calls",
    why: "To show you what was done in your name, and developers why a call failed.",
    how: "Endpoint, time and outcome. No tokens, no content.",
    until: "30 days",
  },
] as const;

/** What is stored of a player, why, how and for how long. Stands wherever a key is asked for. */
export function StoredData() {
  return (
    <div className="overflow-clip rounded-card border border-line bg-surface">
      <DataTable
        caption="What is stored, why, how and for how long"
        rows={kinds}
        rowKey={(kind) => kind.what}
        columns={[
          {
            key: "what",
            header: "What",
            primary: true,
            cell: (kind) => <span className="font-medium">{kind.what}</span>,
          },
          { key: "why", header: "Why", prose: true, cell: (kind) => kind.why },
          { key: "how", header: "How it is kept", prose: true, cell: (kind) => kind.how },
          { key: "until", header: "Until", prose: true, cell: (kind) => kind.until },
        ]}
      />
    </div>
  );
}
