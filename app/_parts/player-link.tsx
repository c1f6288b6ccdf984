import { TextLink } from "#app/_ui/text-link.tsx";

/** A player by name and id, as the game writes them; the name leads to what is known of them. */
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
