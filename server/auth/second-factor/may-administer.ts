import type { PortalUser } from "#server/actor";
import type { Settings } from "#server/platform/env";

/** Whether an admin may use the pages and acts of one: in a session that passed a second factor, unless the setting waives it. */
export const mayAdminister = (
  { admin, secondFactor }: PortalUser,
  { adminSecondFactor }: Pick<Settings, "adminSecondFactor">,
): boolean => admin && (secondFactor === "passed" || adminSecondFactor === "waived");
