import type { Metadata } from "next";
import { ownApplication } from "#app/_lib/current-user";
import { Interactive } from "#app/_parts/interactive.tsx";
import { ApplicationSettings } from "../_parts/application-settings";
import { InTest, RefusedAddresses } from "../_parts/settings-alerts";

type Props = { params: Promise<{ clientId: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Settings of ${(await ownApplication((await params).clientId)).name}` };
}

export default async function Settings({ params }: Props) {
  const application = await ownApplication((await params).clientId);
  return (
    <div className="grid gap-6">
      <h2 className="sr-only">Settings</h2>
      <InTest application={application} />
      <RefusedAddresses application={application} />
      <Interactive>
        <ApplicationSettings clientId={application.clientId} registered={application} />
      </Interactive>
    </div>
  );
}
