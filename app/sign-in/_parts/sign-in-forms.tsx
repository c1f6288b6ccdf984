import { ChevronRight, MessageCircle } from "lucide-react";
import { gameName, pageSettings } from "#app/_lib/settings";
import type { KeyRequest } from "#app/_lib/sign-in-path";
import { ContactLink } from "#app/_parts/external-links.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Field, Input } from "#app/_ui/field.tsx";
import { PostForm } from "#app/_ui/post-form.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";
import { newKeyUrl } from "#server/game/site-urls";

type KeyFormProps = {
  /** Why the last try was refused. */
  error: SignInRefusal | undefined;
  fields: Readonly<Record<string, string | undefined>>;
  /** Purpose of a signed-in player's new key; undefined for a sign-in. */
  adds: KeyRequest | undefined;
};

const keyHints: Record<KeyRequest | "sign-in", string> = {
  "sign-in": "A Public Only key is enough.",
  key: "Public Only, or Limited for battle stats and your faction's data.",
  "limited-key": "Limited level or higher.",
};

/** Refusals that no other key would change. */
const generalRefusals = (): Partial<Record<SignInRefusal, string>> => ({
  throttled: "Too many tries",
  "game-unavailable": `${gameName()} does not answer`,
  banned: "Sign-in refused",
  "second-step-over": "Sign-in expired",
});

/** Posts to its own URL, so that a reload sends no key. */
export function KeyForm({ error, fields, adds }: KeyFormProps) {
  const general = error && generalRefusals()[error];
  return (
    <Card
      title={`Your ${gameName()} API key`}
      description={`16 letters and digits, from the ${gameName()} settings under API keys.`}
    >
      <PostForm action="/sign-in/key" fields={fields} className="grid gap-4">
        {error && general && (
          <Alert tone={error === "banned" ? "bad" : "warn"} title={general} live>
            {signInRefusals[error]}
            {error === "banned" && <ContactLink />}
          </Alert>
        )}
        <Field
          name="game_key"
          label={`${gameName()} API key`}
          error={error && !general ? signInRefusals[error] : undefined}
          hint={`${keyHints[adds ?? "sign-in"]} Checked now, stored encrypted, used hourly, or every 30 seconds for faction data.`}
        >
          {(control) => (
            <Input
              {...control}
              code
              type="password"
              autoComplete="current-password"
              minLength={16}
              maxLength={1_000}
              autoFocus={error !== undefined}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" block>
          {adds ? "Add the key" : "Sign in"}
        </Button>
        {pageSettings().demo === "off" ? (
          <p className="text-sm text-ink-faint">
            No key yet? Create one in {gameName()}, filled in for you:{" "}
            {adds !== "limited-key" && (
              <>
                <TextLink href={newKeyUrl("Public Only")}>Public Only</TextLink>, or{" "}
              </>
            )}
            <TextLink href={newKeyUrl("Limited")}>Limited</TextLink> for battle stats and your
            faction's data. You can delete it there at any time.
          </p>
        ) : (
          <p className="text-sm text-ink-faint">
            Create keys in the {gameName()} settings under API keys. You can delete them there at
            any time.
          </p>
        )}
      </PostForm>
    </Card>
  );
}

type ChatFormProps = {
  error: SignInRefusal | undefined;
  fields: Readonly<Record<string, string | undefined>>;
};

/** A POST, so that no other site can start it. */
export function ChatForm({ error, fields }: ChatFormProps) {
  return (
    <Card
      title="Or with your chat account"
      description="For players who linked it on their account page."
    >
      <PostForm action="/sign-in/chat" fields={fields} className="grid gap-4">
        {error && (
          <Alert tone="warn" title="Not signed in" live>
            {signInRefusals[error]}
          </Alert>
        )}
        <Button type="submit" size="lg" block>
          <MessageCircle aria-hidden="true" />
          Continue with the chat
        </Button>
      </PostForm>
    </Card>
  );
}

type DemoPlayersProps = {
  players: readonly { playerId: number; name: string; words: string; key: string }[];
  fields: Readonly<Record<string, string | undefined>>;
};

/** Plain forms; work without script. */
export function DemoPlayers({ players, fields }: DemoPlayersProps) {
  return (
    <Card
      title="Or sign in as a demo player"
      description={
        <>
          This Adjutant runs on a simulated game. These keys work nowhere else. Signed in, you can
          make things happen in it: <TextLink href="/demo">Demo</TextLink>.
        </>
      }
      flush
    >
      <ul className="divide-y divide-line">
        {players.map((player) => (
          <li key={player.playerId}>
            <PostForm action="/sign-in/key" fields={{ ...fields, game_key: player.key }}>
              <button
                type="submit"
                className="flex w-full items-center gap-3 px-4 py-3 text-left -outline-offset-2 hover:bg-accent-wash sm:px-5"
              >
                <Avatar name={player.name} />
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">
                    {player.name}{" "}
                    <span className="tabular font-normal text-ink-faint">[{player.playerId}]</span>
                  </span>
                  <span className="block text-sm text-ink-soft">{player.words}</span>
                  <span className="block font-mono text-xs text-ink-faint">{player.key}</span>
                </span>
                <ChevronRight className="size-4 flex-none text-ink-faint" aria-hidden="true" />
              </button>
            </PostForm>
          </li>
        ))}
      </ul>
    </Card>
  );
}
