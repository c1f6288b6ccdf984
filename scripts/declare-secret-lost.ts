import { createContext } from "#server/create-context";
import { openDatabase } from "#server/open-database";
import { readSettings } from "#server/platform/env";
import { createLog } from "#server/platform/log";
import { exitWithSentence } from "#server/platform/process";
import { openServerKeyring } from "#server/platform/server-secret";
import { declareOthersLost } from "#server/server-secret/secrets-in-force";
import { countSealedOtherwise } from "#server/server-secret/store";
import { giveUpUnreadableKeys } from "#server/users/keys/reseal-keys";
import { giveUpUnreadableWebhooks } from "#server/webhooks/disable-endpoint";

/**
 * `npm run secret:lost`: says what cannot be read with the server secret of the settings; with `-- --yes` it puts that secret in
 * force all the same, for an operator who has lost the one before. Stop all instances first.
 */
async function run(): Promise<void> {
  const settings = readSettings();
  const log = createLog("warn");
  const database = await openDatabase(settings, log);
  try {
    const keyring = await openServerKeyring(settings);
    const unreadable = Object.entries(await countSealedOtherwise(database.query, keyring.keyIds));
    const list = unreadable.map(([name, rows]) => `${rows} ${name}`).join(", ") || "nothing";
    say(`Written under a server secret that is not in the settings: ${list}.`);
    if (!process.argv.includes("--yes")) {
      say(
        "Nothing was changed. If that secret is lost for good, run: npm run secret:lost -- --yes",
      );
      process.exitCode = 1;
      return;
    }
    await declareOthersLost(database, { keyring, now: () => new Date() });
    const ctx = await createContext({ ...settings, demo: "off" }, { database, log, jobs: false });
    const keys = await giveUpUnreadableKeys(ctx);
    const webhooks = await giveUpUnreadableWebhooks(ctx);
    await ctx.close();
    say(`SERVER_SECRET is in force. ${keys} owners of game keys were told to sign in again.`);
    say(
      `${webhooks} webhook endpoints are switched off until their developers, who were told, rotate the secrets.`,
    );
    say(
      "Tokens, application secrets, sessions and second factors of before are void: developers make new secrets,",
    );
    say("and an admin takes the second factor off an account whose owner asks for it.");
  } finally {
    await database.close();
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`);

run().catch(exitWithSentence);
