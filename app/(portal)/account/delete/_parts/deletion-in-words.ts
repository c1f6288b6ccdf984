import { figure } from "#lib/figure";

interface Figures {
  readonly connected: number;
  readonly applications: number;
  readonly users: number;
  readonly gameKeys: number;
  readonly sessions: number;
  readonly payments: number;
}

const count = (many: number, one: string, more: string) => `${figure(many)} ${many === 1 ? one : more}`;

/** What deleting an account cuts, sentence by sentence; what there is none of is not mentioned. */
export function deletionInWords({ connected, applications, users, gameKeys, sessions, payments }: Figures): string[] {
  const said: string[] = [];
  if (connected > 0) said.push(`${count(connected, "application loses", "applications lose")} access to your data.`);
  if (applications > 0) {
    const whose = users === 0 ? "" : ` for ${count(users, "other player", "other players")}`;
    said.push(`${count(applications, "application of yours stops", "applications of yours stop")} working${whose}.`);
  }
  if (gameKeys > 0) said.push(`${count(gameKeys, "game key is", "game keys are")} forgotten here.`);
  if (sessions > 0) said.push(`You are signed out in ${count(sessions, "browser", "browsers")}.`);
  if (payments > 0) said.push(`${count(payments, "request to the vault is", "requests to the vault are")} cancelled.`);
  said.push(
    "Your battle stats, notices, the chat link, the second factor and whatever waits for your consent are gone.",
  );
  return said;
}
