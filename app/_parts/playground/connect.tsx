"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import {
  type ComponentProps,
  type ReactNode,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { trpc } from "#app/_lib/trpc";
import { RefusalAlert } from "#app/_parts/refusal-alert.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Button } from "#app/_ui/button.tsx";
import { Card, EmptyState } from "#app/_ui/card.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { SelectField } from "#app/_ui/field.tsx";
import { Skeleton } from "#app/_ui/progress.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import type { ApplicationInput } from "#server/oauth/clients/contract";
import { scopeNames } from "#server/scopes";
import { exchangeCode, newFlow, revoke } from "./authorization";
import { holdsScope } from "./call-endpoint";
import {
  type AnsweredFlow,
  type Connection,
  savePending,
  tabConnectionStore,
  takeFlow,
} from "./flow";

type Props = {
  baseUrl: string;
  wanted: string | undefined;
  /** Path to return to. */
  page: string;
  firstScopes: readonly string[];
};

function ConnectApplication({ baseUrl, wanted, page, firstScopes }: Props) {
  const [own] = trpc.applications.names.useSuspenseQuery();
  const [clientId, setClientId] = useState(wanted);
  const [ticked, setTicked] = useState<readonly string[]>(firstScopes);
  const [leaving, setLeaving] = useState(false);
  const elsewhere = useElsewhere(baseUrl);

  const usable = own.filter(({ kind }) => kind === "public");
  const chosen =
    usable.find((application) => application.clientId === clientId) ??
    usable.find(({ scopes }) => firstScopes.every((scope) => holdsScope(scope, scopes))) ??
    usable[0];
  if (!chosen) return <CreatePlayground page={page} />;

  // A narrower faction scope may be requested if the wider one is registered.
  const offered = [
    ...new Set([
      ...chosen.scopes,
      ...firstScopes.filter((scope) => holdsScope(scope, chosen.scopes)),
    ]),
  ];
  const missing = firstScopes.filter((scope) => !offered.some((known) => known === scope));
  const scopes = offered.filter((scope) => ticked.includes(scope));

  async function connect(to: string) {
    setLeaving(true);
    const flow = await newFlow({ baseUrl, clientId: to, scope: scopes.join(" "), page });
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
          <Button
            variant="primary"
            busy={leaving}
            disabled={elsewhere}
            onClick={() => connect(chosen.clientId)}
          >
            Connect
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {elsewhere && (
          <Alert tone="warn" title="Open this page at its configured address">
            The hosted callback is at <TextLink href={`${baseUrl}${page}`}>{baseUrl}</TextLink>, and
            your browser keeps data of different addresses apart.
          </Alert>
        )}
        <SelectField
          name="application"
          label="Application"
          hint="Public applications, which need no secret."
          value={chosen.clientId}
          onChange={(event) => {
            setClientId(event.target.value);
            setTicked(firstScopes);
          }}
          options={usable.map((application) => ({
            value: application.clientId,
            label: application.name,
          }))}
          required={false}
          note=""
        />
        <fieldset>
          <legend className="text-sm font-medium">Scopes to ask for</legend>
          <div className="mt-2 grid gap-2 sm:grid-cols-2">
            {offered.map((scope) => (
              <Checkbox
                key={scope}
                name="scope"
                value={scope}
                checked={ticked.includes(scope)}
                onChange={(event) =>
                  setTicked(
                    event.target.checked
                      ? [...ticked, scope]
                      : ticked.filter((other) => other !== scope),
                  )
                }
                label={<code className="text-sm">{scope}</code>}
              />
            ))}
          </div>
          {missing.length > 0 && (
            <p className="mt-2 text-sm text-ink-soft">
              This application is not registered for <code>{missing.join(" ")}</code>.{" "}
              <TextLink href={`/developers/apps/${chosen.clientId}/settings`}>
                Add it in the settings
              </TextLink>
            </p>
          )}
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

/**
 * True if the page is open at another host, such as 127.0.0.1 for localhost, to which the redirect
 * would not return.
 */
function useElsewhere(baseUrl: string): boolean {
  const [elsewhere, setElsewhere] = useState(false);
  useEffect(() => setElsewhere(location.origin !== baseUrl), [baseUrl]);
  return elsewhere;
}

/** The application stays in test, because only its owner uses it. */
const playground: ApplicationInput = {
  kind: "public",
  name: "My playground",
  description: "",
  emblemSign: null,
  emblemColour: null,
  redirectUris: [],
  scopes: [...scopeNames],
  optionalScopes: [...scopeNames],
  clientUri: "",
  tosUri: "",
  privacyUri: "",
  privacy: {},
};

function CreatePlayground({ page }: { page: string }) {
  const utils = trpc.useUtils();
  const create = trpc.applications.create.useMutation({
    onSuccess: () => utils.applications.names.invalidate(),
  });
  return (
    <Card flush>
      <EmptyState
        icon={<FlaskConical />}
        title="Trying calls needs a public application"
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Button
              variant="primary"
              busy={create.isPending}
              onClick={() => create.mutate(playground)}
            >
              Create “My playground”
            </Button>
            <LinkButton href="/developers/new">Register one yourself</LinkButton>
          </div>
        }
      >
        It may ask for every scope and uses the hosted callback. You can delete it like any other.
      </EmptyState>
      <RefusalAlert refused={create.error} here={page} className="p-4" />
    </Card>
  );
}

type WithConnectionProps = ComponentProps<typeof ConnectApplication> & {
  children: (connected: Connection & { ending: boolean; end: () => void }) => ReactNode;
};

/** Completes a waiting flow, or else offers to connect. */
export function WithConnection({ children, ...connect }: WithConnectionProps) {
  const connection = useSyncExternalStore(
    tabConnectionStore.subscribe,
    tabConnectionStore.get,
    () => undefined,
  );
  const exchanged = useMutation({
    mutationFn: (flow: AnsweredFlow) => exchangeCode(flow, connect.baseUrl),
    onSuccess: (token, flow) => tabConnectionStore.set({ ...flow, token }),
  });
  const ended = useMutation({
    mutationFn: revoke,
    onSettled: () => tabConnectionStore.set(undefined),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the hosted callback's answer is consumed once.
  useEffect(() => {
    const flow = takeFlow();
    if (flow) exchanged.mutate(flow);
  }, []);

  if (exchanged.isPending)
    return (
      <Card title="Connecting">
        <div className="grid gap-3" role="status" aria-label="Exchanging the code">
          <Skeleton className="h-5 w-60" />
          <Skeleton className="h-24 w-full" />
        </div>
      </Card>
    );
  if (connection)
    return children({
      ...connection,
      ending: ended.isPending,
      end: () => ended.mutate(connection.token),
    });
  return (
    <>
      {exchanged.error && (
        <Alert tone="bad" title="No token was issued" live>
          {exchanged.error.message}
        </Alert>
      )}
      <ConnectApplication {...connect} />
    </>
  );
}
