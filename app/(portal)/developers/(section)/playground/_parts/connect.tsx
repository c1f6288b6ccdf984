"use client";

import { useEffect, useState } from "react";
import { savePending } from "#app/_lib/playground-flow";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { Field } from "#app/_ui/field.tsx";
import { Select } from "#app/_ui/select.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { newFlow } from "./authorize";
import { CreatePlayground } from "./create-playground";

export type UsableApplication = { clientId: string; name: string; scopes: readonly string[] };

type Props = {
  baseUrl: string;
  wanted: string | undefined;
  /** The reader's live public applications. */
  usable: readonly UsableApplication[];
};

/** Enough for a first call; more is the reader's choice. */
const firstScopes = ["identity"];

/** Chooses the application and its scopes, and sends the browser to authorize. */
export function Connect({ baseUrl, wanted, usable }: Props) {
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
