import { createDraw } from "#simulator/draw";
import type { World } from "#simulator/world";

/** How likely each player masters a checkpoint, per role and difficulty: 5 … 100. The dedicated are better at all, and everybody has a role that suits them. */
export function createPassRates(seed: number, world: World) {
  const skill = createDraw(seed, "crime-skill");
  return function passRate(index: number, role: string, difficulty: number): number {
    const letters = [...role].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 65_536;
    const rate = 92 - 2.5 * difficulty + 9 * world.latents(index).dedication + 5 * skill.normal(index, letters);
    return Math.round(Math.min(100, Math.max(5, rate)));
  };
}
