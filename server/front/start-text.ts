import type { Settings } from "#server/platform/env";
import { version } from "#server/version";
import { demoPeople } from "#simulator/demo-people";

/** What the terminal shows once the server answers: the address, and the demo players to sign in as. */
export function startText(settings: Settings): string {
  const store = settings.databaseUrl ? "PostgreSQL" : `the embedded database in ${settings.dataDir}`;
  const lines = ["", `  Adjutant ${version} is ready at ${settings.baseUrl}`, `  It keeps its data in ${store}.`];
  if (settings.demo) {
    const width = Math.max(...demoPeople.map((person) => person.name.length));
    lines.push(
      "",
      "  The game is simulated. Sign in with one of these game keys:",
      ...demoPeople.map((person) => `    ${person.key}  ${person.name.padEnd(width)}  ${person.words}`),
    );
  }
  return `${lines.join("\n")}\n\n`;
}
