import { Button } from "#ui/button";
import { Card } from "#ui/card";
import { Checkbox } from "#ui/checkbox";
import { Field } from "#ui/field";
import { Input } from "#ui/input";
import { LinkButton } from "#ui/link-button";
import { Logo } from "#ui/logo";
import { PageHeader } from "#ui/page-header";
import { PageShell } from "#ui/page-shell";
import { RadioCards } from "#ui/radio-cards";
import { Select } from "#ui/select";
import { Switch } from "#ui/switch";
import { Textarea } from "#ui/textarea";

export default function Gallery() {
  return (
    <PageShell
      viewer={{
        name: "DemoDeveloper",
        playerId: 2000001,
        detail: "The Night Watch",
        links: [{ href: "/account", label: "Account" }, { href: "/account/apps", label: "Connected apps" }],
        signOut: { action: "/sign-out", csrf: { name: "csrf", value: "x" } },
      }}
    >
      <div className="grid gap-6">
        <PageHeader
          title="Vault Keeper"
          lead="Pays out vault requests for a faction."
          trail={[{ label: "Developers", href: "/developers" }]}
          actions={<><Button>Secondary</Button><Button variant="primary">Create application</Button></>}
        />
        <Logo className="text-4xl" />
        <Card title="Buttons" description="All of them" footer={<><span>Changes are live at once.</span><Button variant="primary" size="sm">Save</Button></>}>
          <div className="flex flex-wrap items-center gap-3">
            <Button variant="primary">Primary</Button>
            <Button>Secondary</Button>
            <Button variant="quiet">Quiet</Button>
            <Button variant="danger">Delete</Button>
            <Button variant="primary" busy>Saving</Button>
            <Button disabled>Disabled</Button>
            <Button size="sm">Small</Button>
            <LinkButton href="/docs" size="lg" variant="primary">Large link</LinkButton>
          </div>
        </Card>
        <Card title="Fields" tone="plain">
          <div className="grid gap-5">
            <Field name="app" label="Name" hint="Players see it on the consent page.">{(c) => <Input {...c} placeholder="Vault Keeper" />}</Field>
            <Field name="uri" label="Redirect URI" error="A redirect URI must start with https://.">{(c) => <Input {...c} code defaultValue="http://example.test" />}</Field>
            <Field name="about" label="About" required={false}>{(c) => <Textarea {...c} />}</Field>
            <Field name="how" label="How long">{(c) => <Select {...c} options={[{ value: "a", label: "Until I revoke it" }, { value: "b", label: "30 days" }]} />}</Field>
            <RadioCards name="kind" legend="Kind" defaultValue="a" options={[{ value: "a", label: "Server-side", hint: "Keeps a secret. Gets refresh tokens." }, { value: "b", label: "Public", hint: "Runs on the user's device; PKCE." }]} />
            <Checkbox name="agree" label="I store the secret now" hint="It is shown once." />
            <Switch name="s" label="Let the service use my key" hint="For calls that need it." defaultChecked />
            <Switch name="s2" label="Off" />
          </div>
        </Card>
        <Card title="Danger" tone="danger" footer={<><span>3 users, 5 live tokens</span><Button variant="danger" size="sm">Delete</Button></>}>Deleting is final.</Card>
      </div>
    </PageShell>
  );
}
