import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { LinkButton } from "#app/_ui/link-button.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import type { Fulfilment } from "#server/faction/banking/show-for-fulfilment";
import { RequestFacts } from "./request-facts";

const trail = [{ label: "Vault", href: "/faction/banking" }];

/** A request that waits: first it is paid in the game, then it is said here. */
export function Pay({ request, mayFulfil, vaultPage }: Fulfilment) {
  const kind = request.currency === "money_balance" ? "money" : "points";
  return (
    <div className="grid max-w-180 gap-6">
      <PageHeader title={`Request #${request.id}`} trail={trail} />
      <Card
        title="What is asked for"
        footer={
          mayFulfil && (
            <>
              <span>Pay in the game first, then say so here.</span>
              <span className="flex flex-wrap gap-2">
                <LinkButton href={vaultPage}>Open the game's vault</LinkButton>
                <CsrfForm action={`/faction/banking/fulfill/${request.guid}/confirm`}>
                  <Button type="submit" variant="primary">
                    I have paid it
                  </Button>
                </CsrfForm>
              </span>
            </>
          )
        }
      >
        <RequestFacts request={request} />
      </Card>
      {mayFulfil ? (
        <p className="text-sm text-ink-soft">
          Give it out from the member's balance, in exactly this amount. A payday or a change of the balance is not
          recognised as the payment. The member is told at once. For ten minutes the vault's news is searched for the
          payment; if it is not there, the member is warned.
        </p>
      ) : (
        <Alert tone="warn" title="Another banker must pay this">
          Your position in the faction does not let you give out {kind}.
        </Alert>
      )}
    </div>
  );
}
