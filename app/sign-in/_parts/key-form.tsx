import { HiddenFields } from "#app/_parts/hidden-fields.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Input } from "#app/_ui/input.tsx";
import { type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";

type Props = {
  /** Why the last try was refused. */
  error: SignInRefusal | undefined;
  /** Where the sign-in leads. */
  fields: Readonly<Record<string, string | undefined>>;
};

/** Refusals that another key, or the same one typed anew, does not mend. */
const notTheKeysFault: Partial<Record<SignInRefusal, string>> = {
  throttled: "Too many tries",
  "game-unavailable": "The game does not answer",
  banned: "Sign-in refused",
  "second-step-over": "The second step is over",
};

/** Asks for a game key. Posts to a URL of its own, so that a reload of the page sends no key. */
export function KeyForm({ error, fields }: Props) {
  const general = error && notTheKeysFault[error];
  return (
    <Card title="Your game key" description="16 letters and digits, from the game's settings under API keys.">
      <form method="post" action="/sign-in/key" className="grid gap-4">
        <HiddenFields fields={fields} />
        {error && general && (
          <Alert tone={error === "banned" ? "bad" : "warn"} title={general} live>
            {signInRefusals[error]}
          </Alert>
        )}
        <Field
          name="game_key"
          label="Game key"
          error={error && !general ? signInRefusals[error] : undefined}
          hint="A key of the level Public Only is enough. It is sent to the game once now, then kept encrypted."
        >
          {(control) => (
            <Input
              {...control}
              code
              type="password"
              autoComplete="current-password"
              minLength={16}
              maxLength={64}
              autoFocus={error !== undefined}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg" block>
          Sign in
        </Button>
        <p className="text-sm text-ink-faint">
          You create keys in the game's settings under API keys, and can delete them there at any time.
        </p>
      </form>
    </Card>
  );
}
