import { IdCard, KeyRound } from "lucide-react";
import { gameName } from "#app/_lib/settings";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { buttonStyle } from "#app/_ui/class-names.tsx";
import { CodeBlock, CodeTabs } from "#app/_ui/code-block.tsx";
import { Insignia } from "#app/_ui/logo.tsx";
import { ScopeList } from "#app/_ui/scope-list.tsx";
import { Steps } from "#app/_ui/steps.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { type ScopeName, scopes } from "#server/scopes";

/** The sample shows the consent page's own texts. */
function words(name: ScopeName) {
  const scope = scopes.find((entry) => entry.name === name);
  return { title: scope?.title, body: scope?.grants };
}

/** The sample is decoration and cannot be operated. */
export function ConsentSample() {
  return (
    <figure>
      <figcaption className="sr-only">
        A consent page: an application named Vault Keeper asks to see who you are and to use your
        game key. Each permission shows which of your stored data it opens. You approve or deny.
      </figcaption>
      <div
        aria-hidden="true"
        inert
        className="overflow-clip rounded-card bg-raised shadow-float select-none"
      >
        <div className="flex items-center gap-3 border-b border-line px-5 py-4">
          <Avatar name="Vault Keeper" shape="square" />
          <div className="min-w-0">
            <p className="font-semibold">Vault Keeper asks for access</p>
            <p className="truncate text-sm text-ink-faint">
              vaultkeeper.example · 37 players · since March
            </p>
          </div>
          <span className="ml-auto max-sm:hidden">
            <Badge tone="good">Verified</Badge>
          </span>
        </div>
        <div className="px-5 py-5">
          <ScopeList
            items={[
              {
                name: "identity",
                icon: <IdCard />,
                ...words("identity"),
                preview: (
                  <span className="flex flex-wrap justify-between gap-x-4">
                    <span>Marlowe [2104417]</span>
                    <span className="text-ink-faint">Harbour Lights</span>
                  </span>
                ),
              },
              {
                name: "service_key:usage",
                icon: <KeyRound />,
                ...words("service_key:usage"),
                preview: (
                  <span className="flex flex-wrap justify-between gap-x-4">
                    <span className="font-mono">••••x7Qd</span>
                    <span className="text-ink-faint">Limited Access</span>
                  </span>
                ),
              },
            ]}
          />
        </div>
        <div className="flex items-center gap-3 border-t border-line bg-sunken px-5 py-4">
          <span className="text-sm text-ink-faint max-sm:hidden">Until you revoke it</span>
          <span className={`${buttonStyle()} ml-auto`}>Deny</span>
          <span className={buttonStyle({ variant: "primary" })}>Approve</span>
        </div>
      </div>
    </figure>
  );
}

const audiences = () =>
  [
    {
      chevrons: 1,
      title: "Players",
      lead: "You decide, and you can see what you decided.",
      points: [
        "Before you approve, each permission shows the data of yours it unlocks.",
        "You choose for how long: a day, a month, or until you revoke it.",
        "Revoke an application at any time: its tokens stop working at once, on every device.",
      ],
    },
    {
      chevrons: 2,
      title: "Developers",
      lead: "One API instead of everyone's game keys.",
      points: [
        "Authorization code with PKCE, rotating refresh tokens, discovery, revocation, introspection.",
        "Two live secrets per application, so that replacing one needs no downtime.",
        "The exact reason for every failed call, and an OpenAPI document for your tools.",
      ],
    },
    {
      chevrons: 3,
      title: "Factions",
      lead: "Tools that know your faction, without your members' keys.",
      points: [
        "Members, levels and chat accounts in one call, kept fresh in the background.",
        `Members' rights follow their positions in ${gameName()}. A member who leaves loses them as soon as ${gameName()} says so.`,
        "Keys with faction access stay encrypted here. A tool gets the answer, never the key.",
      ],
    },
  ] as const;

export function Audiences() {
  return (
    <section className="border-y border-line bg-surface">
      <div className="mx-auto max-w-page px-4 py-16 sm:px-6 sm:py-20">
        <h2 className="sr-only">Who it is for</h2>
        <div className="grid gap-x-12 gap-y-12 md:grid-cols-3">
          {audiences().map((audience) => (
            <div key={audience.title}>
              <Insignia chevrons={audience.chevrons} className="-ml-2 size-11" />
              <h3 className="mt-3 text-lg font-semibold">{audience.title}</h3>
              <p className="text-ink-soft">{audience.lead}</p>
              <ul className="mt-4 grid gap-3 border-t border-line pt-4 text-sm text-ink-soft">
                {audience.points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

const answer = `{
  "tid": 2104417,
  "name": "Marlowe",
  "username": "Marlowe [2104417]",
  "last_refresh": 1795262880,
  "chat_id": 1093847561029384756,
  "factiontid": 40117,
  "last_action": 1795262811
}`;

const shell = (baseUrl: string) => `# 1. Ask. The player approves and comes back to you with a code.
open "${baseUrl}/oauth/authorize?response_type=code\\
&scope=identity&client_id=$CLIENT_ID\\
&redirect_uri=$REDIRECT_URI&state=$STATE"

# 2. Exchange the code for a token, within a minute.
curl ${baseUrl}/oauth/token -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=authorization_code -d code="$CODE" \\
  --data-urlencode redirect_uri="$REDIRECT_URI"

# 3. Call.
curl ${baseUrl}/api/v1/user \\
  -H "Authorization: Bearer $ACCESS_TOKEN"`;

const typescript = (
  baseUrl: string,
) => `// 1. Ask. The player approves and comes back to you with a code.
const ask = new URL("${baseUrl}/oauth/authorize");
ask.search = new URLSearchParams({
  response_type: "code", scope: "identity", client_id, redirect_uri, state,
}).toString();

// 2. Exchange the code for a token, within a minute.
const reply = await fetch("${baseUrl}/oauth/token", {
  method: "POST",
  headers: { Authorization: "Basic " + btoa(client_id + ":" + client_secret) },
  body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri }),
});
const { access_token } = await reply.json();

// 3. Call.
const user = await fetch("${baseUrl}/api/v1/user", {
  headers: { Authorization: "Bearer " + access_token },
});`;

const python = (baseUrl: string) => `import requests
from urllib.parse import urlencode

# 1. Ask. The player approves and comes back to you with a code.
ask = "${baseUrl}/oauth/authorize?" + urlencode({
    "response_type": "code", "scope": "identity", "client_id": client_id,
    "redirect_uri": redirect_uri, "state": state,
})

# 2. Exchange the code for a token, within a minute.
reply = requests.post("${baseUrl}/oauth/token", auth=(client_id, client_secret), timeout=10,
    data={"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri})

# 3. Call.
user = requests.get("${baseUrl}/api/v1/user", timeout=10,
    headers={"Authorization": "Bearer " + reply.json()["access_token"]})`;

export function FirstCall({ baseUrl }: { baseUrl: string }) {
  return (
    <section className="mx-auto grid max-w-page gap-x-16 gap-y-10 px-4 py-16 sm:px-6 sm:py-20 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
      <div>
        <h2 className="text-2xl font-semibold">A first call in three commands</h2>
        <p className="mt-3 mb-8 text-ink-soft">
          Plain OAuth 2.0, so the client library you already use works. You need none to try it.
        </p>
        <Steps
          items={[
            {
              title: "Ask",
              body: (
                <>
                  <TextLink href="/developers/new">Register an application</TextLink>, then send the
                  player here. Clients without a secret add PKCE.
                </>
              ),
            },
            {
              title: "Exchange",
              body: "The code works once, within a minute. It becomes an access token; an application that keeps a secret also gets a refresh token.",
            },
            {
              title: "Call",
              body: (
                <>
                  Every response says how many calls are left, and every error has a code and a
                  message. Or{" "}
                  <TextLink href="/developers/playground">try it from the browser</TextLink>.
                </>
              ),
            },
          ]}
        />
      </div>
      <div className="grid min-w-0 content-start gap-4">
        <CodeTabs
          label="The first call"
          samples={[
            { label: "curl", language: "shell", code: shell(baseUrl) },
            { label: "TypeScript", language: "typescript", code: typescript(baseUrl) },
            { label: "Python", language: "python", code: python(baseUrl) },
          ]}
        />
        <CodeBlock title="200 OK, application/json" language="json" code={answer} />
      </div>
    </section>
  );
}
