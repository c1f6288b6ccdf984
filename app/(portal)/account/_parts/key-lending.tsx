import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Status } from "#app/_ui/status.tsx";

/** Whether the player's keys read public data for everybody, and the switch. Needs no script. */
export function KeyLending({ lends }: { lends: boolean }) {
  return (
    <Card
      title="Lend your key"
      actions={<Status tone={lends ? "good" : "neutral"}>{lends ? "Lent" : "Not lent"}</Status>}
      footer={
        <>
          <span>Nobody sees the key, whichever you choose. It takes effect at once.</span>
          <CsrfForm action="/account/lending" fields={{ lends: lends ? "no" : "yes" }}>
            <Button type="submit" size="sm">
              {lends ? "Stop lending" : "Lend my key"}
            </Button>
          </CsrfForm>
        </>
      }
    >
      <p className="max-w-prose text-ink-soft">
        Some data of the game concerns nobody in particular, such as the names of organized crimes. Somebody's key must
        read it. If you lend yours, Adjutant may read such public data with it for everybody, now and then. It never
        reads with it what only you may see.
      </p>
    </Card>
  );
}
