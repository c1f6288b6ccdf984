/** A moment as the wire tells it, here and in the game: whole Unix seconds, rounded down. */
export function toUnixSeconds(instant: Date): number;
export function toUnixSeconds(instant: Date | null): number | null;
export function toUnixSeconds(instant: Date | null): number | null {
  return instant && Math.floor(instant.getTime() / 1_000);
}
