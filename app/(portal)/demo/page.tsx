import { notFound } from "next/navigation";
import { playerCaller } from "#app/_lib/current-user";
import { type PageProps, readParam } from "#app/_lib/search-params";
import { gameName, pageSettings } from "#app/_lib/settings";
import { ActButton } from "#app/_parts/csrf-form.tsx";
import { ClientProviders, prefetcher } from "#app/_parts/interactive.tsx";
import { Alert } from "#app/_ui/alert.tsx";
import { Card } from "#app/_ui/card.tsx";
import { PageHeader } from "#app/_ui/page-header.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { type DemoAct, shockedStock } from "#server/demo/acts";
import { LatestEvents } from "./_parts/latest-events";

export const metadata = { title: "Demo" };

export default async function DemoPage({ searchParams }: PageProps) {
  if (pageSettings().demo === "off") notFound();
  const { demo } = await playerCaller();
  const [lonerHasKey] = await Promise.all([
    demo.lonerHasKey(),
    (await prefetcher()).demo.show.fetch(),
  ]);
  const acts = describeActs(lonerHasKey);
  const asked = await readParam(searchParams, "did");
  const did = acts.find(({ act }) => act === asked);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Demo"
        lead={`${gameName()} is simulated here. Make something happen in it, and watch it arrive.`}
      />
      {did && (
        <Alert tone="good" live>
          {did.done}
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Card title={`In ${gameName()}`} flush>
          <ul className="divide-y divide-line">
            {acts.map(({ act, title, text, label, href, where }) => (
              <li
                key={act}
                className="flex flex-wrap items-center justify-between gap-3 px-4 py-4 sm:px-5"
              >
                <div className="min-w-0 flex-1 basis-64">
                  <h3 className="font-medium">{title}</h3>
                  <p className="text-sm text-ink-soft">
                    {text} <TextLink href={href}>{where}</TextLink>
                  </p>
                </div>
                <ActButton action="/demo/act" fields={{ act }} size="md">
                  {label}
                </ActButton>
              </li>
            ))}
          </ul>
        </Card>
        <ClientProviders>
          <LatestEvents />
        </ClientProviders>
      </div>
    </div>
  );
}

interface DescribedAct {
  readonly act: DemoAct;
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly done: string;
  readonly href: string;
  readonly where: string;
}

const describeActs = (lonerHasKey: boolean): readonly DescribedAct[] => [
  {
    act: "hit",
    title: "An attack on Lanternwatch",
    text: "A member of Copper Tide attacks a member of Lanternwatch: you, if you are one. The retaliation is open for five minutes, and appears within 30 seconds.",
    label: "Attack",
    done: "The attack is over. It appears within 30 seconds.",
    href: "/faction",
    where: "Faction board",
  },
  {
    act: "crime",
    title: "A crime that cannot start",
    text: "An organized crime is ready, and one of its members lies in hospital.",
    label: "Hold up a crime",
    done: "A crime waits for a member who is in hospital.",
    href: "/faction",
    where: "Faction board",
  },
  {
    act: "payment",
    title: "A payment from the vault",
    text: "Bruno_Vault pays what Cleo_Marsh requested. Adjutant finds the payment in the faction's news.",
    label: "Pay",
    done: "The payment was made. Adjutant looks for it in the faction's news.",
    href: "/faction/banking",
    where: "Vault",
  },
  {
    act: "stock",
    title: "A stock that jumps",
    text: `${shockedStock.name} (${shockedStock.acronym}) gains 8 % with its next tick, within a minute.`,
    label: "Raise the price",
    done: `The price of ${shockedStock.acronym} rises with the next tick, within a minute.`,
    href: `/stocks/${shockedStock.acronym}`,
    where: `Stock ${shockedStock.acronym}`,
  },
  {
    act: "outage",
    title: `An outage of ${gameName()}`,
    text: `${gameName()} answers nothing for two minutes. Stored data is still shown; a new reading of a balance is refused.`,
    label: `Stop ${gameName()}`,
    done: `${gameName()} is down for two minutes.`,
    href: "/faction/banking",
    where: "Vault balance",
  },
  {
    act: "key",
    title: "A deleted game key",
    text: lonerHasKey
      ? `Edda_Drift deletes her key in ${gameName()}. Adjutant stops using it, and a notice tells her.`
      : `Edda_Drift's key is deleted. A notice told her. She can make the key again.`,
    label: lonerHasKey ? "Delete the key" : "Make it again",
    done: lonerHasKey ? "The key works again." : "The key is deleted. Her notice is below.",
    href: "/demo#key-notice",
    where: "Her notice",
  },
];
