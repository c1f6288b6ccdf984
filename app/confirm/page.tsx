import { redirect } from "next/navigation";
import { caller, csrfToken } from "#app/_lib/caller";
import { csrfField } from "#app/_lib/csrf";
import type { PageProps } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { readWaitingRequestId, signInPath } from "#app/_lib/sign-in-path";
import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { BareFrame } from "#app/_parts/page-frames.tsx";
import { PasskeyForm } from "#app/_parts/passkey-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { InputField } from "#app/_ui/field.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { CodeField } from "#app/sign-in/_parts/code-field.tsx";
import { readSignInQuery } from "#app/sign-in/destination";
import { safeNext } from "#server/auth/safe-next";
import { signInRefusals } from "#server/auth/sign-in-refused";

export const metadata = { title: "Confirm it's you", robots: { index: false } };

const target = "/confirm/proof";

/** Confirms a session by passkey or second factor, or by game key if the account has neither. */
export default async function Confirm({ searchParams }: PageProps) {
  const { refusal, next, request } = await readSignInQuery(searchParams);
  const portal = await caller();
  const session = await portal.session.current();
  if (!session) redirect(signInPath({ next, request }));
  const [{ by, byPasskey, confirmed, secondFactorPassed }, demoPlayers] = await Promise.all([
    portal.confirmation.show(),
    portal.signIn.demoPlayers(),
  ]);
  const demoKey = demoPlayers.find(({ playerId }) => playerId === session.player.id)?.key;
  const requestId = readWaitingRequestId(request ?? null);
  if (confirmed && (by === "game-key" || secondFactorPassed))
    redirect(requestId ? `/consent/${requestId}` : safeNext(next));
  const ofPasskey = byPasskey && refusal?.startsWith("passkey-");
  const fault = refusal && !ofPasskey ? signInRefusals[refusal] : undefined;
  const fields = { next, request };
  return (
    <BareFrame>
      <div className="grid gap-6">
        <PageHeader
          title="Confirm it's you to continue"
          lead={
            <>
              Signed in as{" "}
              <strong className="font-medium text-ink">
                <bdi>{session.player.name}</bdi>{" "}
                <span className="tabular font-normal">[{session.player.id}]</span>
              </strong>
              .
            </>
          }
        />
        {byPasskey && (
          <Card>
            <div className="grid gap-4">
              {ofPasskey && refusal && (
                <Alert tone="warn" title="Not confirmed" live>
                  {signInRefusals[refusal]}
                </Alert>
              )}
              <PasskeyForm
                action="/confirm/passkey"
                fields={{ ...fields, [csrfField]: await csrfToken() }}
                label="Confirm with a passkey"
                primary
              />
            </div>
          </Card>
        )}
        <Card title={byPasskey ? `Or with ${by === "code" ? "a code" : "your key"}` : undefined}>
          <CsrfForm action={target} fields={fields} className="grid gap-4">
            {by === "code" ? (
              <CodeField error={fault} autoFocus={!byPasskey} />
            ) : (
              <InputField
                name="game_key"
                label={`Your ${gameName()} API key`}
                error={fault}
                hint="Checked now, not stored."
                code
                type="password"
                autoComplete="current-password"
                maxLength={1_000}
                autoFocus={!byPasskey}
              />
            )}
            <Button type="submit" variant={byPasskey ? "secondary" : "primary"} size="lg" block>
              Confirm
            </Button>
          </CsrfForm>
          {by === "game-key" && demoKey && (
            <CsrfForm
              action={target}
              fields={{ ...fields, game_key: demoKey }}
              className="mt-3 grid"
            >
              <Button type="submit">Confirm with the demo key</Button>
            </CsrfForm>
          )}
        </Card>
        <p className="text-sm text-ink-faint">
          Not you?{" "}
          <TextLink href={signInPath({ next, request })}>Sign in as another player</TextLink>
        </p>
      </div>
    </BareFrame>
  );
}
