import { gameName } from "#app/_lib/game-name";
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
          <span>Nobody sees the key, whatever you choose. Changes take effect at once.</span>
          <CsrfForm action="/account/lending" fields={{ lends: lends ? "no" : "yes" }}>
            <Button type="submit" size="sm">
              {lends ? "Stop lending" : "Lend my key"}
            </Button>
          </CsrfForm>
        </>
      }
    >
      <p className="max-w-prose text-ink-soft">
        Some {gameName()} data is public but can only be read with a key, such as the names of organized crimes. If you
        lend yours, Adjutant reads such public data with it now and then, for everyone. It never reads your private data
        for others.
      </p>
    </Card>
  );
}
