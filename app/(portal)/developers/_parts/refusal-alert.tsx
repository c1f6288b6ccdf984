import { signInPath } from "#lib/sign-in-path";
import { Alert } from "#ui/alert";
import { LinkButton } from "#ui/link-button";
import type { Refused } from "./read-refusal";

type Props = {
  refused: Refused | undefined;
  /** The page to come back to after a sign-in. */
  here: string;
};

/** Why an act was refused, and the way on where a new sign-in is what it wants. */
export function RefusalAlert({ refused, here }: Props) {
  if (!refused) return null;
  if (refused.wantsSignIn)
    return (
      <Alert
        tone="warn"
        title="Prove that it is still you"
        live
        actions={
          <LinkButton href={signInPath({ next: here })} document size="sm">
            Sign in again
          </LinkButton>
        }
      >
        This wants a sign-in from the last 15 minutes. You come back to this page.
      </Alert>
    );
  return (
    <Alert tone="bad" live>
      {refused.message}
    </Alert>
  );
}
