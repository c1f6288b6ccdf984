import { gameName } from "#app/_lib/settings";
import { Insignia } from "#app/_ui/logo.tsx";

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
