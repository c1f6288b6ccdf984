import { ChevronRight, MessageCircle } from "lucide-react";
import { gameName } from "#app/_lib/settings";
import { Emblem } from "#app/_parts/emblem.tsx";
import { ContactLink } from "#app/_parts/external-links.tsx";
import { PasskeyForm } from "#app/_parts/passkey-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { PostForm } from "#app/_ui/post-form.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";
import { bySection } from "#server/game/selections";
import type { PendingRequestView } from "#server/oauth/authorize/show-request";
import type { RouterOutputs } from "#server/portal/router";
import type { KeyToCreate } from "#server/users/keys/new-key";

type KeyFormProps = {
  error: SignInRefusal | undefined;
  fields: Readonly<Record<string, string | undefined>>;
  /** Label such as "Sign in". */
  act: string;
  newKeys: readonly OfferedKey[];
};

/** Refusals that another key would not change. */
const generalRefusals = (): Partial<Record<SignInRefusal, string>> => ({
  throttled: "Too many tries",
  "game-unavailable": `${gameName()} does not answer`,
  banned: "Sign-in refused",
  "second-step-over": "Sign-in expired",
});

/** Posts to a URL of its own, so that a reload of the page sends no key. */
export function KeyForm({ error, fields, act, newKeys }: KeyFormProps) {
  const general = error && generalRefusals()[error];
  return (
    <Card>
      <PostForm action="/sign-in/key" fields={fields} className="grid gap-4">
        {error && general && (
          <Alert tone={error === "banned" ? "bad" : "warn"} title={general} live>
            {signInRefusals[error]}
            {error === "banned" && <ContactLink />}
          </Alert>
        )}
        <InputField
          name="game_key"
          label={`${gameName()} API key`}
          error={error && !general ? signInRefusals[error] : undefined}
          hint={`16 letters and digits, from the ${gameName()} settings under API keys.`}
          code
          type="password"
          autoComplete="current-password"
          minLength={16}
          maxLength={1_000}
          autoFocus={error !== undefined}
        />
        <Button type="submit" variant="primary" size="lg" block>
          {act}
        </Button>
        <NewKeyLinks game={gameName()} keys={newKeys} />
      </PostForm>
    </Card>
  );
}

type OtherWaysProps = {
  /** Why the last try in one of these ways was refused. */
  error: SignInRefusal | undefined;
  fields: Readonly<Record<string, string | undefined>>;
  passkeys: boolean;
  chat: boolean;
};

export function OtherSignInMethods({ error, fields, passkeys, chat }: OtherWaysProps) {
  if (!passkeys && !chat) return null;
  return (
    <div className="grid gap-3">
      {error && (
        <Alert tone="warn" title="Not signed in" live>
          {signInRefusals[error]}
        </Alert>
      )}
      {passkeys && (
        <PasskeyForm action="/sign-in/passkey" fields={fields} label="Sign in with a passkey" />
      )}
      {/* A POST, so that no other site can start a chat sign-in. */}
      {chat && (
        <PostForm action="/sign-in/chat" fields={fields}>
          <Button type="submit" size="lg" block>
            <MessageCircle />
            Continue with the chat
          </Button>
        </PostForm>
      )}
    </div>
  );
}

type DemoPlayersProps = {
  players: RouterOutputs["signIn"]["demoPlayers"];
  fields: Readonly<Record<string, string | undefined>>;
};

export function DemoPlayersCard({ players, fields }: DemoPlayersProps) {
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
                <ChevronRight className="size-4 flex-none text-ink-faint" />
              </button>
            </PostForm>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type OfferedKey = KeyToCreate & {
  /** Link text such as "To sign in". */
  readonly purpose: string;
};

/** Links to the game's page for new keys, filled in with only the selections that are read. */
export const NewKeyLinks = ({ game, keys }: { game: string; keys: readonly OfferedKey[] }) => (
  <div className="grid gap-1.5 text-sm text-ink-soft">
    <p>No key yet? Create one in {game} that reads only what is used:</p>
    <ul className="grid gap-1.5">
      {keys.map(({ purpose, url, selections }) => (
        <li key={purpose}>
          {url ? (
            <TextLink href={url}>{purpose}</TextLink>
          ) : (
            <span className="font-medium">{purpose}</span>
          )}
          <span className="block text-xs text-ink-faint wrap-anywhere">
            {[...bySection(selections)]
              .map(([section, names]) => `${section}: ${names.join(", ")}`)
              .join(" · ")}
          </span>
        </li>
      ))}
    </ul>
  </div>
);

export function WaitingRequestHeader({
  waiting: { application, redirectHost },
}: {
  waiting: PendingRequestView;
}) {
  const name = <bdi>{application.name}</bdi>;
  return (
    <PageHeader
      media={<Emblem of={application} size="lg" />}
      title={<>{name} asks for access</>}
      lead={
        <>
          Sign in first, then you decide what {name} {redirectHost && <>({redirectHost}) </>}may
          see. Signing in allows nothing yet.
        </>
      }
    />
  );
}
