import { CodeBlock } from "#app/_ui/code-block.tsx";
import { CodeTabs } from "#app/_ui/code-tabs.tsx";
import { Steps } from "#app/_ui/steps.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";

type Props = {
  /** Scheme, host and port. */
  baseUrl: string;
};

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

export function FirstCall({ baseUrl }: Props) {
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
