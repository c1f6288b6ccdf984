import {
  Anchor,
  Bell,
  Bot,
  Compass,
  Crosshair,
  Crown,
  Dices,
  Eye,
  Feather,
  Flame,
  Gem,
  Hammer,
  Hourglass,
  Landmark,
  type LucideIcon,
  Moon,
  Radar,
  Rocket,
  Scale,
  Shield,
  Skull,
  Star,
  Swords,
  Vault,
  Zap,
} from "lucide-react";
import { classNames } from "#app/_ui/class-names.tsx";
import {
  type EmblemColour,
  type EmblemSign,
  type Emblem as EmblemView,
  emblemOf,
} from "#server/oauth/clients/emblem";

const signs: Readonly<Record<EmblemSign, LucideIcon>> = {
  anchor: Anchor,
  bell: Bell,
  bot: Bot,
  compass: Compass,
  crosshair: Crosshair,
  crown: Crown,
  dices: Dices,
  eye: Eye,
  feather: Feather,
  flame: Flame,
  gem: Gem,
  hammer: Hammer,
  hourglass: Hourglass,
  landmark: Landmark,
  moon: Moon,
  radar: Radar,
  rocket: Rocket,
  scale: Scale,
  shield: Shield,
  skull: Skull,
  star: Star,
  swords: Swords,
  vault: Vault,
  zap: Zap,
};

const colours: Readonly<Record<EmblemColour, string>> = {
  blue: "bg-accent-wash text-accent-text",
  green: "bg-good-wash text-good",
  amber: "bg-warn-wash text-warn",
  red: "bg-bad-wash text-bad",
  grey: "bg-sunken text-ink-soft",
  navy: "bg-accent text-on-accent",
};

const sizes = {
  sm: "size-7 [&_svg]:size-4",
  md: "size-10 [&_svg]:size-5.5",
  lg: "size-12 [&_svg]:size-6.5 max-sm:size-9 max-sm:[&_svg]:size-5",
} as const;

type Props = { of: Parameters<typeof emblemOf>[0]; size?: keyof typeof sizes };

/** Decoration beside the application's name. */
export const Emblem = ({ of, size = "md" }: Props) => <DrawnEmblem {...emblemOf(of)} size={size} />;

export function DrawnEmblem({ sign, colour, size }: EmblemView & { size: keyof typeof sizes }) {
  const Sign = signs[sign];
  return (
    <span
      aria-hidden="true"
      className={classNames(
        "grid flex-none place-items-center rounded-control",
        colours[colour],
        sizes[size],
      )}
    >
      <Sign />
    </span>
  );
}
