import { formatCount } from "#app/_lib/format";
import type { DeletionFigures } from "#server/account/account-acts";

/** @returns one sentence per consequence that is not zero */
export function describeDeletion({
  connected,
  applications,
  handedOver,
  users,
  gameKeys,
  sessions,
  payments,
}: DeletionFigures): string[] {
  const said: string[] = [];
  if (connected > 0)
    said.push(
      `${formatCount(connected, "application loses", "applications lose")} access to your data.`,
    );
  if (applications > 0) {
    const whose = users === 0 ? "" : ` for ${formatCount(users, "other player")}`;
    said.push(
      `${formatCount(applications, "application of yours stops", "applications of yours stop")} working${whose}.`,
    );
  }
  if (handedOver > 0)
    said.push(
      `${formatCount(handedOver, "application of yours goes", "applications of yours go")} to the longest-standing developer of the team, or viewer if there is none.`,
    );
  if (gameKeys > 0)
    said.push(`${formatCount(gameKeys, "game key is", "game keys are")} forgotten here.`);
  if (sessions > 0) said.push(`You are signed out in ${formatCount(sessions, "browser")}.`);
  if (payments > 0)
    said.push(
      `${formatCount(payments, "request to the vault is", "requests to the vault are")} cancelled.`,
    );
  said.push(
    "Your battle stats, notices, chat link, second factor and pending consent requests are deleted.",
  );
  return said;
}
