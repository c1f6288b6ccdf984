import { CsrfForm } from "#app/_parts/csrf-form.tsx";
import { Button } from "#app/_ui/button.tsx";

type Props = {
  action: string;
  /** The acts of the two buttons. */
  accept: string;
  decline: string;
};

/** Works without script. */
export const AcceptOrDecline = ({ action, accept, decline }: Props) => (
  <div className="mt-3 flex flex-wrap gap-2">
    <CsrfForm action={action} fields={{ act: accept }}>
      <Button type="submit" variant="primary" size="sm">
        Accept
      </Button>
    </CsrfForm>
    <CsrfForm action={action} fields={{ act: decline }}>
      <Button type="submit" size="sm">
        Decline
      </Button>
    </CsrfForm>
  </div>
);
