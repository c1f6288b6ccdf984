import { IdCard, KeyRound } from "lucide-react";
import { Avatar } from "#app/_ui/avatar.tsx";
import { Badge } from "#app/_ui/badge.tsx";
import { buttonStyle } from "#app/_ui/class-names.tsx";
import { ScopeList } from "#app/_ui/scope-list.tsx";
import { type ScopeName, scopes } from "#server/scopes";

/** The consent page's own texts. */
function words(name: ScopeName) {
  const scope = scopes.find((entry) => entry.name === name);
  return { title: scope?.title, body: scope?.grants };
}

/** Decorative; not operable. */
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
