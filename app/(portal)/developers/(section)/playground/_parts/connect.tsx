"use client";

import { FlaskConical } from "lucide-react";
import { useEffect, useState } from "react";
import { savePending } from "#app/_lib/playground-flow";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox, Select } from "#app/_ui/controls.tsx";
import { Field } from "#app/_ui/field.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { scopeNames } from "#server/scopes";
import { newFlow } from "./authorization";

type Props = {
  baseUrl: string;
  wanted: string | undefined;
};

/** Enough for a first call; more is the reader's choice. */
const firstScopes = ["identity"];

/** Chooses the application and its scopes, and sends the browser to authorize. */
export function Connect({ baseUrl, wanted }: Props) {
  const [usable] = trpc.applications.listPublic.useSuspenseQuery();
  const [clientId, setClientId] = useState(wanted);
  const [ticked, setTicked] = useState<readonly string[]>(firstScopes);
  const [leaving, setLeaving] = useState(false);
  const elsewhere = useElsewhere(baseUrl);

  const chosen = usable.find((application) => application.clientId === clientId) ?? usable[0];
  if (!chosen) return <CreatePlayground baseUrl={baseUrl} />;

  const scopes = chosen.scopes.filter((scope) => ticked.includes(scope));

  async function connect(to: string) {
    setLeaving(true);
    const flow = await newFlow({ baseUrl, clientId: to, scope: scopes.join(" ") });
    savePending(flow);
    location.assign(flow.authorizeUrl);
  }

  return (
    <Card
      title="Connect"
      description="Opens the consent page of your own application, as a player would see it."
      footer={
        <>
          <span>You return here through the hosted callback.</span>
          <Button variant="primary" busy={leaving} disabled={elsewhere} onClick={() => connect(chosen.clientId)}>
            Connect
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {elsewhere && (
          <Alert tone="warn" title="Open this page at its configured address">
            The hosted callback is at <TextLink href={`${baseUrl}/developers/playground`}>{baseUrl}</TextLink>, and your
            browser keeps data of different addresses apart.
          </Alert>
        )}
        <Field name="application" label="Application" hint="Public applications, which need no secret.">
          {({ required: _, ...control }) => (
            <Select
              {...control}
              value={chosen.clientId}
              onChange={(event) => {
                setClientId(event.target.value);
                setTicked(firstScopes);
              }}
              options={usable.map((application) => ({ value: application.clientId, label: application.name }))}
            />
          )}
        </Field>
        <fieldset>
          <legend className="text-sm font-medium">Scopes to ask for</legend>
          <div className="mt-2 grid gap-2 sm:grid-cols-2">
            {chosen.scopes.map((scope) => (
              <Checkbox
                key={scope}
                name="scope"
                value={scope}
                checked={ticked.includes(scope)}
                onChange={(event) =>
                  setTicked(event.target.checked ? [...ticked, scope] : ticked.filter((other) => other !== scope))
                }
                label={<code className="font-mono text-sm">{scope}</code>}
              />
            ))}
          </div>
          {chosen.scopes.length === 0 && (
            <p className="mt-1 text-sm text-ink-soft">
              No scopes registered. That is enough for endpoints that need none.
            </p>
          )}
        </fieldset>
      </div>
    </Card>
  );
}

/** Whether the page was opened at another address than its own (127.0.0.1 for localhost): the way back would be lost. */
function useElsewhere(baseUrl: string): boolean {
  const [elsewhere, setElsewhere] = useState(false);
  useEffect(() => setElsewhere(location.origin !== baseUrl), [baseUrl]);
  return elsewhere;
}

const playgroundAt = (page: string): ApplicationInput => ({
  kind: "public",
  name: "My playground",
  redirectUris: [],
  scopes: [...scopeNames],
  optionalScopes: [...scopeNames],
  clientUri: page,
  tosUri: page,
  privacyUri: page,
  privacy: {
    data: "The data you request in the playground.",
    use: "Shown to you, in your own browser.",
    retention: "Until you close the page. Nothing is stored.",
    deletion: "Close the page.",
    sharing: "Nobody.",
  },
});

/** Registers a public application for the playground, in one click. */
function CreatePlayground({ baseUrl }: { baseUrl: string }) {
  const utils = trpc.useUtils();
  const create = trpc.applications.create.useMutation({
    onSuccess: () => utils.applications.listPublic.invalidate(),
  });
  // Registered addresses are https only; on one's own machine nobody follows them.
  const page = `${baseUrl.replace(/^http:/, "https:")}/docs`;
  return (
    <Card flush>
      <EmptyState
        icon={<FlaskConical />}
        title="The playground needs a public application"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button variant="primary" busy={create.isPending} onClick={() => create.mutate(playgroundAt(page))}>
              Create “My playground”
            </Button>
            <LinkButton href="/developers/new">Register one yourself</LinkButton>
          </div>
        }
      >
        It may ask for every scope and uses the hosted callback. You can delete it like any other.
      </EmptyState>
      <RefusalAlert refused={create.error} here="/developers/playground" className="p-4" />
    </Card>
  );
}
