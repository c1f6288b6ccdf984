import type { Metadata } from "next";
import { caller } from "#app/_lib/caller";
import { currentViewer } from "#app/_lib/current-user";
import { readParam, type SearchParams } from "#app/_lib/search-params";
import { gameName } from "#app/_lib/settings";
import { keyRequests } from "#app/_lib/sign-in-path";
import { KeyUseDeclaration } from "#app/_parts/key-use-declaration.tsx";
import { PasskeyForm } from "#app/_parts/passkey-form.tsx";
import { SiteFrame } from "#app/_parts/site-frame.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { signInRefusals } from "#server/auth/sign-in-refused";
import { ChatForm, DemoPlayers, KeyForm } from "./_parts/sign-in-forms";
import { WaitingRequest } from "./_parts/waiting-request";
import { readSignIn } from "./destination";

const addsKey = async (searchParams: SearchParams) => {
  const wanted = await readParam(searchParams, "for");
  return keyRequests.find((each) => each === wanted);
};

export async function generateMetadata({
  searchParams,
}: {
  searchParams: SearchParams;
}): Promise<Metadata> {
  return {
    title: (await addsKey(searchParams)) && (await currentViewer()) ? "Add a key" : "Sign in",
  };
}

/** By game key, passkey or linked chat account. Only the passkey needs script. */
export default async function SignIn({ searchParams }: { searchParams: SearchParams }) {
  const { refusal, next, request } = await readSignIn(searchParams);
  const portal = await caller();
  const [viewer, demoPlayers, chatOffered, passkeysOffered, waiting] = await Promise.all([
    currentViewer(),
    portal.signIn.demoPlayers(),
    portal.chat.offered(),
    portal.passkeys.offered(),
    request === undefined ? null : portal.signIn.waiting({ requestId: request }),
  ]);
  const adds = viewer ? await addsKey(searchParams) : undefined;
  const fields = { next, request, for: adds };
  const ofChat = refusal?.startsWith("chat-") && chatOffered;
  const ofPasskey = passkeysOffered && refusal?.startsWith("passkey-");
  return (
    <SiteFrame>
      <div className="mx-auto grid max-w-page gap-10">
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
        {waiting && <WaitingRequest waiting={waiting} />}
        {request !== undefined && !waiting && (
          <Alert tone="warn" title="The application's request is no longer waiting">
            It was answered, it expired, or it was started in another browser. You can still sign
            in; to connect the application, start again from there.
          </Alert>
        )}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="grid gap-6">
            <KeyForm
              error={ofChat || ofPasskey ? undefined : refusal}
              fields={fields}
              adds={adds}
            />
            {passkeysOffered && !adds && (
              <Card
                title="Or with a passkey"
                description="For players who added one on their security page."
              >
                <div className="grid gap-4">
                  {ofPasskey && refusal && (
                    <Alert tone="warn" title="Not signed in" live>
                      {signInRefusals[refusal]}
                    </Alert>
                  )}
                  <PasskeyForm
                    action="/sign-in/passkey"
                    fields={fields}
                    label="Sign in with a passkey"
                  />
                </div>
              </Card>
            )}
            {chatOffered && !adds && (
              <ChatForm error={ofChat ? refusal : undefined} fields={fields} />
            )}
          </div>
          {demoPlayers.length > 0 && !adds && <DemoPlayers players={demoPlayers} fields={fields} />}
        </div>
        <KeyUseDeclaration />
      </div>
    </SiteFrame>
  );
}
