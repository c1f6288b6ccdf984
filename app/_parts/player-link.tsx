import { TextLink } from "#app/_ui/text-link.tsx";

type Player = { readonly playerId: number; readonly name: string };

/** Name and id, as the game writes players. */
export const PlayerName = ({ playerId, name }: Player) => (
  <>
    <bdi className="wrap-anywhere">{name}</bdi>{" "}
    <span className="tabular font-normal text-ink-faint">[{playerId}]</span>
  </>
);

export function PlayerLink({ playerId, name }: Player) {
  return (
    <>
      <TextLink href={`/players/${playerId}`} className="font-medium">
        {name}
      </TextLink>{" "}
      <span className="tabular text-ink-faint">[{playerId}]</span>
    </>
  );
}
