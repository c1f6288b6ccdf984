import { TextLink } from "#app/_ui/text-link.tsx";

/** As the game writes players: name and id. */
export function PlayerLink({ playerId, name }: { playerId: number; name: string }) {
  return (
    <>
      <TextLink href={`/players/${playerId}`} className="font-medium">
        {name}
      </TextLink>{" "}
      <span className="tabular text-ink-faint">[{playerId}]</span>
    </>
  );
}
