import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";
import type { RequestView } from "#server/faction/banking/show-banking";

/** Cancels a request at once: it cuts nothing that could not be asked for again. */
export function CancelForm({ factionId, request }: { factionId: number; request: RequestView }) {
  return (
    <CsrfForm action="/faction/banking/cancel" fields={{ faction: String(factionId), request: String(request.id) }}>
      <Button type="submit" size="sm" aria-label={`Cancel request #${request.id}`}>
        Cancel
      </Button>
    </CsrfForm>
  );
}
