import type { Metadata } from "next";
import { gameName } from "#app/_lib/settings";
import { Card } from "#app/_ui/card.tsx";
import { DataTable } from "#app/_ui/data-table.tsx";
import { Steps } from "#app/_ui/steps.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { abilityOfFlag } from "#server/faction/positions/contract";
import { DocPage, DocSection } from "../_parts/doc-page";
import { guides } from "../_parts/guides";
import { WithCode } from "../_parts/with-code";

export const metadata: Metadata = { title: guides["/docs/factions"].title };

const { give_money, give_points, adjust_balances, access_fac_api } = abilityOfFlag;

const rights = [
  {
    who: "Every member",
    may: "See their own balance; request money or points; cancel their own requests.",
  },
  { who: give_money, may: "See and cancel every request; pay out money." },
  { who: give_points, may: "See and cancel every request; pay out points." },
  { who: adjust_balances, may: "See and cancel every request; pay out both." },
  {
    who: access_fac_api,
    may: "Choose the faction's chat server. Their key reads the vault and the faction's data.",
  },
  { who: "Leader and co-leader", may: "All of this." },
] as const;

const commands = [
  { what: "/balance", does: "Shows your balance, only to you." },
  {
    what: "/withdraw",
    does: "Requests an amount: `250000`, `$2,500,000`, `1.5m` or `all`. It expires after an hour unless you say otherwise.",
  },
  { what: "/cancel", does: "Cancels your newest request, or the one you name by number." },
  {
    what: "/fulfil",
    does: "For bankers: marks a request as paid, like the button on the request.",
  },
] as const;

export default function Factions() {
  return (
    <DocPage
      {...guides["/docs/factions"]}
      lead={`Members request their money from the vault here, in an application or in your chat server. Bankers see who is waiting and pay in ${gameName()}.`}
    >
      <DocSection id="set-up" title="Set it up">
        <Steps
          items={[
            {
              title: "Let the vault be read",
              body: `A member whose position has “${access_fac_api}” signs in here once, with a key of at least limited access.`,
            },
            {
              title: "Invite the bot to your chat server",
              body: "Ask the operator of this service for the invitation link.",
            },
            {
              title: "Choose the server for the faction",
              body: (
                <>
                  On <TextLink href="/faction/chat">Chat server</TextLink>, by a leader or a member
                  with “{access_fac_api}”.
                </>
              ),
            },
            {
              title: "Add the faction on the server",
              body: (
                <>
                  On <TextLink href="/chat-servers">Chat servers</TextLink>, by an administrator of
                  the server, who also chooses the channel for requests and the roles to mention.
                </>
              ),
            },
          ]}
        />
        <p className="text-ink-soft">
          Both sides must agree, and each can end the link at any time. Without a channel nobody can
          request a payment.
        </p>
      </DocSection>
      <DocSection id="rights" title="Who may do what">
        <p className="text-ink-soft">
          Rights follow your positions in {gameName()}, as last read. A change counts within the
          hour. A member who leaves the faction loses them as soon as that is seen, and their
          waiting requests are cancelled.
        </p>
        <Card flush>
          <DataTable
            caption="Rights in the faction's banking"
            rows={rights}
            rowKey={({ who }) => who}
            columns={[
              { key: "who", header: "Position has", primary: true, cell: ({ who }) => who },
              { key: "may", header: "May", prose: true, cell: ({ may }) => may },
            ]}
          />
        </Card>
      </DocSection>
      <DocSection id="a-payment" title="How a payment goes">
        <ul className="grid list-disc gap-2 pl-5 text-ink-soft">
          <li>
            Your balance must cover the request and your other waiting requests. It is shown on{" "}
            <TextLink href="/faction/banking">Vault</TextLink> and in the channel.
          </li>
          <li>
            A banker pays in {gameName()} and confirms here or in the chat. Only one banker can
            close a request.
          </li>
          <li>
            Adjutant looks for the payment in the vault's news: exactly this amount, paid from your
            balance. A payday or an addition to your balance does not count. If none is found within
            ten minutes, you get a notice.
          </li>
          <li>A request that nobody pays expires after the time you chose.</li>
        </ul>
      </DocSection>
      <DocSection id="hits-and-crimes" title="Retaliations and delayed OCs in a channel">
        <p className="text-ink-soft">
          A leader or a member with “{access_fac_api}” can choose a channel of the linked server on{" "}
          <TextLink href="/faction/chat">Chat server</TextLink>, and what it shows. A retaliation
          names the attacker, the defender and the time left, with a link to the attacker. A delayed
          OC names the members it waits for, and why. The bot updates a message when its retaliation
          closes or its OC resumes. Everyone who can read the channel sees all of this, members of
          the faction or not.
        </p>
        <p className="text-ink-soft">
          It needs a key that reads the faction's data, as above. The bot posts at most 20 a minute;
          one more message counts the rest. It stops when either side ends the link, and a new link
          starts without a channel.
        </p>
      </DocSection>
      <DocSection id="commands" title="In the chat">
        <p className="text-ink-soft">
          The commands work in the server linked to your faction. Only you see the replies. You are
          recognised by the chat account you linked under{" "}
          <TextLink href="/account">Your account</TextLink>, or by the one you verified in{" "}
          {gameName()}.
        </p>
        <Card flush>
          <DataTable
            caption="Commands"
            rows={commands}
            rowKey={({ what }) => what}
            columns={[
              {
                key: "what",
                header: "Command",
                primary: true,
                cell: ({ what }) => <code className="font-mono text-sm">{what}</code>,
              },
              {
                key: "does",
                header: "Does",
                prose: true,
                cell: ({ does }) => <WithCode text={does} />,
              },
            ]}
          />
        </Card>
      </DocSection>
    </DocPage>
  );
}
