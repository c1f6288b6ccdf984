import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Status } from "#app/_ui/status.tsx";

/** Whether the player's fights tell their opponents' scores, and the switch. Needs no script. */
export function FightSharing({ shares }: { shares: boolean }) {
  return (
    <Card
      title="Share what your fights tell"
      actions={<Status tone={shares ? "good" : "neutral"}>{shares ? "Shared" : "Not shared"}</Status>}
      footer={
        <>
          <span>Your own stats are never shown, whichever you choose. It takes effect at once.</span>
          <CsrfForm action="/account/fights" fields={{ shares: shares ? "no" : "yes" }}>
            <Button type="submit" size="sm">
              {shares ? "Stop sharing" : "Share"}
            </Button>
          </CsrfForm>
        </>
      }
    >
      <p className="max-w-prose text-ink-soft">
        A fight that you win or lose tells how strong your opponent is. If you share that, Adjutant reads your fights
        every ten minutes with your key and keeps your opponents' scores for everybody's lists of targets. If your
        faction keeps scores to itself, yours stay with it, too. Where your faction reads fights for all its members,
        yours are not read again.
      </p>
    </Card>
  );
}
