import { Alert } from "#app/_ui/alert.tsx";

type Props = {
  waiting: { applicationName: string; scopeTitles: readonly string[]; redirectHost: string | null };
};

/** The sign-in alone allows nothing. */
export function WaitingRequest({ waiting }: Props) {
  return (
    <Alert
      title={
        <>
          <bdi>{waiting.applicationName}</bdi> is waiting for your decision
        </>
      }
    >
      <p>
        After signing in you decide whether{" "}
        <strong className="font-semibold">
          <bdi>{waiting.applicationName}</bdi>
        </strong>{" "}
        {waiting.redirectHost && <>({waiting.redirectHost}) </>}may see or do this in your name.
        Signing in alone allows nothing.
      </p>
      {waiting.scopeTitles.length > 0 && (
        <ul className="mt-1.5 list-disc pl-5">
          {waiting.scopeTitles.map((title) => (
            <li key={title}>{title}</li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
