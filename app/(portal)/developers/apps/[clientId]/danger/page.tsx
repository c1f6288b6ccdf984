import type { Metadata } from "next";
import { ownApplication } from "#app/_lib/current-user";
import { Interactive } from "#app/_parts/interactive.tsx";
import { DeleteApplication } from "../_parts/cut-off-players";

type Props = { params: Promise<{ clientId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Delete ${(await ownApplication((await params).clientId, "ownership")).name}` };
}

export default async function Danger({ params }: Props) {
  const { clientId, name, figures } = await ownApplication((await params).clientId, "ownership");
  return (
    <Interactive>
      <DeleteApplication clientId={clientId} name={name} figures={figures} />
    </Interactive>
  );
}
