import { Inbox, Unplug } from "lucide-react";
import { Card } from "#app/_ui/card.tsx";
import { EmptyState } from "#app/_ui/state-message.tsx";
import { LinkButton, TextLink } from "#app/_ui/text-link.tsx";
import { Time } from "#app/_ui/time.tsx";
import { formatAmount } from "#server/faction/banking/amount";
import type { BoardVault } from "#server/faction/show-board";

/** All for a banker, otherwise the player's own. */
export function WaitingRequests({ vault }: { vault: BoardVault }) {
  const { banker, waiting, count, pays } = vault;
  return (
    <Card
      title="Vault requests"
      description={
        banker ? "Waiting for a banker, the oldest first." : "Yours that wait for a banker."
      }
      actions={
        <LinkButton href="/faction/banking" size="sm">
          Open the vault
        </LinkButton>
      }
      footer={
        count > waiting.length && (
          <TextLink href="/faction/banking">
            {waiting.length} of {count}: show all
          </TextLink>
        )
      }
      flush
    >
      {waiting.length === 0 ? (
        <NoneWaiting vault={vault} />
      ) : (
        <ul className="divide-y divide-line">
          {waiting.map(
            ({ id, guid, requester, amount, currency, requestedAt, expiresAt, claim }) => (
              <li
                key={id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3 sm:px-5"
              >
                <div className="min-w-0">
                  <p>
                    <span className="tabular font-medium">{formatAmount(amount, currency)}</span> to{" "}
                    {requester.name} <span className="text-ink-faint">#{id}</span>
                  </p>
                  <p className="text-sm text-ink-faint">
                    Requested <Time at={requestedAt} />
                    {expiresAt && (
                      <>
                        , expires <Time at={expiresAt} />
                      </>
                    )}
                  </p>
                </div>
                {claim ? (
                  <TextLink href={`/faction/banking/fulfill/${guid}`}>
                    {claim.by.name} is paying<span className="sr-only"> request #{id}</span>
                  </TextLink>
                ) : (
                  banker &&
                  pays.includes(currency) && (
                    <LinkButton href={`/faction/banking/fulfill/${guid}`} size="sm">
                      Pay<span className="sr-only"> request #{id}</span>
                    </LinkButton>
                  )
                )}
              </li>
            ),
          )}
        </ul>
      )}
    </Card>
  );
}

function NoneWaiting({ vault: { link, banker } }: { vault: BoardVault }) {
  if (link !== "ready")
    return (
      <EmptyState icon={<Unplug />} title="Requests are not set up">
        Your faction's <TextLink href="/faction/chat">chat server</TextLink> must be linked and have
        a channel for requests.
      </EmptyState>
    );
  return (
    <EmptyState icon={<Inbox />} title="No requests waiting">
      {banker
        ? "New requests of members appear here."
        : "What you request from the vault appears here until it is paid."}
    </EmptyState>
  );
}
