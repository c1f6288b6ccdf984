import { redirect } from "next/navigation";
import { caller } from "#app/_lib/caller";
import type { PageProps } from "#app/_lib/search-params";
import { signInPath } from "#app/_lib/sign-in-path";
import { Emblem } from "#app/_parts/emblem.tsx";
import { BareFrame } from "#app/_parts/page-frames.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { PostForm } from "#app/_ui/post-form.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { signInRefusals } from "#server/auth/sign-in-refused";
import { CodeField } from "../_parts/code-field";
import { readSignInQuery } from "../destination";

export const metadata = { title: "Second step" };

export default async function SecondStep({ searchParams }: PageProps) {
  const { refusal, next, request } = await readSignInQuery(searchParams);
  const portal = await caller();
  const [player, waiting] = await Promise.all([
    portal.signIn.secondStep(),
    request === undefined ? null : portal.signIn.waiting({ requestId: request }),
  ]);
  if (!player) redirect(signInPath({ error: "second-step-over", next, request }));
  const wrong = refusal === "wrong-code";
  return (
    <BareFrame>
      <div className="grid gap-6">
        <PageHeader
          media={waiting && <Emblem of={waiting.application} size="lg" />}
          title="One more step"
          lead={
            <>
              Signing in as{" "}
              <strong className="font-medium text-ink">
                {player.name} <span className="tabular font-normal">[{player.playerId}]</span>
              </strong>
              {waiting && (
                <>
                  , then you decide what <bdi>{waiting.application.name}</bdi> may see
                </>
              )}
              .
            </>
          }
        />
        <Card>
          <PostForm
            action="/sign-in/second-step/code"
            fields={{ next, request }}
            className="grid gap-4"
          >
            <CodeField error={wrong ? signInRefusals["wrong-code"] : undefined} autoFocus />
            <Button type="submit" variant="primary" size="lg" block>
              Continue
            </Button>
          </PostForm>
        </Card>
        <p className="text-sm text-ink-faint">
          You have ten minutes. Not you?{" "}
          <TextLink href={signInPath({ next, request })}>Start over</TextLink>
        </p>
      </div>
    </BareFrame>
  );
}
