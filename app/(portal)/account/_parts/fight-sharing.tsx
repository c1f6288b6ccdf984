import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Status } from "#app/_ui/status.tsx";

/** Whether the player's fights tell their opponents' scores, and the switch. Needs no script. */
export function FightSharing({ shares }: { shares: boolean }) {
  return (
    <Card
      title="Share scores from your fights"
      actions={<Status tone={shares ? "good" : "neutral"}>{shares ? "Shared" : "Not shared"}</Status>}
      footer={
        <>
          <span>Your own stats are never shown, whatever you choose. Changes take effect at once.</span>
          <CsrfForm action="/account/fights" fields={{ shares: shares ? "no" : "yes" }}>
            <Button type="submit" size="sm">
              {shares ? "Stop sharing" : "Share"}
            </Button>
          </CsrfForm>
        </>
      }
    >
      <p className="max-w-prose text-ink-soft">
        Each fight shows how strong your opponent is. If you share, Adjutant reads your fights with your key every ten
        minutes and adds your opponents' scores to everyone's target lists. If your faction keeps its scores private,
        yours stay private too. If your faction's fights are already read, yours are not read twice.
      </p>
    </Card>
  );
}
