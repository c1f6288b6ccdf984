import { whyNotRedirectUri } from "../../redirect-uri";
import { missingForPlayers } from "../application-fields";
import { whyNotApplicationName } from "../application-name";
import { hostOfPage } from "../contract";
import type { Application } from "../store";
import { isOnDomain } from "./domain-name";

export interface ChecklistItem {
  readonly label: string;
  readonly met: boolean;
}

type Checked = Pick<
  Application,
  | ("kind" | "name" | "description" | "redirectUris" | "clientUri" | "tosUri" | "privacyUri")
  | ("privacy" | "provenDomain" | "openedAt" | "suspended")
>;

/** What an application needs before its owner can ask for verification. */
export const checklistOf = (
  application: Checked,
  idleEndpoints: number,
): readonly ChecklistItem[] => {
  const { kind, name, description, redirectUris, clientUri, provenDomain } = application;
  return [
    { label: "A proven domain", met: provenDomain !== null },
    { label: "Home page on that domain", met: isOnDomain(hostOfPage(clientUri), provenDomain) },
    { label: "A description", met: description !== "" },
    {
      label: "Pages and privacy details for players",
      met: missingForPlayers(kind, application).length === 0,
    },
    { label: "Open to players", met: application.openedAt !== null },
    { label: "Not suspended", met: !application.suspended },
    {
      label: "Name and redirect URIs that are accepted today",
      met: !whyNotApplicationName(name) && !redirectUris.some(whyNotRedirectUri),
    },
    { label: "No webhook endpoint that is unverified or switched off", met: idleEndpoints === 0 },
  ];
};
