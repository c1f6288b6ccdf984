import { applicationMetadata, requireApplication, requireUser } from "#app/_lib/current-user";
import type { PageProps } from "#app/_lib/search-params";
import { DrawnEmblem } from "#app/_parts/emblem.tsx";
import { FormNotice } from "#app/_parts/form-notice.tsx";
import { ClientProviders } from "#app/_parts/interactive.tsx";
import { emblemColours, emblemOf, emblemSigns } from "#server/oauth/clients/emblem";
import type { ApplicationView } from "#server/oauth/clients/own-applications";
import { ApplicationSettingsForm } from "../_parts/application-settings";
import { InTestNotice } from "../_parts/next-steps";

export const generateMetadata = applicationMetadata("Settings of");

function emblemChoices(application: ApplicationView) {
  const drawn = emblemOf(application);
  return {
    emblemSign: emblemSigns.map((sign) => ({
      value: sign,
      icon: <DrawnEmblem sign={sign} colour="grey" size="sm" />,
    })),
    emblemColour: emblemColours.map((colour) => ({
      value: colour,
      icon: <DrawnEmblem sign={drawn.sign} colour={colour} size="sm" />,
    })),
  };
}

export default async function Settings({ params, searchParams }: PageProps<"clientId">) {
  const application = await requireApplication(await params, "settings");
  const { playerId } = await requireUser();
  return (
    <>
      <h2 className="sr-only">Settings</h2>
      <FormNotice searchParams={searchParams} done={{ saved: "Settings saved." }} />
      <InTestNotice application={application} />
      <ClientProviders>
        <ApplicationSettingsForm
          key={application.version}
          clientId={application.clientId}
          playerId={playerId}
          base={application}
          emblems={emblemChoices(application)}
        />
      </ClientProviders>
    </>
  );
}
