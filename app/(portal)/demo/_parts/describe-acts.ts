import { type DemoAct, shockedStock } from "#server/demo/acts";

export interface DescribedAct {
  readonly act: DemoAct;
  readonly title: string;
  /** Consequence and duration. */
  readonly text: string;
  readonly label: string;
  readonly done: string;
  readonly href: string;
  readonly where: string;
}

type Described = { lonerHasKey: boolean; gameName: string };

export const describeActs = ({ lonerHasKey, gameName }: Described): readonly DescribedAct[] => [
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
    title: `An outage of ${gameName}`,
    text: `${gameName} answers nothing for two minutes. Stored data is still shown; a new reading of a balance is refused.`,
    label: `Stop ${gameName}`,
    done: `${gameName} is down for two minutes.`,
    href: "/faction/banking",
    where: "Vault balance",
  },
  {
    act: "key",
    title: "A deleted game key",
    text: lonerHasKey
      ? `Edda_Drift deletes her key in ${gameName}. Adjutant stops using it, and a notice tells her.`
      : `Edda_Drift's key is deleted. A notice told her. She can make the key again.`,
    label: lonerHasKey ? "Delete the key" : "Make it again",
    done: lonerHasKey ? "The key works again." : "The key is deleted. Her notice is below.",
    href: "/demo#key-notice",
    where: "Her notice",
  },
];
