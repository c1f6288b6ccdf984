import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { currentViewer } from "#app/_lib/current-user";
import { type PageProps, readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { KeyUseCard } from "#app/_parts/key-use.tsx";
import { SiteFrame } from "#app/_parts/page-frames.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { classNames } from "#app/_ui/class-names.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { type KeyUses, keyPurposes } from "#server/game/selections";
import {
  DemoPlayersCard,
  KeyForm,
  OtherSignInMethods,
  WaitingRequestHeader,
} from "./_parts/sign-in-forms";
import { readKeyPurpose, readSignInQuery } from "./destination";

const readPurpose = async (searchParams: SearchParams) =>
  readKeyPurpose(await readParam(searchParams, "for"));

export async function generateMetadata({
  searchParams,
}: {
  searchParams: SearchParams;
}): Promise<Metadata> {
  return {
    title: (await readPurpose(searchParams)) && (await currentViewer()) ? "Add a key" : "Sign in",
  };
}

type Wanted = KeyUses & { readonly purpose: string };

const usual: readonly Wanted[] = [
  { purpose: "To sign in", purposes: ["key"] },
  { purpose: "Also battle stats and your faction's data", purposes: ["stats", "faction"] },
];

/** Signs in by game key, passkey or linked chat account. Only the passkey needs script. */
export default async function SignIn({ searchParams }: PageProps) {
  const { refusal, next, request } = await readSignInQuery(searchParams);
  const portal = await caller();
  const [viewer, demoPlayers, chatOffered, passkeysOffered, waiting] = await Promise.all([
    currentViewer(),
    portal.signIn.demoPlayers(),
    portal.chat.offered(),
    portal.passkeys.offered(),
    request === undefined ? null : portal.signIn.waiting({ requestId: request }),
  ]);
  const adds = viewer ? await readPurpose(searchParams) : undefined;
  const wanted = adds
    ? [{ purpose: keyPurposes[adds].title, purposes: [adds] }]
    : waiting
      ? [{ purpose: `For ${waiting.application.name}`, scopes: waiting.scopes }]
      : usual;
  const newKeys = await Promise.all(
    wanted.map(async ({ purpose, purposes = [], scopes = [] }: Wanted) => ({
      purpose,
      ...(await portal.signIn.newKey({ purposes: [...purposes], scopes: [...scopes] })),
    })),
  );
  const fields = { next, request, for: adds };
  const chat = chatOffered && !adds;
  const passkeys = passkeysOffered && !adds;
  const isOtherWay =
    (chat && refusal?.startsWith("chat-")) || (passkeys && refusal?.startsWith("passkey-"));
  const isDemo = demoPlayers.length > 0 && !adds;
  return (
    <SiteFrame>
      <div
        className={classNames(
          "mx-auto grid items-start gap-x-10 gap-y-6",
          isDemo ? "max-w-240 lg:grid-cols-2 lg:grid-rows-[auto_1fr]" : "max-w-120",
        )}
      >
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
          {waiting ? (
            <WaitingRequestHeader waiting={waiting} />
          ) : (
            <PageHeader
              title={adds ? "Add a key" : "Sign in"}
              lead={
                viewer
                  ? adds
                    ? `It is added to the keys of ${viewer.name}. Another player's key signs you in as that player.`
                    : `You are signed in as ${viewer.name}. Sign in again, or as another player.`
                  : `Sign in with your ${gameName()} API key. There is no password to remember.`
              }
            />
          )}
          {request !== undefined && !waiting && (
            <Alert tone="warn" title="The application's request is no longer waiting">
              It was answered, it expired, or it was started in another browser. You can still sign
              in; to connect the application, start again from there.
            </Alert>
          )}
          <KeyForm
            error={isOtherWay ? undefined : refusal}
            fields={fields}
            act={adds ? "Add the key" : "Sign in"}
            newKeys={newKeys}
          />
          <OtherSignInMethods
            error={isOtherWay ? refusal : undefined}
            fields={fields}
            passkeys={passkeys}
            chat={chat}
          />
        </div>
        {isDemo && (
          <div className="row-span-2">
            <DemoPlayersCard players={demoPlayers} fields={fields} />
          </div>
        )}
        <KeyUseCard />
      </div>
    </SiteFrame>
  );
}
