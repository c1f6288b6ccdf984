import { Badge } from "#app/_ui/badge.tsx";
import { Checkbox } from "#app/_ui/checkbox.tsx";
import { TextLink } from "#app/_ui/text-link.tsx";
import { eventTypes } from "#server/event-types";
import { covers, type ScopeName } from "#server/scopes";
import { choosableTypes } from "#server/webhooks/contract";
import { alwaysSent } from "#server/webhooks/events";

type Props = {
  clientId: string;
  scopes: readonly ScopeName[];
  chosen?: readonly string[];
};

const nounOf = (type: string) => type.split(".", 1)[0] ?? type;
/** Shown in place of the title, which only repeats the type. */
const firstSentence = (text: string) => text.split(/(?<=\.) /, 1)[0] ?? text;
const heading = (noun: string) =>
  `${noun.charAt(0).toUpperCase()}${noun.slice(1).replaceAll("_", " ")}`;

export function EventTypesField({ clientId, scopes, chosen = [] }: Props) {
  const types = eventTypes.filter(({ type }) => choosableTypes.includes(type));
  const nouns = [...new Set(types.map(({ type }) => nounOf(type)))];
  return (
    <fieldset>
      <legend className="text-sm font-medium">Events to send</legend>
      <p className="mt-0.5 text-sm text-ink-faint">
        An event reaches you only for players who approved its scope.{" "}
        {alwaysSent.map((type, index) => (
          <span key={type}>
            {index > 0 && " and "}
            <code>{type}</code>
          </span>
        ))}{" "}
        are always sent.
      </p>
      <div className="mt-4 grid gap-x-6 gap-y-5 sm:grid-cols-2">
        {nouns.map((noun) => {
          const ofNoun = types.filter(({ type }) => nounOf(type) === noun);
          const scope = ofNoun[0]?.scope ?? null;
          const isOpen = scope === null || covers(scopes, scope);
          return (
            <fieldset key={noun} className="grid content-start gap-2">
              <legend className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="text-sm font-medium">{heading(noun)}</span>
                {scope !== null && <Badge tone={isOpen ? "neutral" : "warn"}>{scope}</Badge>}
                {scope === null && <span className="text-xs text-ink-faint">no scope needed</span>}
              </legend>
              {!isOpen && (
                <p className="text-sm text-warn">
                  Never sent: the application is not registered for {scope}.{" "}
                  <TextLink href={`/developers/apps/${clientId}/settings`}>Add the scope</TextLink>
                </p>
              )}
              {ofNoun.map(({ type, description }) => (
                <Checkbox
                  key={type}
                  name="type"
                  value={type}
                  defaultChecked={chosen.includes(type)}
                  label={<code className="text-sm wrap-anywhere">{type}</code>}
                  hint={firstSentence(description)}
                />
              ))}
            </fieldset>
          );
        })}
      </div>
    </fieldset>
  );
}
