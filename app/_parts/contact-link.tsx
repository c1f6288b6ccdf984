import { pageSettings } from "#app/_lib/settings";
import { TextLink } from "#app/_ui/text-link.tsx";

/** How to reach who runs the service, after a sentence that advises it. Nothing where the settings do not say. */
export function ContactLink() {
  const { contactUrl } = pageSettings();
  return (
    contactUrl !== undefined && (
      <>
        {" "}
        <TextLink href={contactUrl}>Contact</TextLink>
      </>
    )
  );
}
