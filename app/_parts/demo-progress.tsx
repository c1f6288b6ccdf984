import { caller } from "#app/_lib/caller";
import { pageSettings } from "#app/_lib/settings";
import { LoadingNotice } from "./page-refresh";

export async function DemoProgress({ page }: { page: string }) {
  if (pageSettings().demo === "off") return null;
  const reading = await (await caller()).demo.reading();
  if (!reading) return null;
  const { players, playersWanted } = reading;
  return (
    <LoadingNotice
      title="The demo's world is still being read"
      done={players}
      of={playersWanted}
      unit="players"
      page={page}
    />
  );
}
