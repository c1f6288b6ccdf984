import { Box, IdCard, KeyRound, Landmark, LayoutDashboard, Settings, Swords } from "lucide-react";
import { Alert } from "#ui/alert";
import { Avatar } from "#ui/avatar";
import { Badge } from "#ui/badge";
import { Button } from "#ui/button";
import { Card } from "#ui/card";
import { CodeBlock } from "#ui/code-block";
import { CodeTabs } from "#ui/code-tabs";
import { ConfirmDialog } from "#ui/confirm-dialog";
import { DataTable } from "#ui/data-table";
import { DialogButton } from "#ui/dialog-button";
import { EmptyState } from "#ui/empty-state";
import { KeyValueList } from "#ui/key-value-list";
import { LinkButton } from "#ui/link-button";
import { PageHeader } from "#ui/page-header";
import { PageShell } from "#ui/page-shell";
import { ScopeList } from "#ui/scope-list";
import { SecretOnce } from "#ui/secret-once";
import { SideNav } from "#ui/side-nav";
import { Skeleton } from "#ui/skeleton";
import { StatRow } from "#ui/stat-row";
import { Status } from "#ui/status";
import { StepProgress } from "#ui/step-progress";
import { Steps } from "#ui/steps";
import { Tabs } from "#ui/tabs";
import { Time } from "#ui/time";
import { ToastDemo } from "./toast-demo";

const curl = `curl -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=authorization_code -d code=$CODE \\
  http://localhost:3000/oauth/token # lives 60 seconds`;
const rows = [
  { id: "a", app: "Vault Keeper", calls: 12934, errors: 3, state: "good", at: Date.now() / 1000 - 90 },
  {
    id: "b",
    app: "Chain Watcher with a rather long name",
    calls: 88,
    errors: 0,
    state: "warn",
    at: Date.now() / 1000 - 9000,
  },
  { id: "c", app: "Old Thing", calls: 0, errors: 0, state: "neutral", at: Date.now() / 1000 - 9000000 },
] as const;

export default function Gallery() {
  return (
    <PageShell
      viewer={{
        name: "DemoDeveloper",
        playerId: 2000001,
        detail: "The Night Watch",
        links: [
          { href: "/account", label: "Account" },
          { href: "/account/apps", label: "Connected apps" },
        ],
        signOut: { action: "/sign-out", csrf: { name: "csrf", value: "x" } },
      }}
    >
      <SideNav
        label="Vault Keeper"
        items={[
          { href: "/zz-gallery", label: "Overview", icon: <LayoutDashboard /> },
          { href: "/b", label: "Settings", icon: <Settings /> },
          { href: "/c", label: "Credentials", icon: <KeyRound /> },
          { href: "/d", label: "Requests", icon: <Box /> },
        ]}
      >
        <div className="grid gap-6">
          <PageHeader
            title="Vault Keeper"
            lead="Pays out vault requests for a faction."
            trail={[{ label: "Developers", href: "/developers" }]}
            media={<Avatar name="Vault Keeper" shape="square" size="lg" />}
            status={<Badge tone="good">Verified</Badge>}
            actions={
              <LinkButton href="/x" variant="primary">
                Try it
              </LinkButton>
            }
          />
          <StatRow
            items={[
              { label: "Calls today", value: "12,934", hint: "of 360,000 possible" },
              { label: "Errors", value: "0.02 %" },
              { label: "Users", value: "37" },
              { label: "p95", value: "14 ms" },
            ]}
          />
          <Card title="Applications" description="What you registered." actions={<Button size="sm">New</Button>} flush>
            <DataTable
              caption="Applications"
              rows={rows}
              rowKey={(r) => r.id}
              columns={[
                {
                  key: "app",
                  header: "Application",
                  primary: true,
                  cell: (r) => (
                    <span className="flex items-center gap-2.5">
                      <Avatar name={r.app} size="sm" shape="square" />
                      <a className="font-medium" href="/x">
                        {r.app}
                      </a>
                    </span>
                  ),
                },
                {
                  key: "s",
                  header: "State",
                  cell: (r) => <Status tone={r.state}>{r.state === "good" ? "Live" : "Paused"}</Status>,
                },
                { key: "c", header: "Calls", numeric: true, cell: (r) => r.calls.toLocaleString("en") },
                { key: "e", header: "Errors", numeric: true, cell: (r) => r.errors },
                { key: "t", header: "Last call", nowrap: true, cell: (r) => <Time at={Math.floor(r.at)} /> },
                { key: "x", header: "Acts", actions: true, cell: () => <Button size="sm">Revoke</Button> },
              ]}
            />
          </Card>
          <Card title="None" flush>
            <EmptyState
              icon={<Box />}
              title="No application yet"
              action={
                <LinkButton href="/developers/new" variant="primary">
                  Register one
                </LinkButton>
              }
            >
              An application asks players for access and calls the API in their name.
            </EmptyState>
          </Card>
          <SecretOnce
            note="If it is lost, make a new one and delete this one."
            items={[
              { label: "Client ID", value: "01J8ZQ5KX0" },
              { label: "Client secret", value: "adj_cs_9fK2mPq7XwZr4TnB8vLc1YdHs6GjE3uA5oRiQeWtNxMbVk0zFa" },
            ]}
          />
          <Card title="Vault Keeper asks to">
            <ScopeList
              items={[
                {
                  name: "identity",
                  icon: <IdCard />,
                  title: "See who you are",
                  body: "Your name, player number, faction and chat account.",
                  choice: "fixed",
                  preview: <>DemoDeveloper [2000001] · The Night Watch</>,
                },
                {
                  name: "faction:banking",
                  icon: <Landmark />,
                  title: "Use your faction's banking",
                  body: "See your balance; ask for and cancel payouts in your name.",
                  choice: "optional",
                  preview: <span className="text-ink-faint">Nothing stored yet.</span>,
                },
                { name: "faction:attacks", icon: <Swords />, title: "See your faction's attacks", choice: "optional" },
              ]}
            />
          </Card>
          <StepProgress
            label="Register"
            steps={["Kind", "Addresses", "Scopes", "Privacy", "Credentials"]}
            current={2}
          />
          <Steps
            items={[
              {
                title: "Ask",
                body: "Send the player here.",
                content: (
                  <CodeBlock
                    code="https://a.test/oauth/authorize?response_type=code&client_id=abc&redirect_uri=https%3A%2F%2Fclient.test%2Fcallback"
                    language="shell"
                  />
                ),
              },
              {
                title: "Exchange",
                content: (
                  <CodeTabs
                    label="Exchange"
                    samples={[
                      { label: "curl", language: "shell", code: curl },
                      {
                        label: "TypeScript",
                        language: "typescript",
                        code: 'const r = await fetch(url, { method: "POST" }); // go',
                      },
                      {
                        label: "Python",
                        language: "python",
                        code: "import requests\nr = requests.post(url, timeout=10)  # go",
                      },
                    ]}
                  />
                ),
              },
            ]}
          />
          <CodeBlock
            title="200 OK"
            language="json"
            code={
              '{\n  "tid": 2000001,\n  "chat_id": 1093847561029384756,\n  "name": "DemoDeveloper",\n  "factiontid": null\n}'
            }
          />
          <Tabs
            label="Sections"
            tabs={[
              { id: "a", label: "Overview", content: "First panel" },
              { id: "b", label: "Ledger", content: "Second panel" },
            ]}
          />
          <div className="grid gap-3">
            <Alert title="A consent waits">Sign in, and Vault Keeper's request comes next.</Alert>
            <Alert tone="good" title="Saved" />
            <Alert tone="warn">This application runs on your device: it cannot prove who it is.</Alert>
            <Alert tone="bad" title="The key was refused" actions={<Button size="sm">Try again</Button>}>
              The game does not know this key. Copy it anew from the game's settings.
            </Alert>
          </div>
          <Card title="Details">
            <KeyValueList
              items={[
                { label: "Client ID", value: <code className="font-mono text-sm">01J8ZQ5KX0AAAA</code>, copy: "01J8" },
                {
                  label: "Redirect URI",
                  value: "https://client.test/a/really/long/path/that/goes/on/and/on/callback",
                  copy: "x",
                },
                { label: "Created", value: <Time at={Math.floor(Date.now() / 1000) - 86400 * 40} /> },
              ]}
            />
          </Card>
          <div className="flex flex-wrap gap-2">
            <Badge>Public</Badge>
            <Badge tone="accent">Beta</Badge>
            <Badge tone="warn">Unverified</Badge>
            <Badge tone="bad">Suspended</Badge>
            <Skeleton className="h-5 w-40" />
          </div>
          <div className="flex flex-wrap gap-3">
            <ConfirmDialog
              label="Delete application"
              title="Delete Vault Keeper?"
              description="This cannot be undone."
              consequences={["3 players lose access", "5 live tokens end at once"]}
              confirmName="Vault Keeper"
              action="/x"
            />
            <DialogButton label="Open" title="A dialog">
              Hello
            </DialogButton>
            <ToastDemo />
          </div>
        </div>
      </SideNav>
    </PageShell>
  );
}
