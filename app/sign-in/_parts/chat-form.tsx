import { MessageCircle } from "lucide-react";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PostForm } from "#app/_ui/post-form.tsx";
import { type SignInRefusal, signInRefusals } from "#server/auth/sign-in-refused";

type Props = {
  /** Why the last try was refused. */
  error: SignInRefusal | undefined;
  /** Where the sign-in leads. */
  fields: Readonly<Record<string, string | undefined>>;
};

/** Goes to the chat to sign in there. Posts, so that no other site can start it. */
export function ChatForm({ error, fields }: Props) {
  return (
    <Card title="Or with your chat account" description="For players who linked it on their account page.">
      <PostForm action="/sign-in/chat" fields={fields} className="grid gap-4">
        {error && (
          <Alert tone="warn" title="Not signed in" live>
            {signInRefusals[error]}
          </Alert>
        )}
        <Button type="submit" size="lg" block>
          <MessageCircle aria-hidden="true" />
          Continue with the chat
        </Button>
      </PostForm>
    </Card>
  );
}
