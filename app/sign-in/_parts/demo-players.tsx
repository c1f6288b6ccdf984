import { ChevronRight } from "lucide-react";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PostForm } from "#app/_ui/post-form.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";

type Props = {
  players: readonly { playerId: number; name: string; words: string; key: string }[];
  /** What the key form carries besides the key. */
  fields: Readonly<Record<string, string | undefined>>;
};

/** The players of the simulated game, each one click away. Plain forms: they need no script. */
export function DemoPlayers({ players, fields }: Props) {
  return (
    <Card
      title="Or sign in as a demo player"
      description={
        <>
          This Adjutant runs on a simulated game. These keys work nowhere else. Signed in, you can make things happen in
          it: <TextLink href="/demo">Demo</TextLink>.
        </>
      }
      flush
    >
      <ul className="divide-y divide-line">
        {players.map((player) => (
          <li key={player.playerId}>
            <PostForm action="/sign-in/key" fields={{ ...fields, game_key: player.key }}>
              <button
                type="submit"
                className="flex w-full items-center gap-3 px-4 py-3 text-left -outline-offset-2 hover:bg-accent-wash sm:px-5"
              >
                <Avatar name={player.name} />
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">
                    {player.name} <span className="tabular font-normal text-ink-faint">[{player.playerId}]</span>
                  </span>
                  <span className="block text-sm text-ink-soft">{player.words}</span>
                  <span className="block font-mono text-xs text-ink-faint">{player.key}</span>
                </span>
                <ChevronRight className="size-4 flex-none text-ink-faint" aria-hidden="true" />
              </button>
            </PostForm>
          </li>
        ))}
      </ul>
    </Card>
  );
}
