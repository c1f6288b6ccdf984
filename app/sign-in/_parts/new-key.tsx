import { TextLink } from "#app/_ui/text-link.tsx";
import { bySection } from "#server/game/selections";
import type { NewKey } from "#server/users/keys/new-key";

export type OfferedKey = NewKey & {
  /** "To sign in". */
  readonly purpose: string;
};

type Props = { game: string; keys: readonly OfferedKey[] };

/** Links to the game's page for new keys, filled in with what is read and nothing else. */
export const NewKeys = ({ game, keys }: Props) => (
  <div className="grid gap-1.5 text-sm text-ink-soft">
    <p>No key yet? Create one in {game} that reads only what is used:</p>
    <ul className="grid gap-1.5">
      {keys.map(({ purpose, url, selections }) => (
        <li key={purpose}>
          {url ? (
            <TextLink href={url}>{purpose}</TextLink>
          ) : (
            <span className="font-medium">{purpose}</span>
          )}
          <span className="block text-xs text-ink-faint wrap-anywhere">
            {[...bySection(selections)]
              .map(([section, names]) => `${section}: ${names.join(", ")}`)
              .join(" · ")}
          </span>
        </li>
      ))}
    </ul>
  </div>
);
